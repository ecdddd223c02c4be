/// Where a playback stream writes in the server's stream, and which of the renderer's frames are there.
///
/// Frames are counted in two ways. *Source* frames are the renderer's: what was enqueued, from the first on. *Device*
/// frames count what was written into the present server stream. Their difference, ``offset``, changes only when
/// nothing written remains to be heard, so that one number maps all.
@safe struct PlaybackWriter {
    // SAFETY: the stream that owns this holds the renderer.
    private let bytesPerFrame: Int
    private let renderer: Unmanaged<Renderer>

    /// The end of what was written, in device frames.
    private(set) var end: Int64 = 0
    /// What a source frame's number is more than the device frame's.
    private(set) var offset: Int64 = 0
    /// Where the next write goes when not to the end, in device frames; -1 for the end.
    private var seekFrame: Int64 = -1
    /// Frames that may be written beyond what the server asked for: they replace others.
    private var replacedFrames = 0
    /// Whether audio was written since the last start or flush: without it, dry is not an underrun.
    private(set) var hasPlayed = false
    /// The device frame at which that audio began.
    private(set) var firstFrame: Int64 = 0

    init(bytesPerFrame: Int, renderer: Unmanaged<Renderer>) {
        self.bytesPerFrame = bytesPerFrame
        unsafe self.renderer = renderer
    }

    /// The server's stream is new, or empty: what is written next is this device frame.
    mutating func restart(at frame: Int64) {
        end = frame
        seekFrame = -1
        replacedFrames = 0
    }

    // MARK: REAL-TIME from here on

    /// Has the renderer's next frame be a device frame. Nothing that was written may remain to be heard.
    @_noLocks mutating func align(_ cursor: Int64, to frame: Int64) { offset = cursor &- frame }

    /// Has the next write go to a device frame.
    @_noLocks mutating func seek(to frame: Int64) { seekFrame = frame }

    /// Has the next write go over what was written from a device frame on.
    @_noLocks mutating func replace(from frame: Int64, upTo written: Int64) {
        replacedFrames = Int(written &- frame)
        seekFrame = replacedFrames == 0 ? -1 : frame
    }

    /// Takes back what ``replace(from:upTo:)`` asked for; whether nothing was written since.
    @_noLocks mutating func cancelReplacing() -> Bool {
        if seekFrame < 0 { return false }
        seekFrame = -1
        return true
    }

    /// How much is to be written of what the server asks for and what replaces other frames.
    @_noLocks mutating func takeAsked(_ writableFrames: Int) -> Int {
        let asked = writableFrames &+ replacedFrames
        replacedFrames = 0
        return asked
    }

    /// Audio was written from a device frame on, unless it was before.
    @_noLocks mutating func beginAudio(at frame: Int64) {
        hasPlayed = true
        firstFrame = frame
    }

    /// - Parameter hasPlayed: False for a new timeline, or what held before frames that were taken back.
    @_noLocks mutating func resetAudio(hasPlayed: Bool) { self.hasPlayed = hasPlayed }

    /// Renders up to `frames` frames into the server's memory and returns how many there were.
    @_noLocks mutating func write(frames: Int, to stream: PulseStreamCalls) -> Int {
        var done = 0
        while done < frames {
            guard let memory = stream.beginWrite(bytes: (frames &- done) &* bytesPerFrame) else { break }
            let room = min(memory.bytes / bytesPerFrame, frames &- done)
            let rendered = unsafe renderer._withUnsafeGuaranteedRef {
                unsafe $0.render(into: memory.start, frames: room)
            }
            if rendered == 0 {
                stream.cancelWrite()
                break
            }
            if !commit(memory, frames: rendered, to: stream) { break }
            done &+= rendered
        }
        return done
    }

    /// Writes silence.
    @_noLocks mutating func writeSilence(frames: Int, to stream: PulseStreamCalls) {
        var done = 0
        while done < frames {
            guard let memory = stream.beginWrite(bytes: (frames &- done) &* bytesPerFrame) else { break }
            let room = min(memory.bytes / bytesPerFrame, frames &- done)
            unsafe renderer._withUnsafeGuaranteedRef {
                unsafe $0.writeSilence(to: memory.start, frames: room)
            }
            if room == 0 { break }
            if !commit(memory, frames: room, to: stream) { break }
            done &+= room
        }
    }

    /// Sends memory that was filled.
    @_noLocks private mutating func commit(
        _ memory: PulseStreamCalls.Memory, frames: Int, to stream: PulseStreamCalls
    ) -> Bool {
        var bytes: Int64 = -1
        if seekFrame >= 0 {
            end = seekFrame
            bytes = seekFrame &* Int64(bytesPerFrame)
            seekFrame = -1
        }
        if !stream.write(memory, bytes: frames &* bytesPerFrame, at: bytes) { return false }
        end &+= Int64(frames)
        return true
    }
}
