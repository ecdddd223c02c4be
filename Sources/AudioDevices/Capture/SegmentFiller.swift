import CRealTime

/// Fills a feed's segments with captured frames: the audio path of capture, common to all devices.
///
/// Belongs to the device's thread. Frames are numbered on the stream's timeline; ``frame`` is the next to be
/// captured. A segment is returned at the moment it is full, and holds frames that follow one another: what is
/// lost lies between two segments.
@safe final class SegmentFiller: @unchecked Sendable {
    // SAFETY: one thread at a time uses a filler: its device's, or whoever holds its stream's lock.

    let feed: StreamFeed
    let meter: LevelMeter
    /// Where what is lost is published before it is told of.
    private let clock: CaptureClock
    let bytesPerFrame: Int
    private let mostSegments = StreamFeed.segmentCapacity
    // REAL-TIME: a reference loaded from a field is retained in debug builds; an unmanaged one is not.
    private let feedReference: Unmanaged<StreamFeed>
    private let meterReference: Unmanaged<LevelMeter>
    private let clockReference: Unmanaged<CaptureClock>
    private let channels: Int
    private let encoding: SampleFormat.Encoding
    private let sampleBytes: Int
    private let isSwapped: Bool
    private let nanosecondsPerFrame: Double

    /// The partly filled segment: it holds at least one frame, and has room for at least one more.
    private var segment = unsafe StreamSegment(base: nil, byteCount: 0, token: 0)
    private var holdsSegment = false
    private var filledBytes = 0
    /// The whole frames that fit into the segment, in bytes.
    private var roomBytes = 0
    private var segmentFrame: Int64 = 0
    private var segmentHostTime: UInt64 = 0
    /// Whether frames were lost since some last found room.
    private var isOverrun = false

    /// The next frame to be captured.
    private(set) var frame: Int64 = 0
    /// Episodes of lost frames, and the frames lost in them.
    private(set) var overruns = 0
    private(set) var lostFrames: Int64 = 0
    /// What samples are multiplied by; no number counts as silence.
    var gain: Float = 1 {
        didSet { gain = GainRamp.valid(gain) }
    }

    /// - Parameter clock: The stream's own, which nobody else writes while the filler is used.
    init(format: SampleFormat, feed: StreamFeed, clock: CaptureClock) {
        self.feed = feed
        self.clock = clock
        bytesPerFrame = format.bytesPerFrame
        channels = format.channels
        encoding = format.encoding
        sampleBytes = format.encoding.byteCount
        isSwapped = format.isBigEndian && format.encoding.byteCount > 1
        nanosecondsPerFrame = 1e9 / format.sampleRate
        meter = LevelMeter(channels: format.channels, sampleRate: format.sampleRate)
        unsafe feedReference = .passUnretained(feed)
        unsafe meterReference = .passUnretained(meter)
        unsafe clockReference = .passUnretained(clock)
    }

    /// Whether a frame would find room, unless what waits are segments of no size.
    var hasRoom: Bool {
        @_noLocks get {
            if holdsSegment { return true }
            return unsafe feedReference._withUnsafeGuaranteedRef { $0.hasSegment }
        }
    }

    /// Measures native-endian frames as they are captured, whether or not there is a segment for them. REAL-TIME.
    ///
    /// - Parameters:
    ///   - data: Nil for silence.
    ///   - endFrame: The frame after the last of them, on the timeline.
    @_noLocks func measure(_ data: UnsafeRawPointer?, frames: Int, endFrame: Int64) {
        let (encoding, gain) = (encoding, gain)
        unsafe meterReference._withUnsafeGuaranteedRef {
            unsafe $0.measure(data, frames: frames, encoding: encoding, gain: gain, endFrame: endFrame)
        }
    }

    /// Copies native-endian frames into segments. REAL-TIME.
    ///
    /// - Parameter hostTime: When the first of them was captured.
    /// - Returns: How many found room; ``frame`` advances by as many.
    @_noLocks func fill(_ data: UnsafeRawPointer, frames: Int, hostTime: UInt64) -> Int {
        var done = 0
        while done < frames {
            if !holdsSegment {
                if !openSegment(hostTime: advanced(hostTime, by: done)) { break }
            }
            let run = min(frames &- done, (roomBytes &- filledBytes) / bytesPerFrame)
            if let base = unsafe segment.base {
                unsafe store(data + done &* bytesPerFrame, to: base + filledBytes, frames: run)
            }
            didFill(run)
            done &+= run
        }
        return done
    }

