// SPDX-License-Identifier: MIT

import CAQAudioToolbox
public import CAQCoreMedia
import CoreAudioTypes
public import CoreFoundation

// The published functions for descriptions of audio. All may be called from any thread.

/// Returns the type of format descriptions.
@_cdecl("CMFormatDescriptionGetTypeID")
public func cmFormatDescriptionGetTypeID() -> CFTypeID { FormatDescription.objects.typeID }

/// Creates a description of audio.
///
/// - Parameters:
///   - asbd: The format. Any fields are accepted; functions that need a certain format check it.
///   - layoutSize: The bytes of the channel layout; 0 if there is none.
///   - cookieSize: The bytes of the magic cookie; 0 if there is none.
///   - extensions: Returned by `CMFormatDescriptionGetExtensions`; may be NULL.
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` for NULL, for a size without bytes, and for a layout that
///   is larger than its size; `kCMFormatDescriptionError_AllocationFailed` for sizes above 16 MiB.
@_cdecl("CMAudioFormatDescriptionCreate")
public func cmAudioFormatDescriptionCreate(
    _ allocator: CFAllocator?, _ asbd: UnsafePointer<AudioStreamBasicDescription>?, _ layoutSize: Int,
    _ layout: UnsafeRawPointer?, _ cookieSize: Int, _ cookie: UnsafeRawPointer?,
    _ extensions: CFDictionary?, _ outDescription: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        guard let outDescription = unsafe outDescription else {
            throw StatusError(kCMFormatDescriptionError_InvalidParameter)
        }
        unsafe outDescription.pointee = nil
        guard let asbd = unsafe asbd else { throw StatusError(kCMFormatDescriptionError_InvalidParameter) }
        let layout = try unsafe clientBytes(layout, layoutSize)
        let cookie = try unsafe clientBytes(cookie, cookieSize)
        guard unsafe isWholeLayout(layout) else {
            throw StatusError(kCMFormatDescriptionError_InvalidParameter)
        }
        let description = unsafe FormatDescription(
            asbd.pointee, layout: layout, cookie: cookie, extensions: extensions)
        guard let object = unsafe FormatDescription.objects.make(description) else {
            throw StatusError(kCMFormatDescriptionError_AllocationFailed)
        }
        unsafe outDescription.pointee = object
    }
}

/// Returns the type of the media: `kCMMediaType_Audio`; 0 for NULL.
@_cdecl("CMFormatDescriptionGetMediaType")
public func cmFormatDescriptionGetMediaType(_ description: UnsafeRawPointer?) -> FourCharCode {
    unsafe FormatDescription.objects.contents(of: description) == nil ? 0 : kCMMediaType_Audio
}

/// Returns the format ID; 0 for NULL.
@_cdecl("CMFormatDescriptionGetMediaSubType")
public func cmFormatDescriptionGetMediaSubType(_ description: UnsafeRawPointer?) -> FourCharCode {
    unsafe FormatDescription.objects.contents(of: description)?.format.mFormatID ?? 0
}

/// Returns the extensions that the description was created with, without a reference for the caller; or NULL.
@_cdecl("CMFormatDescriptionGetExtensions")
public func cmFormatDescriptionGetExtensions(_ description: UnsafeRawPointer?) -> UnsafeMutableRawPointer? {
    guard let extensions = unsafe FormatDescription.objects.contents(of: description)?.extensions else {
        return nil
    }
    return unsafe Unmanaged.passUnretained(extensions).toOpaque()
}

/// Returns whether two descriptions are equal; false if one is NULL.
@_cdecl("CMFormatDescriptionEqual")
public func cmFormatDescriptionEqual(_ left: UnsafeRawPointer?, _ right: UnsafeRawPointer?) -> Bool {
    guard let left = unsafe FormatDescription.objects.contents(of: left),
        let right = unsafe FormatDescription.objects.contents(of: right)
    else { return false }
    return left === right || left.isEqual(to: right)
}

/// Returns the format, which exists as long as the description; NULL for NULL.
@_cdecl("CMAudioFormatDescriptionGetStreamBasicDescription")
public func cmAudioFormatDescriptionGetStreamBasicDescription(
    _ description: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    unsafe FormatDescription.objects.contents(of: description)?.formatMemory.baseAddress
}

/// Returns the magic cookie, which exists as long as the description, and its size; NULL and 0 if there is none.
@_cdecl("CMAudioFormatDescriptionGetMagicCookie")
public func cmAudioFormatDescriptionGetMagicCookie(
    _ description: UnsafeRawPointer?, _ outSize: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    let cookie = unsafe FormatDescription.objects.contents(of: description)?.cookieMemory
    unsafe outSize?.pointee = cookie?.count ?? 0
    return unsafe cookie?.baseAddress
}

/// Returns the channel layout, which exists as long as the description, and its size; NULL and 0 if there is none.
@_cdecl("CMAudioFormatDescriptionGetChannelLayout")
public func cmAudioFormatDescriptionGetChannelLayout(
    _ description: UnsafeRawPointer?, _ outSize: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    let layout = unsafe FormatDescription.objects.contents(of: description)?.layoutMemory
    unsafe outSize?.pointee = layout?.count ?? 0
    return unsafe layout?.baseAddress
}

/// The bytes that a client passed with their size.
@unsafe
private func clientBytes(
    _ bytes: UnsafeRawPointer?, _ count: Int
) throws(StatusError) -> UnsafeRawBufferPointer {
    guard count != 0 else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    guard let bytes = unsafe bytes else { throw StatusError(kCMFormatDescriptionError_InvalidParameter) }
    guard 0...FormatDescription.limit ~= count else {
        throw StatusError(kCMFormatDescriptionError_AllocationFailed)
    }
    return unsafe UnsafeRawBufferPointer(start: bytes, count: count)
}

/// Whether a layout has all the channel descriptions that it counts, or is missing.
@unsafe
private func isWholeLayout(_ layout: UnsafeRawBufferPointer) -> Bool {
    guard unsafe !layout.isEmpty else { return true }
    guard let offset = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions),
        layout.count >= offset,
        let countOffset = MemoryLayout<AudioChannelLayout>.offset(of: \.mNumberChannelDescriptions)
    else { return false }
    let channels = unsafe layout.loadUnaligned(fromByteOffset: countOffset, as: UInt32.self)
    return offset + Int(channels) * MemoryLayout<AudioChannelDescription>.stride <= layout.count
}
