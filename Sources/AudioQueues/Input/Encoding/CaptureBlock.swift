// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc

/// Memory that a device fills with linear PCM, for a queue that encodes or has a tap.
@safe struct CaptureBlock: @unchecked Sendable {
    // SAFETY: the memory outlives every use, because it is freed with the queue's buffers.

    let base: UnsafeMutableRawPointer
    let byteCount: Int
}

/// A block that the device has filled with audio to encode.
struct CapturedBlock {
    let block: CaptureBlock
    /// The size of the block's data, in bytes.
    let byteCount: Int
    /// The position of the first frame on the device's timeline.
    let frame: Int64
    /// The capture time of the first frame, in nanoseconds.
    let hostTime: UInt64
}

/// The position of captured frames on the device's timeline.
struct CapturedSpan {
    var frame: Int64
    var frames: Int64
    /// The capture time of the first frame, in nanoseconds.
    var hostTime: UInt64
    /// The position according to a tap, if it sets one.
    var givenTime: (frame: Int64, hostTime: UInt64)?
}

/// The blocks of a queue that encodes, and their owners.
///
/// Each buffer of the client adds a block, with room for as much captured audio as the buffer holds encoded audio. So
/// with more buffers a callback may block longer, as without an encoder. One additional block allows the device to
/// continue while the encoder works.
struct CaptureBlocks {
    /// The longest duration of a block, in seconds, whatever the size of the client's buffers: the device delivers
    /// half a second at most.
    static let mostSeconds = 1.0
    /// The largest number of blocks, below the capacity of a feed, which so always accepts one.
    private static let mostBlocks = 250

    private var all: [CaptureBlock] = []
    private(set) var free: [CaptureBlock] = []

    /// Whether the device or the encoder has a block.
    var isInUse: Bool { free.count < all.count }

    private var inDevice = FIFO<(token: UInt64, block: CaptureBlock)>()
    private var nextToken: UInt64 = 1

    /// Ensures that there is one block more than buffers, with `byteCount` bytes in each new block.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory`` if a block cannot be allocated.
    mutating func reserve(forBuffers buffers: Int, byteCount: Int) throws(QueueError) {
        while all.count < min(buffers + 1, CaptureBlocks.mostBlocks) {
            guard let base = unsafe calloc(1, byteCount) else {
                throw QueueError(.outOfMemory, "cannot allocate \(byteCount) bytes to capture into")
            }
            let block = unsafe CaptureBlock(base: base, byteCount: byteCount)
            all.append(block)
            free.append(block)
        }
    }

    /// Passes a free block to the device.
    ///
    /// - Returns: The block and its token; nil if none is free.
    mutating func handOver() -> (token: UInt64, block: CaptureBlock)? {
        guard let block = free.popLast() else { return nil }
        defer { nextToken += 1 }
        inDevice.append((nextToken, block))
        return (nextToken, block)
    }

    /// Takes back the first of the device's blocks, if its token is at most `token`.
    mutating func takeBack(through token: UInt64) -> (token: UInt64, block: CaptureBlock)? {
        guard let first = inDevice.first, first.token <= token else { return nil }
        return inDevice.popFirst()
    }

    /// Releases a block that the encoder has finished, or that holds no audio.
    mutating func release(_ block: CaptureBlock) { free.append(block) }

    /// Frees all blocks. Allowed only if neither the device nor the encoder can access a block.
    mutating func freeMemory() {
        for block in all { unsafe Glibc.free(block.base) }
        all = []
        free = []
        inDevice.removeAll()
    }
}
