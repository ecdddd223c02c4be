// SPDX-License-Identifier: MIT

import AQDevices
import Glibc

/// Decoded audio for the device: a ring of frames in one block of memory.
///
/// Chunks of the ring are passed to the device as segments, which are returned in order. A chunk is contiguous, so a
/// packet is only decoded if its largest number of frames fits. Most packets have far fewer.
@safe struct DecodedAudio: @unchecked Sendable {
    // SAFETY: a value inside the queue's lock. Only the engine's thread writes the open chunk's memory. The device
    // reads a closed chunk between its enqueueing and its event.

    /// The bit that distinguishes tokens of chunks from those of buffers.
    static let tokenBit: UInt64 = 1 << 63
    /// The largest number of chunks, below the capacity of a feed, which so always accepts one.
    private static let maximumChunks = 200

    private struct Chunk {
        let number: UInt64
        let start: Int
        let frames: Int
    }

    let aheadFrames: Int
    /// The number of frames after which a chunk is closed, even if it has room.
    let chunkFrames: Int
    /// The largest number of frames in a packet.
    let packetFrames: Int
    let bytesPerFrame: Int
    let capacityFrames: Int
    private var base: UnsafeMutableRawPointer?
    private var chunks = FIFO<Chunk>()
    private var nextNumber: UInt64 = 0
    /// The position of the open chunk or the next one in the ring, in frames.
    private var writeStart = 0
    /// The number of frames in the open chunk; 0 if none is open.
    private(set) var openFrames = 0
    /// The change at the first frame of the open chunk or the next one. Set only while none is open.
    var change: SegmentChange?
    /// The number of decoded frames in the device. A chunk counts completely until it is returned.
    private(set) var framesAhead = 0
    /// The number of all frames that the device has received.
    private(set) var totalFrames = 0

    init(aheadFrames: Int, packetFrames: Int, chunkFrames: Int, bytesPerFrame: Int) {
        self.aheadFrames = max(1, aheadFrames)
        self.packetFrames = max(1, packetFrames)
        self.chunkFrames = max(1, chunkFrames)
        self.bytesPerFrame = bytesPerFrame
        // Room for two more packets, so that one fits contiguously before or after the frames ahead.
        capacityFrames = self.aheadFrames + 2 * self.packetFrames
    }

    var isFull: Bool {
        framesAhead + openFrames >= aheadFrames || chunks.count >= DecodedAudio.maximumChunks
    }

    /// Whether the open chunk has enough frames for a segment.
    var isChunkComplete: Bool { openFrames >= chunkFrames || openFrames > 0 && roomFrames < packetFrames }

    /// The number of frames that fit contiguously after those of the open chunk.
    private var roomFrames: Int {
        let writeEnd = writeStart + openFrames
        guard let oldest = chunks.first else { return capacityFrames - writeEnd }
        return (writeEnd > oldest.start ? capacityFrames : oldest.start) - writeEnd
    }

    /// Returns room for the next packet; nil if there is none until the device returns a chunk.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory`` if the ring cannot be allocated.
    mutating func room() throws(QueueError) -> (output: UnsafeMutableRawPointer, frames: Int)? {
        if openFrames == 0, roomFrames < packetFrames {
            // The rest at the ring's end is skipped.
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

    /// Adds frames that were written to the room returned last.
    mutating func add(frames: Int) { openFrames += frames }

    /// Closes the open chunk and returns a segment for it; nil if none is open, or no segment is available.
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

    mutating func dropOpenChunk() {
        openFrames = 0
        change = nil
    }

    /// Releases a chunk that the device has returned, and all earlier chunks.
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
