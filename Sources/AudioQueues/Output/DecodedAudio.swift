import AudioDevices
import Glibc

/// Decoded audio for the device: a ring of frames in one block of memory.
///
/// Chunks of it are passed to the device as segments and are returned in order. A chunk is contiguous, so a packet is
/// only decoded if the most frames that it can give fit; most packets give far fewer.
@safe struct DecodedAudio: @unchecked Sendable {
    // SAFETY: a value inside the queue's lock. Only the engine's thread writes the open chunk's memory, and the device
    // reads a closed one's between its enqueueing and its event.

    /// Distinguishes the tokens of chunks from those of buffers.
    static let tokenBit: UInt64 = 1 << 63
    /// Fewer than the capacity of a feed, so that it always accepts a chunk.
    private static let maximumChunks = 200

    private struct Chunk {
        let number: UInt64
        let start: Int
        let frames: Int
    }

    /// The frames to decode ahead of the device.
    let aheadFrames: Int
    /// The frames after which a chunk is closed, even if more would fit.
    let chunkFrames: Int
    /// The most frames of one packet.
    let packetFrames: Int
    let bytesPerFrame: Int
    let capacityFrames: Int
    private var base: UnsafeMutableRawPointer?
    private var chunks = FIFO<Chunk>()
    private var nextNumber: UInt64 = 0
    /// The start of the open chunk, or of the next.
    private var writeStart = 0
    /// Frames in the open chunk; 0 if none is open.
    private(set) var openFrames = 0
    /// The change at the first frame of the open chunk, or of the next; set while none is open.
    var change: SegmentChange?
    /// Decoded frames in the device; a chunk's count until it is returned as a whole.
    private(set) var framesAhead = 0
    /// All frames that the device has received.
    private(set) var totalFrames = 0

    init(aheadFrames: Int, packetFrames: Int, chunkFrames: Int, bytesPerFrame: Int) {
        self.aheadFrames = max(1, aheadFrames)
        self.packetFrames = max(1, packetFrames)
        self.chunkFrames = max(1, chunkFrames)
        self.bytesPerFrame = bytesPerFrame
        // Two packets more, so that one fits contiguously before or after the frames ahead.
        capacityFrames = self.aheadFrames + 2 * self.packetFrames
    }

    /// Whether enough is decoded for now.
    var isFull: Bool {
        framesAhead + openFrames >= aheadFrames || chunks.count >= DecodedAudio.maximumChunks
    }

    /// Whether the open chunk has enough frames for a segment.
    var isChunkComplete: Bool { openFrames >= chunkFrames || openFrames > 0 && roomFrames < packetFrames }

    /// Frames that fit contiguously after those of the open chunk.
    private var roomFrames: Int {
        let writeEnd = writeStart + openFrames
        guard let oldest = chunks.first else { return capacityFrames - writeEnd }
        return (writeEnd > oldest.start ? capacityFrames : oldest.start) - writeEnd
    }

    /// Room for the next packet; nil if there is none until the device returns a chunk.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory``.
    mutating func room() throws(QueueError) -> (output: UnsafeMutableRawPointer, frames: Int)? {
        if openFrames == 0, roomFrames < packetFrames {
            // The rest at the end is skipped.
            guard let oldest = chunks.first else {
                writeStart = 0
                return try unsafe room()
            }
            guard writeStart > oldest.start, oldest.start >= packetFrames else { return nil }
            writeStart = 0
        }
        guard roomFrames >= packetFrames else { return nil }
        if unsafe base == nil { unsafe base = malloc(capacityFrames * bytesPerFrame) }
        guard let base = unsafe base else {
            throw QueueError(
                .outOfMemory, "cannot allocate \(capacityFrames * bytesPerFrame) bytes to decode ahead")
        }
        return unsafe (
            base + (writeStart + openFrames) * bytesPerFrame,
            min(roomFrames, max(packetFrames, chunkFrames - openFrames))
        )
    }

    /// Adds frames that were written to the room last returned.
    mutating func add(frames: Int) { openFrames += frames }

    /// Closes the open chunk and makes a segment of it; nil if none is open, or no segment is available.
    mutating func closeChunk() -> StreamSegment? {
        guard openFrames > 0, chunks.count < DecodedAudio.maximumChunks, let base = unsafe base else {
            return nil
        }
        let chunk = Chunk(number: nextNumber, start: writeStart, frames: openFrames)
        nextNumber += 1
        chunks.append(chunk)
        framesAhead += chunk.frames
        totalFrames += chunk.frames
        writeStart += chunk.frames
        openFrames = 0
        var segment = unsafe StreamSegment(
            base: UnsafeRawPointer(base + chunk.start * bytesPerFrame),
            byteCount: chunk.frames * bytesPerFrame, token: DecodedAudio.tokenBit | chunk.number)
        segment.change = change
        change = nil
        return segment
    }

    /// Discards the open chunk.
    mutating func dropOpenChunk() {
        openFrames = 0
        change = nil
    }

    /// Releases a chunk that the device has returned, and those before it.
    mutating func release(token: UInt64) {
        while let chunk = chunks.first, chunk.number <= token & ~DecodedAudio.tokenBit {
            _ = chunks.popFirst()
            framesAhead -= chunk.frames
        }
    }

    mutating func freeMemory() {
        unsafe Glibc.free(base)
        unsafe base = nil
    }
}
