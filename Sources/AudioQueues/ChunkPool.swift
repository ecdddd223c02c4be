import AudioDevices
import Glibc

/// Decoded audio on its way to the device: a fixed number of chunks in one block of memory.
@safe struct ChunkPool: @unchecked Sendable {
    // SAFETY: a value inside the queue's lock. A chunk's memory is written by the engine's thread while the
    // chunk is open, and read by the device between its enqueueing and its notice.

    /// Marks the tokens of chunks among those of buffers.
    static let tokenBit: UInt64 = 1 << 63
    /// Fewer than a feed takes, so that a chunk always finds room there.
    private static let maximumChunks = 200

    let framesPerChunk: Int
    let bytesPerFrame: Int
    let count: Int
    private var base: UnsafeMutableRawPointer?
    private var free: [Int]
    private var frames: [Int]
    /// The chunk that is being filled.
    private(set) var open: Int?
    private(set) var openFrames = 0
    /// Decoded frames that the device was given and has not taken.
    private(set) var framesAhead = 0

    /// - Parameters:
    ///   - aheadFrames: How far to decode ahead of the device.
    ///   - packetFrames: The most frames of one packet. Two packets fit at least.
    init(aheadFrames: Int, packetFrames: Int, preferredChunkFrames: Int, bytesPerFrame: Int) {
        framesPerChunk = max(1, packetFrames, preferredChunkFrames)
        count = min(ChunkPool.maximumChunks, max(2, (aheadFrames + framesPerChunk - 1) / framesPerChunk))
        self.bytesPerFrame = bytesPerFrame
        free = Array(0..<count)
        frames = [Int](repeating: 0, count: count)
    }

    /// The memory of the open chunk, opening one if there is one to open.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory``.
    mutating func openChunk() throws(QueueError) -> UnsafeMutableRawPointer? {
        if unsafe base == nil {
            unsafe base = malloc(count * framesPerChunk * bytesPerFrame)
        }
        guard let base = unsafe base else {
            throw QueueError(
                .outOfMemory,
                "cannot allocate \(count * framesPerChunk * bytesPerFrame) bytes to decode ahead")
        }
        if open == nil {
            open = free.popLast()
            openFrames = 0
        }
        guard let open else { return nil }
        return unsafe base + (open * framesPerChunk + openFrames) * bytesPerFrame
    }

    var roomInOpenChunk: Int { framesPerChunk - openFrames }
    var isExhausted: Bool { free.isEmpty }

    mutating func addFrames(_ added: Int) { openFrames += added }

    /// Closes the open chunk, as a segment for the device; nil when there is nothing in it.
    mutating func closeChunk() -> PlaybackSegment? {
        guard let index = open, let base = unsafe base else { return nil }
        open = nil
        guard openFrames > 0 else {
            free.append(index)
            return nil
        }
        frames[index] = openFrames
        framesAhead += openFrames
        return unsafe PlaybackSegment(
            base: UnsafeRawPointer(base + index * framesPerChunk * bytesPerFrame),
            byteCount: openFrames * bytesPerFrame, token: ChunkPool.tokenBit | UInt64(index))
    }

    /// Forgets what is in the open chunk.
    mutating func dropOpenChunk() {
        if let open { free.append(open) }
        open = nil
        openFrames = 0
    }

    /// The device is done with a chunk.
    mutating func release(token: UInt64) {
        let index = Int(token & ~ChunkPool.tokenBit)
        guard frames.indices.contains(index), frames[index] > 0 else { return }
        framesAhead -= frames[index]
        frames[index] = 0
        free.append(index)
    }

    mutating func freeMemory() {
        unsafe Glibc.free(base)
        unsafe base = nil
    }
}
