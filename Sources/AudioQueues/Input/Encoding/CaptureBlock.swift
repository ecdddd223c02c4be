import CoreAudioTypes
import Glibc

/// Memory that a device fills with linear PCM, for a queue that encodes or has a tap.
@safe struct CaptureBlock: @unchecked Sendable {
    // SAFETY: the pool's memory, which outlives every use: it is freed with the queue's buffers.

    let base: UnsafeMutableRawPointer
    let byteCount: Int
}

/// A block that the device has filled, for the encoder.
struct CapturedBlock {
    let block: CaptureBlock
    /// The size of its data.
    let byteCount: Int
    /// The first frame's position on the device's timeline, and its capture time.
    let frame: Int64
    let hostTime: UInt64
}

/// The position of captured frames on the device's timeline.
struct CapturedSpan {
    /// The first of them.
    var frame: Int64
    var frames: Int64
    /// The capture time of the first.
    var hostTime: UInt64
    /// The position according to a tap, if it sets one.
    var givenTime: (frame: Int64, hostTime: UInt64)?
}

/// The blocks of a queue that encodes, and their owners.
///
/// Each buffer of the client's adds a block with room for as much captured audio as it holds encoded audio: so with
/// more buffers a callback may block longer, as without an encoder. One more lets the device continue while the encoder
/// works.
struct CaptureBlocks {
    /// A block is as long as a client's buffer up to this limit: the device delivers half a second at most, and large
    /// buffers should not take memory for an hour.
    static let mostSeconds = 1.0
    /// Fewer than the capacity of a feed, so that it always accepts a free block.
    private static let mostBlocks = 250

    private var all: [CaptureBlock] = []
    private(set) var free: [CaptureBlock] = []

    /// Whether the device or the encoder has a block.
    var isInUse: Bool { free.count < all.count }

    private var inDevice = FIFO<(token: UInt64, block: CaptureBlock)>()
    private var nextToken: UInt64 = 1

    /// Ensures that there is one block more than there are buffers, with `byteCount` bytes in new ones.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory``.
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

    /// Moves a free block to the device.
    ///
    /// - Returns: The block and its token; nil if none is free.
    mutating func handOver() -> (token: UInt64, block: CaptureBlock)? {
        guard let block = free.popLast() else { return nil }
        defer { nextToken += 1 }
        inDevice.append((nextToken, block))
        return (nextToken, block)
    }

    /// Takes back the first of the device's blocks, if it was passed to it no later than `token`.
    mutating func takeBack(through token: UInt64) -> (token: UInt64, block: CaptureBlock)? {
        guard let first = inDevice.first, first.token <= token else { return nil }
        return inDevice.popFirst()
    }

    /// Releases a block that the encoder has finished, or that is empty.
    mutating func release(_ block: CaptureBlock) { free.append(block) }

    /// Frees all blocks: only when neither the device nor the encoder can access one.
    mutating func freeMemory() {
        for block in all { unsafe Glibc.free(block.base) }
        all = []
        free = []
        inDevice.removeAll()
    }
}
