// SPDX-License-Identifier: MIT

/// Converts a feed's segments to the frames that a device requests: the audio path, common to all devices.
///
/// Belongs to the device's thread. Frames are numbered from the first frame ever taken from the feed; ``cursor`` is the
/// next frame to render. After ``rewind(to:)``, the cursor is behind the newest frame taken. Frames then come from the
/// history until the cursor has caught up.
@safe final class Renderer: @unchecked Sendable {
    // SAFETY: one thread at a time uses a renderer: its device's thread, or the holder of its stream's lock.

    let feed: StreamFeed
    let meter: LevelMeter
    let published = PublishedParameters()
    let layout: FrameLayout
    // REAL-TIME: loading a reference from a field retains it in debug builds; an unmanaged one is not retained.
    private let feedReference: Unmanaged<StreamFeed>
    private let meterReference: Unmanaged<LevelMeter>
    let publishedReference: Unmanaged<PublishedParameters>
    private let sampleRate: Double

    private var history: PlaybackHistory
    private var segment = unsafe StreamSegment(base: nil, byteCount: 0, token: 0)
    private var segmentOffset = 0
    private var holdsSegment = false
    /// Whether a segment is returned when its frames are used up, not when they are rendered.
    private let keepsSegments: Bool
    private var written = WrittenSegments()
    /// The code that renders slices when there are no segments; nil if the client enqueues all audio.
    private let slices: SliceSource?
    private let slicesReference: Unmanaged<SliceSource>?
    /// Whether the current segment is a slice, whose end is not reported.
    private var isSlice = false

    /// The next frame to render.
    private(set) var cursor: Int64 = 0
    /// The client's volume.
    var volume = ParameterTrack(1)
    /// The gain of the audio itself, which only segments change.
    private var sourceGain = ParameterTrack(1)
    /// The client's pan, -1 to 1. Affects stereo only.
    var pan = ParameterTrack(0)
    /// The fades around a pause, a stop or a flush.
    var fade = GainRamp()

    /// - Parameters:
    ///   - keepsSegments: Whether rendered segments are returned only by ``returnSegments(usedUpTo:)``.
    ///   - slices: The code that renders audio when it is requested.
    init(
        format: SampleFormat, feed: StreamFeed, historyFrames: Int, keepsSegments: Bool = false,
        slices: SliceSource? = nil
    ) {
        self.feed = feed
        self.keepsSegments = keepsSegments
        self.slices = slices
        unsafe slicesReference = slices.map { unsafe .passUnretained($0) }
        layout = FrameLayout(format)
        sampleRate = format.sampleRate
        history = PlaybackHistory(capacityFrames: historyFrames, bytesPerFrame: format.bytesPerFrame)
        meter = LevelMeter(channels: format.channels, sampleRate: format.sampleRate)
        unsafe feedReference = .passUnretained(feed)
        unsafe meterReference = .passUnretained(meter)
        unsafe publishedReference = .passUnretained(published)
    }

    var bytesPerFrame: Int { @_noLocks get { layout.bytesPerFrame } }

    /// Whether there are frames to render.
    var hasData: Bool {
        @_noLocks get {
            if cursor < history.endFrame { return true }
            if holdsSegment { return true }
            if unsafe slicesReference != nil { return true }
            return unsafe feedReference._withUnsafeGuaranteedRef { $0.hasSegment }
        }
    }

    /// Renders up to `frames` frames and returns their number. REAL-TIME.
    @_noLocks func render(into target: UnsafeMutableRawPointer, frames: Int) -> Int {
        var done = 0
        while done < frames {
            let out = unsafe target + done &* bytesPerFrame
            let wanted = min(frames &- done, history.capacityFrames)
            let behind = history.endFrame &- cursor
            var run: Int
            if behind > 0 {
                run = min(wanted, Int(behind))
                unsafe history.copy(from: cursor, frames: run, to: out)
            } else {
                run = unsafe take(into: out, frames: wanted)
                if run == 0 { break }
                unsafe history.append(out, frames: run)
                unsafe measure(out, frames: run)
            }
            unsafe applyGain(out, frames: run)
            cursor &+= Int64(run)
            done &+= run
        }
        return done
    }

