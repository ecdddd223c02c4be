// SPDX-License-Identifier: MIT

import CAQRealTime

/// Fills a feed's segments with captured frames: the audio path of capture, shared by all devices.
///
/// Belongs to the device's thread. Frames are numbered on the stream's timeline; ``frame`` is the next frame to be
/// captured. A segment is returned as soon as it is full, and holds consecutive frames: losses occur only between two
/// segments.
@safe final class SegmentFiller: @unchecked Sendable {
    // SAFETY: one thread at a time uses a filler: its device's thread, or the holder of its stream's lock.

    let feed: StreamFeed
    let meter: LevelMeter
    /// The clock in which losses are published before their event is posted.
    private let clock: CaptureClock
    private let layout: FrameLayout
    private let nanosecondsPerFrame: Double
    private let mostSegments = StreamFeed.segmentCapacity
    // REAL-TIME: loading a reference from a field retains it in debug builds; an unmanaged one is not retained.
    private let feedReference: Unmanaged<StreamFeed>
    private let meterReference: Unmanaged<LevelMeter>
    private let clockReference: Unmanaged<CaptureClock>

    /// The partly filled segment: it has room for at least one more frame, and no frame only after ``skip(frames:)``.
    private var segment = unsafe StreamSegment(base: nil, byteCount: 0, token: 0)
    private var holdsSegment = false
    private var filledBytes = 0
    /// The size of the whole frames that fit into the segment.
    private var roomBytes = 0
    private var segmentFrame: Int64 = 0
    private var segmentHostTime: UInt64 = 0
    /// The newest capture time of a segment since ``restart()``.
    private var newestHostTime: UInt64 = 0
    /// Whether frames were lost after the last frame that found room.
    private var isOverrun = false

    /// The next frame to be captured.
    private(set) var frame: Int64 = 0
    /// The number of overruns, and the frames lost in them.
    private(set) var overruns = 0
    private(set) var lostFrames: Int64 = 0
    /// The factor applied to samples. NaN means silence.
    var gain: Float = 1 {
        didSet { gain = GainRamp.valid(gain) }
    }

    /// - Parameter clock: The stream's clock. No other thread may write it while the filler is used.
    init(format: SampleFormat, feed: StreamFeed, clock: CaptureClock) {
        self.feed = feed
        self.clock = clock
        layout = FrameLayout(format)
        nanosecondsPerFrame = 1e9 / format.sampleRate
        meter = LevelMeter(channels: format.channels, sampleRate: format.sampleRate)
        unsafe feedReference = .passUnretained(feed)
        unsafe meterReference = .passUnretained(meter)
        unsafe clockReference = .passUnretained(clock)
    }

    var bytesPerFrame: Int { @_noLocks get { layout.bytesPerFrame } }

    /// Whether there is room for a frame. Also true if all waiting segments are too small for a frame.
    var hasRoom: Bool {
        @_noLocks get {
            if holdsSegment { return true }
            return unsafe feedReference._withUnsafeGuaranteedRef { $0.hasSegment }
        }
    }

    /// Measures native-endian frames when they are captured, with or without a segment for them. REAL-TIME.
    ///
    /// - Parameters:
    ///   - data: Nil for silence.
    ///   - endFrame: The frame after the last of them, on the timeline.
    @_noLocks func measure(_ data: UnsafeRawPointer?, frames: Int, endFrame: Int64) {
        let (encoding, gain) = (layout.encoding, gain)
        unsafe meterReference._withUnsafeGuaranteedRef {
            unsafe $0.measure(data, frames: frames, encoding: encoding, gain: gain, endFrame: endFrame)
        }
    }

    /// Copies native-endian frames into segments; nil fills them with silence. REAL-TIME.
    ///
    /// - Parameter hostTime: The capture time of the first frame.
    /// - Returns: The number of frames that found room; ``frame`` advances by that number.
    @_noLocks func fill(_ data: UnsafeRawPointer?, frames: Int, hostTime: UInt64) -> Int {
        var done = 0
        while done < frames {
            if !holdsSegment {
                if !openSegment(hostTime: advanced(hostTime, by: done)) { break }
            } else if filledBytes == 0 {
                // Its first frames were dropped.
                segmentFrame = frame
                beginTime(advanced(hostTime, by: done))
            }
            let run = min(frames &- done, (roomBytes &- filledBytes) / bytesPerFrame)
            if let base = unsafe segment.base {
                if let data = unsafe data {
                    unsafe store(data + done &* bytesPerFrame, to: base + filledBytes, frames: run)
                } else {
                    // Silence is the same in both byte orders.
                    unsafe layout.writeSilence(to: base + filledBytes, bytes: run &* bytesPerFrame)
                }
            }
            didFill(run)
            done &+= run
        }
        return done
    }

