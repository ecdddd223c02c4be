// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CAQCoreMedia
import CoreFoundation

/// A block of memory: the client's, or allocated when it is needed. It is freed with the last buffer that uses it.
@safe final class MemoryBlock {
    // SAFETY: the client guarantees its memory and functions until the block is freed.
    private var memory: UnsafeMutableRawPointer?
    let byteCount: Int
    private let source: CMBlockBufferCustomBlockSource?
    private let allocator: CFAllocator?

    /// - Parameters:
    ///   - memory: The client's block, or nil.
    ///   - source: The client's functions; nil if the allocator allocates and frees the block.
    /// - Throws: `kCMBlockBufferBadLengthParameterErr` for a block without bytes,
    ///   `kCMBlockBufferBadCustomBlockSourceErr` for another version, and for a source that cannot allocate a block
    ///   that the client does not provide.
    init(
        _ memory: UnsafeMutableRawPointer?, byteCount: Int,
        source: UnsafePointer<CMBlockBufferCustomBlockSource>?, allocator: CFAllocator?
    ) throws(StatusError) {
        // A size of more than half the address space is negative in Swift.
        guard byteCount > 0 else { throw StatusError(kCMBlockBufferBadLengthParameterErr) }
        if let source = unsafe source?.pointee {
            guard unsafe source.version == kCMBlockBufferCustomBlockSourceVersion,
                unsafe memory != nil || source.AllocateBlock != nil
            else { throw StatusError(kCMBlockBufferBadCustomBlockSourceErr) }
        }
        unsafe self.memory = memory
        self.byteCount = byteCount
        unsafe self.source = source?.pointee
        self.allocator = allocator
    }

    deinit {
        guard let memory = unsafe memory else { return }
        if let source = unsafe source {
            unsafe source.FreeBlock?(source.refCon, memory, byteCount)
        } else {
            unsafe CFAllocatorDeallocate(allocator, memory)
        }
    }

    /// Allocates the memory unless it exists.
    ///
    /// - Throws: `kCMBlockBufferBlockAllocationFailedErr`.
    func allocate() throws(StatusError) {
        guard unsafe memory == nil else { return }
        if let source = unsafe source {
            unsafe memory = source.AllocateBlock?(source.refCon, byteCount)
        } else {
            unsafe memory = CFAllocatorAllocate(allocator, byteCount, 0)
        }
        guard unsafe memory != nil else { throw StatusError(kCMBlockBufferBlockAllocationFailedErr) }
    }

    /// Leaves the memory to the client, which has to free it.
    func disown() { unsafe memory = nil }

    /// The first byte.
    ///
    /// - Throws: `kCMBlockBufferUnallocatedBlockErr`.
    @unsafe
    func start() throws(StatusError) -> UnsafeMutableRawPointer {
        guard let memory = unsafe memory else { throw StatusError(kCMBlockBufferUnallocatedBlockErr) }
        return unsafe memory
    }
}
