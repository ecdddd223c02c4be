// SPDX-License-Identifier: MIT

public import CAQCoreMedia
import Glibc

// The published functions that read and write the bytes of block buffers. None reads or writes a byte outside of the
// buffer: an offset beyond the data returns `kCMBlockBufferBadOffsetParameterErr`, and a length that reaches beyond
// it `kCMBlockBufferBadLengthParameterErr`.

/// Returns the number of bytes; 0 for NULL.
@_cdecl("CMBlockBufferGetDataLength")
public func cmBlockBufferGetDataLength(_ buffer: UnsafeRawPointer?) -> Int {
    unsafe BlockBuffer.objects.contents(of: buffer)?.byteCount ?? 0
}

/// Returns whether a buffer has no bytes; true for NULL.
@_cdecl("CMBlockBufferIsEmpty")
public func cmBlockBufferIsEmpty(_ buffer: UnsafeRawPointer?) -> Bool {
    unsafe cmBlockBufferGetDataLength(buffer) == 0
}

/// Returns whether bytes are in one block; all from the offset if the length is 0. False beyond the data.
@_cdecl("CMBlockBufferIsRangeContiguous")
public func cmBlockBufferIsRangeContiguous(_ buffer: UnsafeRawPointer?, _ offset: Int, _ length: Int) -> Bool
{
    guard let buffer = unsafe BlockBuffer.objects.contents(of: buffer),
        let range = try? buffer.rangeOrRest(offset, length)
    else { return false }
    return buffer.pieces(in: range).count == 1
}

/// Returns a pointer to the bytes at an offset, how many follow in the same block, and how many the buffer has.
///
/// The pointer is valid as long as a buffer uses the block.
///
/// - Returns: `kCMBlockBufferBadPointerParameterErr`, `kCMBlockBufferBadOffsetParameterErr`,
///   `kCMBlockBufferUnallocatedBlockErr`.
@_cdecl("CMBlockBufferGetDataPointer")
public func cmBlockBufferGetDataPointer(
    _ buffer: UnsafeRawPointer?, _ offset: Int, _ lengthAtOffset: UnsafeMutablePointer<Int>?,
    _ totalLength: UnsafeMutablePointer<Int>?, _ dataPointer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let buffer = try unsafe BlockBuffer.contents(of: buffer)
        let range = try buffer.rangeOrRest(offset, 0)
        guard let piece = buffer.pieces(in: range).first else {
            throw StatusError(kCMBlockBufferBadOffsetParameterErr)
        }
        let start = try unsafe piece.block.start() + piece.bytes.lowerBound
        unsafe lengthAtOffset?.pointee = piece.bytes.count
        unsafe totalLength?.pointee = buffer.byteCount
        unsafe dataPointer?.pointee = start
    }
}

/// Returns a pointer to bytes: into the buffer if they are in one block, otherwise to a copy.
///
/// - Parameter temporaryBlock: Memory of the client with space for the bytes.
/// - Returns: `kCMBlockBufferBadPointerParameterErr`, also if the copy is necessary and has no memory;
///   `kCMBlockBufferUnallocatedBlockErr`.
@_cdecl("CMBlockBufferAccessDataBytes")
public func cmBlockBufferAccessDataBytes(
    _ buffer: UnsafeRawPointer?, _ offset: Int, _ length: Int, _ temporaryBlock: UnsafeMutableRawPointer?,
    _ returnedPointer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let buffer = try unsafe BlockBuffer.contents(of: buffer)
        guard let returnedPointer = unsafe returnedPointer else {
            throw StatusError(kCMBlockBufferBadPointerParameterErr)
        }
        let range = try buffer.rangeOrRest(offset, length)
        if let bytes = try unsafe buffer.contiguousBytes(in: range) {
            unsafe returnedPointer.pointee = bytes
            return
        }
        guard let temporaryBlock = unsafe temporaryBlock else {
            throw StatusError(kCMBlockBufferBadPointerParameterErr)
        }
        try unsafe buffer.copy(range, to: temporaryBlock)
        unsafe returnedPointer.pointee = temporaryBlock
    }
}

/// Copies bytes out of a buffer.
///
/// - Returns: `kCMBlockBufferBadPointerParameterErr`, `kCMBlockBufferUnallocatedBlockErr`.
@_cdecl("CMBlockBufferCopyDataBytes")
public func cmBlockBufferCopyDataBytes(
    _ buffer: UnsafeRawPointer?, _ offset: Int, _ length: Int, _ destination: UnsafeMutableRawPointer?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let buffer = try unsafe BlockBuffer.contents(of: buffer)
        let range = try buffer.range(offset, length)
        guard let destination = unsafe destination else {
            throw StatusError(kCMBlockBufferBadPointerParameterErr)
        }
        try unsafe buffer.copy(range, to: destination)
    }
}

/// Replaces bytes of a buffer. Memory that is missing is allocated first.
///
/// - Returns: `kCMBlockBufferBadPointerParameterErr`, `kCMBlockBufferBlockAllocationFailedErr`.
@_cdecl("CMBlockBufferReplaceDataBytes")
public func cmBlockBufferReplaceDataBytes(
    _ bytes: UnsafeRawPointer?, _ buffer: UnsafeRawPointer?, _ offset: Int, _ length: Int
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let buffer = try unsafe BlockBuffer.contents(of: buffer)
        let range = try buffer.range(offset, length)
        guard let bytes = unsafe bytes else { throw StatusError(kCMBlockBufferBadPointerParameterErr) }
        try buffer.allocate()
        try unsafe buffer.forEachPart(of: range) { part, offset in
            guard let start = part.baseAddress else { return }
            unsafe memmove(start, bytes + offset, part.count)
        }
    }
}

/// Sets bytes of a buffer to one value; all from the offset if the length is 0. Memory that is missing is allocated
/// first.
///
/// - Returns: `kCMBlockBufferBadPointerParameterErr`, `kCMBlockBufferBlockAllocationFailedErr`.
@_cdecl("CMBlockBufferFillDataBytes")
public func cmBlockBufferFillDataBytes(
    _ byte: CChar, _ buffer: UnsafeRawPointer?, _ offset: Int, _ length: Int
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let buffer = try unsafe BlockBuffer.contents(of: buffer)
        let range = try buffer.rangeOrRest(offset, length)
        try buffer.allocate()
        try unsafe buffer.forEachPart(of: range) { part, _ in
            guard let start = part.baseAddress else { return }
            unsafe memset(start, Int32(byte), part.count)
        }
    }
}
