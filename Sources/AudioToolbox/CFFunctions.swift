// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CoreFoundation

// The functions of CoreFoundation that programs for audio call, for the types of `url as CFURL` and `"title" as CFString`
// here. Those that differ only in their result are used where the result has to have such a type.

// MARK: URLs

/// Makes the URL of a path.
public func CFURLCreateWithFileSystemPath(
    _ allocator: CFAllocator?, _ filePath: CFString!, _ pathStyle: CFURLPathStyle, _ isDirectory: Bool
) -> CFURL! {
    .bridged(
        CoreFoundation.CFURLCreateWithFileSystemPath(
            allocator, filePath?.coreFoundation, pathStyle, isDirectory))
}

/// Makes the URL of a path in the bytes of the file system.
@_disfavoredOverload
public func CFURLCreateFromFileSystemRepresentation(
    _ allocator: CFAllocator?, _ buffer: UnsafePointer<UInt8>!, _ bufLen: CFIndex, _ isDirectory: Bool
) -> CFURL! {
    .bridged(
        unsafe CoreFoundation.CFURLCreateFromFileSystemRepresentation(allocator, buffer, bufLen, isDirectory))
}

/// Makes the URL of its text.
public func CFURLCreateWithString(
    _ allocator: CFAllocator?, _ URLString: CFString!, _ baseURL: CFURL?
) -> CFURL! {
    .bridged(
        CoreFoundation.CFURLCreateWithString(
            allocator, URLString?.coreFoundation, baseURL?.coreFoundation))
}

/// Writes the path of a file's URL, with a zero at its end.
public func CFURLGetFileSystemRepresentation(
    _ url: CFURL!, _ resolveAgainstBase: Bool, _ buffer: UnsafeMutablePointer<UInt8>!, _ maxBufLen: CFIndex
) -> Bool {
    unsafe CoreFoundation.CFURLGetFileSystemRepresentation(
        url?.coreFoundation, resolveAgainstBase, buffer, maxBufLen)
}

/// Returns the path of a file's URL.
public func CFURLCopyFileSystemPath(_ anURL: CFURL!, _ pathStyle: CFURLPathStyle) -> CFString! {
    .bridged(CoreFoundation.CFURLCopyFileSystemPath(anURL?.coreFoundation, pathStyle))
}

/// Returns the last part of a URL's path.
public func CFURLCopyLastPathComponent(_ url: CFURL!) -> CFString! {
    .bridged(CoreFoundation.CFURLCopyLastPathComponent(url?.coreFoundation))
}

/// Returns the extension of a URL's path.
public func CFURLCopyPathExtension(_ url: CFURL!) -> CFString! {
    .bridged(CoreFoundation.CFURLCopyPathExtension(url?.coreFoundation))
}

/// Returns the text of a URL.
public func CFURLGetString(_ anURL: CFURL!) -> CFString! {
    .bridged(CoreFoundation.CFURLGetString(anURL?.coreFoundation))
}

// MARK: Strings

/// Makes a string of the characters of C.
@_disfavoredOverload
public func CFStringCreateWithCString(
    _ alloc: CFAllocator?, _ cStr: UnsafePointer<CChar>!, _ encoding: CFStringEncoding
) -> CFString! {
    .bridged(unsafe CoreFoundation.CFStringCreateWithCString(alloc, cStr, encoding))
}

/// Returns the length of a string in UTF-16.
public func CFStringGetLength(_ theString: CFString!) -> CFIndex {
    CoreFoundation.CFStringGetLength(theString?.coreFoundation)
}

/// Compares two strings.
public func CFStringCompare(
    _ theString1: CFString!, _ theString2: CFString!, _ compareOptions: CFStringCompareFlags
) -> CFComparisonResult {
    CoreFoundation.CFStringCompare(
        theString1?.coreFoundation, theString2?.coreFoundation, compareOptions)
}

/// Returns whether a string begins with another.
public func CFStringHasPrefix(_ theString: CFString!, _ prefix: CFString!) -> Bool {
    CoreFoundation.CFStringHasPrefix(theString?.coreFoundation, prefix?.coreFoundation)
}

/// Returns whether a string ends with another.
public func CFStringHasSuffix(_ theString: CFString!, _ suffix: CFString!) -> Bool {
    CoreFoundation.CFStringHasSuffix(theString?.coreFoundation, suffix?.coreFoundation)
}

/// Writes the characters of a string, with a zero at their end.
public func CFStringGetCString(
    _ theString: CFString!, _ buffer: UnsafeMutablePointer<CChar>!, _ bufferSize: CFIndex,
    _ encoding: CFStringEncoding
) -> Bool {
    unsafe CoreFoundation.CFStringGetCString(theString?.coreFoundation, buffer, bufferSize, encoding)
}

/// Returns the characters of a string if it has them in this encoding.
public func CFStringGetCStringPtr(
    _ theString: CFString!, _ encoding: CFStringEncoding
) -> UnsafePointer<CChar>! {
    unsafe CoreFoundation.CFStringGetCStringPtr(theString?.coreFoundation, encoding)
}

// MARK: Collections

/// Returns the number of values in a dictionary.
public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex {
    CoreFoundation.CFDictionaryGetCount(theDict?.coreFoundation)
}

/// Returns the value of a key, which is the address of an object.
public func CFDictionaryGetValue(
    _ theDict: CFDictionary!, _ key: UnsafeRawPointer!
) -> UnsafeRawPointer! {
    unsafe CoreFoundation.CFDictionaryGetValue(theDict?.coreFoundation, key)
}

/// Returns the number of values in an array.
public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex {
    CoreFoundation.CFArrayGetCount(theArray?.coreFoundation)
}

/// Returns a value of an array, which is the address of an object.
public func CFArrayGetValueAtIndex(_ theArray: CFArray!, _ idx: CFIndex) -> UnsafeRawPointer! {
    unsafe CoreFoundation.CFArrayGetValueAtIndex(theArray?.coreFoundation, idx)
}

/// Returns the number of bytes of data.
public func CFDataGetLength(_ theData: CFData!) -> CFIndex {
    CoreFoundation.CFDataGetLength(theData?.coreFoundation)
}

/// Returns the bytes of data.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
    unsafe CoreFoundation.CFDataGetBytePtr(theData?.coreFoundation)
}
