// SPDX-License-Identifier: MIT

public import CAQCoreMedia
public import CoreFoundation

// The published functions that create and extend block buffers. A buffer may be used by one thread at a time while it
// is extended, and its memory allocated; otherwise by any. The structure allocator is not used: on Linux the Swift
// runtime allocates all objects.

/// Returns the type of block buffers.
@_cdecl("CMBlockBufferGetTypeID")
public func cmBlockBufferGetTypeID() -> CFTypeID { BlockBuffer.objects.typeID }

/// Creates a buffer without data.
///
/// - Returns: `kCMBlockBufferBadPointerParameterErr` for NULL.
@_cdecl("CMBlockBufferCreateEmpty")
public func cmBlockBufferCreateEmpty(
    _ structureAllocator: CFAllocator?, _ subBlockCapacity: UInt32, _ flags: CMBlockBufferFlags,
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    unsafe makeBlockBuffer(outBuffer) { (_) throws(StatusError) in }
}

/// Creates a buffer over a block of memory, which is allocated if it is NULL.
///
/// - Parameters:
///   - memoryBlock: The block, or NULL.
///   - blockLength: The bytes of the block.
///   - blockAllocator: Frees and allocates the block unless there is a custom source; NULL for the default one.
///   - customBlockSource: The client's functions, or NULL.
///   - offsetToData: The offset of the data in the block.
///   - dataLength: The bytes of the data.
///   - flags: `kCMBlockBufferAssureMemoryNowFlag` to allocate the block at once.
/// - Returns: `kCMBlockBufferBadPointerParameterErr`, `kCMBlockBufferBadLengthParameterErr`,
///   `kCMBlockBufferBadOffsetParameterErr`, `kCMBlockBufferBadCustomBlockSourceErr`,
///   `kCMBlockBufferBlockAllocationFailedErr`. If the function fails, the block remains the client's.
@_cdecl("CMBlockBufferCreateWithMemoryBlock")
public func cmBlockBufferCreateWithMemoryBlock(
    _ structureAllocator: CFAllocator?, _ memoryBlock: UnsafeMutableRawPointer?, _ blockLength: Int,
    _ blockAllocator: CFAllocator?, _ customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    _ offsetToData: Int, _ dataLength: Int, _ flags: CMBlockBufferFlags,
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    unsafe makeBlockBuffer(outBuffer) { (buffer) throws(StatusError) in
        try unsafe buffer.append(
            memoryBlock, blockLength, blockAllocator, customBlockSource, offsetToData, dataLength, flags)
    }
}

/// Creates a buffer over data of another one, all of it from the offset if the length is 0.
///
/// - Returns: `kCMBlockBufferBadPointerParameterErr`, `kCMBlockBufferBadLengthParameterErr`,
///   `kCMBlockBufferBadOffsetParameterErr`, `kCMBlockBufferEmptyBBufErr`.
@_cdecl("CMBlockBufferCreateWithBufferReference")
public func cmBlockBufferCreateWithBufferReference(
    _ structureAllocator: CFAllocator?, _ reference: UnsafeRawPointer?, _ offsetToData: Int,
    _ dataLength: Int, _ flags: CMBlockBufferFlags,
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    unsafe makeBlockBuffer(outBuffer) { (buffer) throws(StatusError) in
        let other = try unsafe BlockBuffer.contents(of: reference)
        try buffer.append(other, offset: offsetToData, byteCount: dataLength, flags: flags)
    }
}

/// Creates a contiguous buffer of data of another one, all of it from the offset if the length is 0.
///
/// The buffer refers to the other one's memory if that is contiguous and `kCMBlockBufferAlwaysCopyDataFlag` is not
/// set.
///
/// - Returns: The results of ``cmBlockBufferCreateWithBufferReference(_:_:_:_:_:_:)``,
///   `kCMBlockBufferBadCustomBlockSourceErr`, `kCMBlockBufferBlockAllocationFailedErr`,
///   `kCMBlockBufferUnallocatedBlockErr` if there is nothing to copy.
@_cdecl("CMBlockBufferCreateContiguous")
public func cmBlockBufferCreateContiguous(
    _ structureAllocator: CFAllocator?, _ source: UnsafeRawPointer?, _ blockAllocator: CFAllocator?,
    _ customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, _ offsetToData: Int,
    _ dataLength: Int, _ flags: CMBlockBufferFlags,
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    unsafe makeBlockBuffer(outBuffer) { (buffer) throws(StatusError) in
        let source = try unsafe BlockBuffer.contents(of: source)
        guard source.byteCount > 0 else { throw StatusError(kCMBlockBufferEmptyBBufErr) }
        let range = try source.rangeOrRest(offsetToData, dataLength)
        let mustCopy = flags & CMBlockBufferFlags(kCMBlockBufferAlwaysCopyDataFlag) != 0
        if !mustCopy, source.pieces(in: range).count == 1 {
            try buffer.append(source, offset: range.lowerBound, byteCount: range.count, flags: flags)
        } else {
            try unsafe buffer.append(
                copyOf: source, range, allocator: blockAllocator, source: customBlockSource)
        }
    }
}

