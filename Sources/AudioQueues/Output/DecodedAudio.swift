import AudioDevices
import Glibc

/// Decoded audio on its way to the device: a ring of frames in one block of memory.
///
/// Chunks of it go to the device as segments and come back in order. A chunk lies in one piece, so a packet
/// is only decoded where the most frames that it can yield fit; most packets yield far fewer.
@safe struct DecodedAudio: @unchecked Sendable {
    // SAFETY: a value inside the queue's lock. The open chunk's memory is written by the engine's thread only,
    // and a closed one's is read by the device between its enqueueing and its notice.

    /// Marks the tokens of chunks among those of buffers.
    static let tokenBit: UInt64 = 1 << 63
    /// Fewer than a feed takes, so that a chunk always finds room there.
    private static let maximumChunks = 200

    private struct Chunk {
        let number: UInt64
        let start: Int
        let frames: Int
    }

    /// How far to decode ahead of the device, in frames.
    let aheadFrames: Int
    /// Where a chunk is closed though more could be added, in frames.
    let chunkFrames: Int
    /// The most frames of one packet.
    let packetFrames: Int
    let bytesPerFrame: Int
    let capacityFrames: Int
    private var base: UnsafeMutableRawPointer?
    private var chunks = FIFO<Chunk>()
    private var nextNumber: UInt64 = 0
    /// Where the open chunk begins, or the next will.
    private var writeStart = 0
    /// Frames in the open chunk; 0 when none is open.
    private(set) var openFrames = 0
    /// What changes at the first frame of the open chunk, or of the next; set while none is open.
    var change: SegmentChange?
    /// Decoded frames that the device was given, until it is done with the whole chunk.
    private(set) var framesAhead = 0
    /// Frames that the device was ever given.
    private(set) var totalFrames = 0

    init(aheadFrames: Int, packetFrames: Int, chunkFrames: Int, bytesPerFrame: Int) {
        self.aheadFrames = max(1, aheadFrames)
        self.packetFrames = max(1, packetFrames)
        self.chunkFrames = max(1, chunkFrames)
        self.bytesPerFrame = bytesPerFrame
        // Two packets more, so that one fits in one piece before or behind what is ahead.
        capacityFrames = self.aheadFrames + 2 * self.packetFrames
    }

    /// Whether enough is decoded for now.
    var isFull: Bool {
        framesAhead + openFrames >= aheadFrames || chunks.count >= DecodedAudio.maximumChunks
    }

    /// Whether the open chunk has what a segment needs.
    var isChunkComplete: Bool { openFrames >= chunkFrames || openFrames > 0 && roomFrames < packetFrames }

    /// Frames that fit in one piece behind those of the open chunk.
    private var roomFrames: Int {
        let writeEnd = writeStart + openFrames
        guard let oldest = chunks.first else { return capacityFrames - writeEnd }
        return (writeEnd > oldest.start ? capacityFrames : oldest.start) - writeEnd
    }

    /// Room for the next packet; nil when there is none until the device returns a chunk.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory``.
    mutating func room() throws(QueueError) -> (output: UnsafeMutableRawPointer, frames: Int)? {
        if openFrames == 0, roomFrames < packetFrames {
            // What is left at the end is skipped.
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

    /// Adds frames that were written to the room last given out.
    mutating func add(frames: Int) { openFrames += frames }

    /// Closes the open chunk and makes a segment of it; nil when there is none, or no segment to be had.
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

    /// Forgets what is in the open chunk.
    mutating func dropOpenChunk() {
        openFrames = 0
        change = nil
    }

    /// The device is done with a chunk, and so with those before it.
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