    /// Writes silence in the stream's encoding. REAL-TIME.
    @_noLocks func writeSilence(to target: UnsafeMutableRawPointer, frames: Int) {
        unsafe layout.writeSilence(to: target, bytes: frames &* bytesPerFrame)
    }

    /// Copies frames of the current segment, and returns the segment after its last frame. REAL-TIME.
    @_noLocks private func take(into out: UnsafeMutableRawPointer, frames: Int) -> Int {
        while true {
            if !holdsSegment {
                if !takeSegment(), !renderSlice() { return 0 }
                holdsSegment = true
                segmentOffset = 0
                if let change = segment.change { apply(change) }
            }
            let left = (segment.byteCount &- segmentOffset) / bytesPerFrame
            let run = min(frames, left)
            if run > 0 {
                let bytes = run &* bytesPerFrame
                if let base = unsafe segment.base {
                    unsafe layout.copy(base + segmentOffset, to: out, bytes: bytes)
                } else {
                    unsafe layout.writeSilence(to: out, bytes: bytes)
                }
                segmentOffset &+= bytes
            }
            if run == left {
                holdsSegment = false
                if isSlice {
                    isSlice = false
                } else if keepsSegments {
                    written.append(token: segment.token, endFrame: history.endFrame &+ Int64(run))
                } else {
                    returnSegment(segment.token)
                }
            }
            if run > 0 { return run }
        }
    }

    @_noLocks private func takeSegment() -> Bool {
        // REAL-TIME: a closure that captures `self` would retain it.
        var next = segment
        let isTaken = unsafe feedReference._withUnsafeGuaranteedRef { $0.takeSegment(&next) }
        segment = next
        return isTaken
    }

    /// Makes the next slice the current segment; returns false if the client enqueues all audio. REAL-TIME.
    @_noLocks private func renderSlice() -> Bool {
        guard let slicesReference = unsafe slicesReference else { return false }
        let frame = history.endFrame
        // REAL-TIME: a closure that captures `self` would retain it.
        let slice = unsafe slicesReference._withUnsafeGuaranteedRef {
            $0.render(from: frame)
            return unsafe (memory: $0.memory, byteCount: $0.byteCount)
        }
        unsafe segment.base = unsafe slice.memory
        unsafe segment.byteCount = slice.byteCount
        segment.change = nil
        isSlice = true
        return true
    }

    /// Returns the largest number of frames, at most `asked`, that ends with a slice. All frames that were rendered
    /// before count. REAL-TIME.
    @_noLocks func wholeSlices(asked: Int) -> Int {
        guard let slicesReference = unsafe slicesReference else { return asked }
        let slice = unsafe slicesReference._withUnsafeGuaranteedRef { $0.frames }
        var ready = Int(history.endFrame &- cursor)
        if holdsSegment { ready &+= (segment.byteCount &- segmentOffset) / bytesPerFrame }
        if asked <= ready { return asked }
        return ready &+ (asked &- ready) / slice &* slice
    }

    /// Sets the clock that the times of slices are computed from. REAL-TIME.
    @_noLocks func setSliceClock(_ clock: PlaybackClock.State, now: UInt64) {
        unsafe slicesReference?._withUnsafeGuaranteedRef {
            $0.clock = clock
            $0.now = now
        }
    }

    /// The frames of the current slice that were not rendered. REAL-TIME.
    var leftOfSlice: Int {
        @_noLocks get { isSlice ? (segment.byteCount &- segmentOffset) / bytesPerFrame : 0 }
    }

    /// Applies a change at the next frame taken. REAL-TIME.
    @_noLocks private func apply(_ change: SegmentChange) {
        let frame = history.endFrame
        volume.forget(before: history.startFrame)
        if let gain = change.startGain {
            volume.rampInSegment(to: GainRamp.valid(gain), from: frame, frames: 0)
        }
        if let gain = change.gain {
            // With this order of the arguments, NaN becomes 0.
            let seconds = max(0, min(Double(change.rampSeconds), 3600))
            volume.rampInSegment(
                to: GainRamp.valid(gain), from: frame, frames: Int64(seconds * sampleRate))
        }
        if let gain = change.sourceGain {
            sourceGain.forget(before: history.startFrame)
            sourceGain.rampInSegment(to: GainRamp.valid(gain), from: frame, frames: 0)
        }
        if let position = change.pan {
            pan.forget(before: history.startFrame)
            pan.rampInSegment(to: StereoBalance.valid(position), from: frame, frames: 0)
        }
    }

