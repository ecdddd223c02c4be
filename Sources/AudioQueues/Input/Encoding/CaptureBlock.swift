import CoreAudioTypes
import Glibc

/// Memory that the device of a queue that encodes, or has a tap, fills with linear PCM.
@safe struct CaptureBlock: @unchecked Sendable {
    // SAFETY: the pool's memory, which outlives every use: it is freed with the queue's buffers.

    let base: UnsafeMutableRawPointer
    let byteCount: Int
}

/// A block on its way from the device to the encoder.
struct CapturedBlock {
    let block: CaptureBlock
    /// What of it was filled.
    let byteCount: Int
    /// The first frame's place on the device's timeline, and when it was captured.
    let frame: Int64
    let hostTime: UInt64
}

/// Where captured frames are on the device's timeline.
struct CapturedSpan {
    /// The first of them.
    var frame: Int64
    var frames: Int64
    /// When the first was captured.
    var hostTime: UInt64
    /// Where a tap says that they are, if it says so.
    var givenTime: (frame: Int64, hostTime: UInt64)?
}

/// The blocks of a queue that encodes: where each is.
///
/// They grow with the client's buffers, each of which brings as much room for captured sound as it takes
/// encoded sound: so the more buffers there are, the longer a callback may block, as without an encoder. One
/// more is there for the device to fill while the encoder works.
struct CaptureBlocks {
    /// A block is a client's buffer long, but no longer than this: the device hands over half a second at most,
    /// and one that is given large buffers is not to take memory for an hour.
    static let mostSeconds = 1.0
    /// Fewer than a feed takes, so that a free block always finds room there.
    private static let mostBlocks = 250

    private var all: [CaptureBlock] = []
    private(set) var free: [CaptureBlock] = []

    /// Whether the device or the encoder has a block.
    var isInUse: Bool { free.count < all.count }

    private var inDevice = FIFO<(token: UInt64, block: CaptureBlock)>()
    private var nextToken: UInt64 = 1

    /// Sees to it that there is a block more than there are buffers, of which the latest holds `byteCount` bytes
    /// of captured sound.
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
    /// - Returns: What names it there; nil when none is free.
    mutating func handOver() -> (token: UInt64, block: CaptureBlock)? {
        guard let block = free.popLast() else { return nil }
        defer { nextToken += 1 }
        inDevice.append((nextToken, block))
        return (nextToken, block)
    }

    /// Takes back a block, the first of those at the device, if it was handed over no later than `token`.
    mutating func takeBack(through token: UInt64) -> (token: UInt64, block: CaptureBlock)? {
        guard let first = inDevice.first, first.token <= token else { return nil }
        return inDevice.popFirst()
    }

    /// The encoder is done with a block, or nothing was in it.
    mutating func release(_ block: CaptureBlock) { free.append(block) }

    /// Frees all, wherever they are: only when neither the device nor the encoder can touch one.
    mutating func freeMemory() {
        for block in all { unsafe Glibc.free(block.base) }
        all = []
        free = []
        inDevice.removeAll()
    }
}
