// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreFoundation

/// The objects of CoreFoundation that clients receive and pass: strings, lists of strings, and bytes.
enum AudioFileObject {
    private static let utf8 = CFStringBuiltInEncodings.UTF8.rawValue

    /// Makes a string; nil if memory is insufficient.
    static func string(_ text: String) -> CFString? {
        let bytes = Array(text.utf8)
        return unsafe CFStringCreateWithBytes(nil, bytes, bytes.count, utf8, false)
    }

    /// Makes an array of objects in their order; nil if memory is insufficient.
    static func array(_ objects: [AnyObject]) -> CFMutableArray? {
        var callbacks = kCFTypeArrayCallBacks
        guard let array = unsafe CFArrayCreateMutable(nil, 0, &callbacks) else { return nil }
        for object in objects {
            // SAFETY: the array retains the object before the local reference ends.
            withExtendedLifetime(object) {
                unsafe CFArrayAppendValue(array, Unmanaged.passUnretained(object).toOpaque())
            }
        }
        return array
    }

    /// Makes a dictionary of strings by key, with the first of several strings for one key.
    static func dictionary(_ entries: [(key: String, value: String)]) -> CFMutableDictionary? {
        var keyCallbacks = kCFTypeDictionaryKeyCallBacks
        var valueCallbacks = kCFTypeDictionaryValueCallBacks
        guard let dictionary = unsafe CFDictionaryCreateMutable(nil, 0, &keyCallbacks, &valueCallbacks) else {
            return nil
        }
        for entry in entries {
            guard let key = string(entry.key), let value = string(entry.value) else { continue }
            // SAFETY: the dictionary retains both objects before the local references end.
            withExtendedLifetime((key, value)) {
                unsafe CFDictionaryAddValue(
                    dictionary, Unmanaged.passUnretained(key).toOpaque(),
                    Unmanaged.passUnretained(value).toOpaque())
            }
        }
        return dictionary
    }

    /// Makes an object of bytes; nil if memory is insufficient.
    static func data(_ bytes: [UInt8]) -> CFData? { unsafe CFDataCreate(nil, bytes, bytes.count) }

    /// The text of a string object; invalid Unicode becomes question marks.
    static func text(_ string: CFString) -> String {
        let characters = CFStringGetLength(string)
        let room = max(CFStringGetMaximumSizeForEncoding(characters, utf8), 0)
        var bytes = [UInt8](repeating: 0, count: room)
        var used = 0
        _ = unsafe CFStringGetBytes(
            string, CFRange(location: 0, length: characters), utf8, 0x3F, false, &bytes, room, &used)
        return String(decoding: bytes.prefix(used), as: UTF8.self)
    }

    /// The text of the string that a client's memory refers to; nil for NULL, and for another type of object.
    @unsafe static func text(at reference: UInt) -> String? {
        // SAFETY: the client guarantees an object of CoreFoundation during the call.
        unsafe string(in: UnsafeRawPointer(bitPattern: reference))
    }

    /// The strings of a client's dictionary, by key; values of other types are omitted.
    ///
    /// - Parameter reference: A `CFDictionaryRef`.
    /// - Returns: Nil for NULL, and for another type of object.
    @unsafe static func entries(at reference: UInt) -> [(key: String, value: String)]? {
        guard let address = unsafe UnsafeRawPointer(bitPattern: reference) else { return nil }
        // SAFETY: the client guarantees an object of CoreFoundation during the call; the object's type is
        // checked first.
        let dictionary = unsafe Unmanaged<CFDictionary>.fromOpaque(address).takeUnretainedValue()
        guard CFGetTypeID(dictionary) == CFDictionaryGetTypeID() else { return nil }
        let count = CFDictionaryGetCount(dictionary)
        var keys = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
        var values = unsafe [UnsafeRawPointer?](repeating: nil, count: count)
        unsafe CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
        var entries: [(key: String, value: String)] = []
        for index in 0..<count {
            guard let key = unsafe string(in: keys[index]), let value = unsafe string(in: values[index])
            else { continue }
            entries.append((key, value))
        }
        return entries.sorted { $0.key < $1.key }
    }

    @unsafe private static func string(in reference: UnsafeRawPointer?) -> String? {
        guard let reference = unsafe reference else { return nil }
        // SAFETY: a client or a dictionary keeps the object; its type is checked first.
        let object = unsafe Unmanaged<AnyObject>.fromOpaque(reference).takeUnretainedValue()
        guard CFGetTypeID(object) == CFStringGetTypeID() else { return nil }
        return text(unsafe Unmanaged<CFString>.fromOpaque(reference).takeUnretainedValue())
    }

    /// The path of a file URL; nil for other URLs.
    static func path(of url: CFURL) -> FilePath? {
        if let scheme = CFURLCopyScheme(url), text(scheme).lowercased() != "file" { return nil }
        let room = 4096
        var bytes = [UInt8](repeating: 0, count: room)
        guard unsafe CFURLGetFileSystemRepresentation(url, true, &bytes, room) else { return nil }
        let path = FilePath(bytes: bytes)
        return path.bytes.isEmpty ? nil : path
    }
}