/// Appends a block of memory, as ``cmBlockBufferCreateWithMemoryBlock(_:_:_:_:_:_:_:_:_:)`` uses it.
///
/// - Returns: The results of that function, and `kCMBlockBufferInsufficientSpaceErr` for too many blocks.
@_cdecl("CMBlockBufferAppendMemoryBlock")
public func cmBlockBufferAppendMemoryBlock(
    _ buffer: UnsafeRawPointer?, _ memoryBlock: UnsafeMutableRawPointer?, _ blockLength: Int,
    _ blockAllocator: CFAllocator?, _ customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    _ offsetToData: Int, _ dataLength: Int, _ flags: CMBlockBufferFlags
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        try unsafe BlockBuffer.contents(of: buffer).append(
            memoryBlock, blockLength, blockAllocator, customBlockSource, offsetToData, dataLength, flags)
    }
}

/// Appends data of another buffer, all of it from the offset if the length is 0.
///
/// - Returns: The results of ``cmBlockBufferCreateWithBufferReference(_:_:_:_:_:_:)``, and
///   `kCMBlockBufferInsufficientSpaceErr` for too many blocks.
@_cdecl("CMBlockBufferAppendBufferReference")
public func cmBlockBufferAppendBufferReference(
    _ buffer: UnsafeRawPointer?, _ target: UnsafeRawPointer?, _ offsetToData: Int, _ dataLength: Int,
    _ flags: CMBlockBufferFlags
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let other = try unsafe BlockBuffer.contents(of: target)
        try unsafe BlockBuffer.contents(of: buffer).append(
            other, offset: offsetToData, byteCount: dataLength, flags: flags)
    }
}

/// Allocates the memory of all blocks.
///
/// - Returns: `kCMBlockBufferBadPointerParameterErr`, `kCMBlockBufferBlockAllocationFailedErr`.
@_cdecl("CMBlockBufferAssureBlockMemory")
public func cmBlockBufferAssureBlockMemory(_ buffer: UnsafeRawPointer?) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        try unsafe BlockBuffer.contents(of: buffer).allocate()
    }
}

/// Makes a buffer, fills it, and gives it to the client; NULL if it cannot be filled.
private func makeBlockBuffer(
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ fill: (BlockBuffer) throws(StatusError) -> Void
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        guard let outBuffer = unsafe outBuffer else {
            throw StatusError(kCMBlockBufferBadPointerParameterErr)
        }
        unsafe outBuffer.pointee = nil
        let buffer = BlockBuffer()
        try fill(buffer)
        try unsafe buffer.give(to: outBuffer)
    }
}

extension BlockBuffer {
    /// Appends a block as the arguments of the published functions describe it.
    @unsafe
    fileprivate func append(
        _ memory: UnsafeMutableRawPointer?, _ blockLength: Int, _ allocator: CFAllocator?,
        _ source: UnsafePointer<CMBlockBufferCustomBlockSource>?, _ offset: Int, _ byteCount: Int,
        _ flags: CMBlockBufferFlags
    ) throws(StatusError) {
        let block = try unsafe MemoryBlock(
            memory, byteCount: blockLength, source: source, allocator: allocator)
        do throws(StatusError) {
            if flags & CMBlockBufferFlags(kCMBlockBufferAssureMemoryNowFlag) != 0 { try block.allocate() }
            try append(block, offset: offset, byteCount: byteCount)
        } catch {
            if unsafe memory != nil { block.disown() }
            throw error
        }
    }

    /// Appends a copy of another buffer's bytes in one new block.
    @unsafe
    func append(
        copyOf other: BlockBuffer, _ range: Range<Int>, allocator: CFAllocator?,
        source: UnsafePointer<CMBlockBufferCustomBlockSource>? = nil
    ) throws(StatusError) {
        let block = try unsafe MemoryBlock(
            nil, byteCount: range.count, source: source, allocator: allocator)
        try block.allocate()
        try unsafe other.copy(range, to: block.start())
        try append(block, offset: 0, byteCount: range.count)
    }
}
