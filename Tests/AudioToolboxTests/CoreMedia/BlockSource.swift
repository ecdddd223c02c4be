// SPDX-License-Identifier: MIT

import CoreMedia

/// A custom source of blocks, which counts what it allocates and frees.
final class BlockSource {
    private(set) var allocated = 0
    private(set) var freed = 0
    /// The sizes of freed blocks.
    private(set) var freedBytes: [Int] = []
    var isFailing = false

    /// The functions. The source must exist until they are no longer called.
    var functions: CMBlockBufferCustomBlockSource {
        unsafe CMBlockBufferCustomBlockSource(
            version: kCMBlockBufferCustomBlockSourceVersion,
            AllocateBlock: { source, bytes in
                guard let source = unsafe source else { return nil }
                return unsafe BlockSource.source(source).allocate(bytes)
            },
            FreeBlock: { source, block, bytes in
                guard let source = unsafe source else { return }
                unsafe BlockSource.source(source).free(block, bytes)
            },
            refCon: Unmanaged.passUnretained(self).toOpaque())
    }

    private static func source(_ pointer: UnsafeMutableRawPointer) -> BlockSource {
        unsafe Unmanaged.fromOpaque(pointer).takeUnretainedValue()
    }

    private func allocate(_ bytes: Int) -> UnsafeMutableRawPointer? {
        if isFailing { return nil }
        allocated += 1
        // Its blocks keep it.
        _ = unsafe Unmanaged.passRetained(self)
        return .allocate(byteCount: bytes, alignment: 16)
    }

    private func free(_ block: UnsafeMutableRawPointer, _ bytes: Int) {
        freed += 1
        freedBytes.append(bytes)
        unsafe block.deallocate()
        unsafe Unmanaged.passUnretained(self).release()
    }
}

extension CMBlockBuffer {
    /// Makes a buffer with its own copy of bytes, in blocks of these sizes.
    static func make(_ bytes: [UInt8], blocks: [Int]? = nil) -> CMBlockBuffer? {
        var buffer: CMBlockBuffer?
        guard
            unsafe CMBlockBufferCreateEmpty(
                allocator: nil, capacity: 0, flags: 0, blockBufferOut: &buffer) == noErr, let buffer
        else { return nil }
        for length in blocks ?? [bytes.count] {
            guard
                CMBlockBufferAppendMemoryBlock(
                    buffer, memoryBlock: nil, length: length, blockAllocator: nil, customBlockSource: nil,
                    offsetToData: 0, dataLength: length, flags: kCMBlockBufferAssureMemoryNowFlag) == noErr
            else { return nil }
        }
        return unsafe CMBlockBufferReplaceDataBytes(
            with: bytes, blockBuffer: buffer, offsetIntoDestination: 0, dataLength: bytes.count) == noErr
            ? buffer : nil
    }

    /// All bytes.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: CMBlockBufferGetDataLength(self))
        let status = unsafe CMBlockBufferCopyDataBytes(
            self, atOffset: 0, dataLength: bytes.count, destination: &bytes)
        return status == noErr ? bytes : []
    }
}