    /// The same with frames of silence. REAL-TIME.
    @_noLocks func fillSilence(frames: Int, hostTime: UInt64) -> Int {
        var done = 0
        while done < frames {
            if !holdsSegment {
                if !openSegment(hostTime: advanced(hostTime, by: done)) { break }
            }
            let run = min(frames &- done, (roomBytes &- filledBytes) / bytesPerFrame)
            if let base = unsafe segment.base {
                // Silence reads the same in both byte orders.
                unsafe SampleKernels.writeSilence(
                    to: base + filledBytes, bytes: run &* bytesPerFrame, encoding: encoding)
            }
            didFill(run)
            done &+= run
        }
        return done
    }

    /// Counts frames that found no room, and goes on behind them; `.overran`, once an episode. REAL-TIME.
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
        // Before the notice, and before the next segment: the client may look as soon as it has either.
        let counts = (overruns, lostFrames)
        unsafe clockReference._withUnsafeGuaranteedRef {
            $0.publishLosses(overruns: counts.0, lostFrames: counts.1)
        }
        if isNewEpisode { unsafe feedReference._withUnsafeGuaranteedRef { $0.post(.overran) } }
    }

    /// Returns the partly filled segment, if there is one. REAL-TIME.
    @_noLocks func handOver() {
        if !holdsSegment { return }
        holdsSegment = false
        returnSegment(byteCount: filledBytes)
    }

    /// Returns the partly filled segment with what it holds, and all others empty. REAL-TIME.
    @_noLocks func returnAll() {
        handOver()
        // No more than can be there now: a client that enqueues again at once what comes back would keep
        // this thread here.
        var left = mostSegments
        while left > 0 {
            if !takeSegment() { return }
            returnEmptySegment()
            left &-= 1
        }
    }

    /// Begins a new timeline: from frame 0, with nothing counted.
    ///
    /// There must be no partly filled segment: every way to stop has returned it.
    func restart() {
        frame = 0
        overruns = 0
        lostFrames = 0
        isOverrun = false
        meter.clear()
    }

    // MARK: Inside

    @_noLocks private func advanced(_ hostTime: UInt64, by frames: Int) -> UInt64 {
        hostTime &+ UInt64(Double(frames) * nanosecondsPerFrame)
    }

    /// Takes the next segment that has room for a frame, and returns those before it that have none.
    @_noLocks private func openSegment(hostTime: UInt64) -> Bool {
        while takeSegment() {
            // A segment without memory can hold nothing, whatever it says.
            let hasMemory = unsafe segment.base != nil
            let wholeFrames = hasMemory ? segment.byteCount / bytesPerFrame : 0
            if wholeFrames > 0 {
                holdsSegment = true
                filledBytes = 0
                roomBytes = wholeFrames &* bytesPerFrame
                segmentFrame = frame
                segmentHostTime = hostTime
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
            if isSwapped {
                unsafe SampleKernels.copySwapping(
                    from: data, to: target, bytes: bytes, sampleBytes: sampleBytes)
            } else {
                unsafe aq_copy(target, data, bytes)
            }
            return
        }
        unsafe aq_copy(target, data, bytes)
        unsafe SampleKernels.scale(target, samples: frames &* channels, encoding: encoding, gain: gain)
        if isSwapped {
            unsafe SampleKernels.copySwapping(
                from: target, to: target, bytes: bytes, sampleBytes: sampleBytes)
        }
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
        let notice = DeviceNotice(
            .segmentDone, token: segment.token, byteCount: byteCount, frame: segmentFrame,
            hostTime: segmentHostTime)
        unsafe feedReference._withUnsafeGuaranteedRef { $0.post(notice) }
    }

    /// Returns a segment that nothing was put into; its frame is the next to be captured.
    @_noLocks private func returnEmptySegment() {
        segmentFrame = frame
        segmentHostTime = 0
        returnSegment(byteCount: 0)
    }
}