    /// Returns the rendered segments that end at `frame` or before. REAL-TIME.
    @_noLocks func returnSegments(usedUpTo frame: Int64) {
        var token: UInt64 = 0
        while written.take(endingBy: frame, &token) { returnSegment(token) }
    }

    @_noLocks private func returnSegment(_ token: UInt64) {
        unsafe feedReference._withUnsafeGuaranteedRef { $0.post(.segmentDone, token: token) }
    }

    @_noLocks private func measure(_ data: UnsafeRawPointer, frames: Int) {
        let encoding = layout.encoding
        let endFrame = history.endFrame
        unsafe meterReference._withUnsafeGuaranteedRef {
            unsafe $0.measure(data, frames: frames, encoding: encoding, endFrame: endFrame)
        }
    }

    @_noLocks private func applyGain(_ out: UnsafeMutableRawPointer, frames: Int) {
        var done = 0
        while done < frames {
            let frame = cursor &+ Int64(done)
            let limit = frames &- done
            volume.seek(to: frame)
            pan.seek(to: frame)
            sourceGain.seek(to: frame)
            var run = min(
                volume.constantRun(from: frame, limit: limit), fade.constantRun(from: frame, limit: limit))
            run = min(run, pan.constantRun(from: frame, limit: limit))
            run = min(run, sourceGain.constantRun(from: frame, limit: limit))
            // Inside a ramp every frame has its own values.
            if run == 0 { run = 1 }
            let gain =
                volume.presentValue(at: frame) * fade.gain(at: frame) * sourceGain.presentValue(at: frame)
            let position = pan.presentValue(at: frame)
            let target = unsafe out + done &* bytesPerFrame
            if position != 0, layout.channels == 2 {
                unsafe SampleKernels.scaleStereo(
                    target, frames: run, encoding: layout.encoding, sampleBytes: layout.sampleBytes,
                    left: gain * StereoBalance.left(position), right: gain * StereoBalance.right(position))
            } else if gain != 1 {
                unsafe layout.scale(target, frames: run, gain: gain)
            }
            done &+= run
        }
    }

    /// Moves back to `frame`, or as far as the history reaches, to render frames again. REAL-TIME.
    @_noLocks func rewind(to frame: Int64) {
        cursor = max(history.startFrame, min(frame, history.endFrame))
    }

    /// Returns every segment unplayed and clears the history. REAL-TIME.
    ///
    /// The changes that segments have set for the dropped frames are removed.
    @_noLocks func discardAll() {
        returnSegments()
        if cursor < history.endFrame {
            volume.dropSegments(from: cursor)
            pan.dropSegments(from: cursor)
            sourceGain.dropSegments(from: cursor)
        }
        cursor = history.endFrame
        history.clear()
        unsafe meterReference._withUnsafeGuaranteedRef { $0.clear() }
    }

    @_noLocks private func returnSegments() {
        returnSegments(usedUpTo: .max)
        if holdsSegment {
            holdsSegment = false
            if !isSlice { returnSegment(segment.token) }
            isSlice = false
        }
        while takeSegment() { returnSegment(segment.token) }
    }

    /// The number of frames that are waiting, or rendered but not used up, and the number of their segments.
    func framesToPlay(usedUpTo frame: Int64) -> (frames: Int, segments: Int) {
        let waiting = feed.waiting
        let taken = Int(max(0, history.endFrame - frame))
        let left = holdsSegment ? (segment.byteCount - segmentOffset) / bytesPerFrame : 0
        return (
            taken + left + waiting.bytes / bytesPerFrame,
            written.count + (holdsSegment ? 1 : 0) + waiting.segments
        )
    }

    /// The number of frames that can be replayed. REAL-TIME.
    var historyFrames: Int { @_noLocks get { history.capacityFrames } }

    /// Makes sure that `frames` frames can be replayed. Allocates: not for the audio path.
    func reserveHistory(frames: Int) { history.grow(toFrames: frames) }
}