    /// Counts frames that found no room and continues after them. Posts `.overran` once per overrun. REAL-TIME.
    @_noLocks func lose(frames: Int) {
        if frames <= 0 { return }
        handOver()
        frame &+= Int64(frames)
        lostFrames &+= Int64(frames)
        let isNewEpisode = !isOverrun
        if isNewEpisode {
            isOverrun = true
            overruns &+= 1
        }
        // Published before the event and the next segment, because the client may read the counts when it gets either.
        let counts = (overruns, lostFrames)
        unsafe clockReference._withUnsafeGuaranteedRef {
            $0.publishLosses(overruns: counts.0, lostFrames: counts.1)
        }
        if isNewEpisode { unsafe feedReference._withUnsafeGuaranteedRef { $0.post(.overran) } }
    }

    /// Continues after frames that were not captured. The frames of a partly filled segment are dropped, so that no
    /// segment is shorter than the client requested. REAL-TIME.
    @_noLocks func skip(frames: Int) {
        filledBytes = 0
        frame &+= Int64(frames)
    }

    /// Returns the partly filled segment, if there is one. REAL-TIME.
    @_noLocks func handOver() {
        if !holdsSegment { return }
        holdsSegment = false
        returnSegment(byteCount: filledBytes)
    }

    /// Returns the partly filled segment, and all others empty. REAL-TIME.
    @_noLocks func returnAll() {
        handOver()
        // Limited to the segments that can be enqueued now. A client that enqueues returned segments again at once
        // would otherwise keep this thread in the loop.
        var left = mostSegments
        while left > 0 {
            if !takeSegment() { return }
            returnEmptySegment()
            left &-= 1
        }
    }

    /// Begins a new timeline at frame 0, with all counts 0.
    ///
    /// There must be no partly filled segment: the call that ended the last timeline has returned it.
    func restart() {
        frame = 0
        overruns = 0
        lostFrames = 0
        isOverrun = false
        newestHostTime = 0
        meter.clear()
    }

    // MARK: Private

    /// Sets the capture time of the current segment. It does not precede that of the segment before, also if the estimate
    /// has moved back since a segment began within a piece.
    @_noLocks private func beginTime(_ hostTime: UInt64) {
        if hostTime > newestHostTime { newestHostTime = hostTime }
        segmentHostTime = newestHostTime
    }

    @_noLocks private func advanced(_ hostTime: UInt64, by frames: Int) -> UInt64 {
        hostTime &+ UInt64(Double(frames) * nanosecondsPerFrame)
    }

    /// Takes the next segment with room for a frame, and returns the segments before it.
    @_noLocks private func openSegment(hostTime: UInt64) -> Bool {
        while takeSegment() {
            // A segment without memory has no room, whatever its size.
            let hasMemory = unsafe segment.base != nil
            let wholeFrames = hasMemory ? segment.byteCount / bytesPerFrame : 0
            if wholeFrames > 0 {
                holdsSegment = true
                filledBytes = 0
                roomBytes = wholeFrames &* bytesPerFrame
                segmentFrame = frame
                beginTime(hostTime)
                isOverrun = false
                return true
            }
            returnEmptySegment()
        }
        return false
    }

    @_noLocks private func store(
        _ data: UnsafeRawPointer, to target: UnsafeMutableRawPointer, frames: Int
    ) {
        let bytes = frames &* bytesPerFrame
        if gain == 1 {
            unsafe layout.copy(data, to: target, bytes: bytes)
            return
        }
        unsafe aq_copy(target, data, bytes)
        unsafe layout.scale(target, frames: frames, gain: gain)
        unsafe layout.copy(target, to: target, bytes: bytes)
    }

    @_noLocks private func didFill(_ frames: Int) {
        frame &+= Int64(frames)
        filledBytes &+= frames &* bytesPerFrame
        if filledBytes == roomBytes { handOver() }
    }

    @_noLocks private func takeSegment() -> Bool {
        // REAL-TIME: a closure that captures `self` would retain it.
        var next = segment
        let isTaken = unsafe feedReference._withUnsafeGuaranteedRef { $0.takeSegment(&next) }
        segment = next
        return isTaken
    }

    @_noLocks private func returnSegment(byteCount: Int) {
        let event = DeviceEvent(
            .segmentDone, token: segment.token, byteCount: byteCount, frame: segmentFrame,
            hostTime: segmentHostTime)
        unsafe feedReference._withUnsafeGuaranteedRef { $0.post(event) }
    }

    /// Returns a segment without frames. The number of its frame is that of the next frame captured.
    @_noLocks private func returnEmptySegment() {
        segmentFrame = frame
        segmentHostTime = 0
        returnSegment(byteCount: 0)
    }
}
