// SPDX-License-Identifier: MIT

import CAQRealTime

/// A content's frames in a stream's encoding, generated in chunks.
///
/// Used by one thread.
@safe final class ContentGenerator {
    // SAFETY: the memory lives as long as the generator, and its pointers are used only before the next call.

    /// The size of a chunk, which fits into the processor's cache together with the segment it is copied to.
    private static let chunkBytes = 64 * 1024
    /// The frames generated at a time.
    let chunkFrames: Int
    private let content: any CaptureContent
    private let format: SampleFormat
    private let memory: UnsafeMutableRawPointer
    private let samples: UnsafeMutableBufferPointer<Int32>
    /// The frames in `memory`.
    private var made: Range<Int64> = 0..<0

    init(_ content: any CaptureContent, format: SampleFormat) {
        self.content = content
        self.format = format
        let channels = max(1, format.channels)
        chunkFrames = max(1, ContentGenerator.chunkBytes / (4 * channels))
        unsafe memory = .allocate(byteCount: chunkFrames * channels * 4, alignment: 64)
        unsafe samples = UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: Int32.self, capacity: chunkFrames * channels),
            count: chunkFrames * channels)
        unsafe samples.initialize(repeating: 0)
    }

    deinit { unsafe memory.deallocate() }

    /// The `frames` frames from `fromFrame` on, at most ``chunkFrames``.
    func data(fromFrame: Int64, frames: Int) -> UnsafeRawPointer {
        make(fromFrame: fromFrame, frames: min(frames, chunkFrames))
        return unsafe UnsafeRawPointer(memory)
    }

    /// Frames from `fromFrame`: the rest of the last chunk, or a new chunk.
    func available(fromFrame: Int64) -> (data: UnsafeRawPointer, frames: Int) {
        if !made.contains(fromFrame) { make(fromFrame: fromFrame, frames: chunkFrames) }
        let offset = Int(fromFrame - made.lowerBound)
        return unsafe (UnsafeRawPointer(memory + offset * format.bytesPerFrame), made.count - offset)
    }

    private func make(fromFrame: Int64, frames: Int) {
        let room = unsafe UnsafeMutableBufferPointer(rebasing: samples[..<(frames * format.channels)])
        let answered = unsafe content.write(
            room, fromFrame: fromFrame, sampleRate: format.sampleRate, channels: format.channels)
        let written = max(0, min(answered, frames)) * format.channels
        unsafe aq_zero(memory + written * 4, (room.count - written) * 4)
        unsafe SampleEncoder.encode(memory, samples: room.count, as: format.encoding)
        made = fromFrame..<(fromFrame + Int64(frames))
    }
}
