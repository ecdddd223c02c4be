// SPDX-License-Identifier: MIT

/// The write position in the server's stream, and the mapping to the renderer's frames.
///
/// Frames have two numbers. *Source* frames are counted by the renderer, from the first enqueued frame. *Device* frames
/// are counted from the start of the current server stream. Their difference, ``offset``, changes only when all written
/// audio has played, so one number is enough.
@safe struct PlaybackWriter {
    // SAFETY: the stream that owns this keeps the renderer.
    private let bytesPerFrame: Int
    private let renderer: Unmanaged<Renderer>

    /// The end of the written audio, in device frames.
    private(set) var end: Int64 = 0
    /// The number of a source frame, less the number of the same frame as a device frame.
    private(set) var offset: Int64 = 0
    /// The device frame of the next write; -1 to append.
    private var seekFrame: Int64 = -1
    /// The number of frames that may be written beyond the server's request, because they replace others.
    private var replacedFrames = 0
    /// Whether audio was written since the last start or flush. If not, an empty buffer is no underrun.
    private(set) var hasPlayed = false
    /// The device frame where that audio began.
    private(set) var firstFrame: Int64 = 0

    init(bytesPerFrame: Int, renderer: Unmanaged<Renderer>) {
        self.bytesPerFrame = bytesPerFrame
        unsafe self.renderer = renderer
    }

    /// Restarts for a new or empty server stream: the next write is at this device frame.
    mutating func restart(at frame: Int64) {
        end = frame
        seekFrame = -1
        replacedFrames = 0
    }

    // MARK: REAL-TIME from here on

    /// Maps the renderer's next frame to a device frame. All written audio must have played.
    @_noLocks mutating func align(_ cursor: Int64, to frame: Int64) { offset = cursor &- frame }

    /// Moves the next write to a device frame.
    @_noLocks mutating func seek(to frame: Int64) { seekFrame = frame }

    /// Makes the next write replace the written audio from a device frame on.
    @_noLocks mutating func replace(from frame: Int64, upTo written: Int64) {
        replacedFrames = Int(written &- frame)
        seekFrame = replacedFrames == 0 ? -1 : frame
    }

    /// Cancels ``replace(from:upTo:)``; returns whether nothing was written since.
    @_noLocks mutating func cancelReplacing() -> Bool {
        if seekFrame < 0 { return false }
        seekFrame = -1
        return true
    }

    /// The number of frames to write: those that the server requests, and those that replace others.
    @_noLocks mutating func takeAsked(_ writableFrames: Int) -> Int {
        let asked = writableFrames &+ replacedFrames
        replacedFrames = 0
        return asked
    }

    /// Records that audio begins at a device frame.
    @_noLocks mutating func beginAudio(at frame: Int64) {
        hasPlayed = true
        firstFrame = frame
    }

    /// Sets ``hasPlayed``.
    ///
    /// - Parameter hasPlayed: False at a start, and when all segments are dropped. If frames written for a start time
    ///   are cancelled, the value before these frames.
    @_noLocks mutating func resetAudio(hasPlayed: Bool) { self.hasPlayed = hasPlayed }

    /// Renders up to `frames` frames, or silence, into the server's memory and returns their number.
    @_noLocks @discardableResult
    mutating func write(frames: Int, isSilence: Bool = false, to stream: PulseStreamCalls) -> Int {
        var done = 0
        while done < frames {
            guard let memory = unsafe stream.beginWrite(bytes: (frames &- done) &* bytesPerFrame)
            else { break }
            let room = unsafe min(memory.bytes / bytesPerFrame, frames &- done)
            let rendered = unsafe renderer._withUnsafeGuaranteedRef {
                if !isSilence { return unsafe $0.render(into: memory.start, frames: room) }
                unsafe $0.writeSilence(to: memory.start, frames: room)
                return room
            }
            if rendered == 0 {
                stream.cancelWrite()
                break
            }
            if unsafe !commit(memory.start, frames: rendered, to: stream) { break }
            done &+= rendered
        }
        return done
    }

    /// Sends filled memory.
    @_noLocks private mutating func commit(
        _ start: UnsafeMutableRawPointer, frames: Int, to stream: PulseStreamCalls
    ) -> Bool {
        var bytes: Int64 = -1
        if seekFrame >= 0 {
            end = seekFrame
            bytes = seekFrame &* Int64(bytesPerFrame)
            seekFrame = -1
        }
        if unsafe !stream.write(start, bytes: frames &* bytesPerFrame, at: bytes) { return false }
        end &+= Int64(frames)
        return true
    }
}
