import CRealTime

/// What was captured and waits for a segment: frames as the server gave them, and lengths of silence.
///
/// Kept here and not in libpulse's queue, which loses all it holds together with the server, and what is
/// new when it is full. Belongs to the loop's thread.
@safe final class PulseBacklog: @unchecked Sendable {
    // SAFETY: used by one thread; the memory is its own.

    private struct Run {
        var frames = 0
        var isSilence = false
        /// The time in which nothing could be captured: no frames, and so no memory, and nothing to lose.
        var isMissing = false
        var hostTime: UInt64 = 0
    }

    private static let runCapacity = 1024

    private let bytesPerFrame: Int
    private let nanosecondsPerFrame: Double
    private let memory: UnsafeMutableRawPointer
    private let capacityFrames: Int
    private let limitFrames: Int
    private let runs: UnsafeMutablePointer<Run>
    private var firstRun = 0
    private var runCount = 0
    /// Where the next frame is written, and how many are there.
    private var writeFrame = 0
    private var storedFrames = 0
    /// Frames that count against the limit.
    private var heldFrames = 0
    private var missingFrames = 0

    /// All that waits, in frames of the timeline.
    var frames: Int { @_noLocks get { heldFrames &+ missingFrames } }

    /// - Parameters:
    ///   - limitFrames: How many frames are kept.
    ///   - reserveFrames: How many more while silence for missing time is yet to be handed out before them.
    init(bytesPerFrame: Int, sampleRate: Double, limitFrames: Int, reserveFrames: Int) {
        self.bytesPerFrame = bytesPerFrame
        self.limitFrames = limitFrames
        nanosecondsPerFrame = 1e9 / sampleRate
        capacityFrames = max(1, limitFrames + reserveFrames)
        // The system gives the memory as it is first touched.
        unsafe memory = .allocate(byteCount: capacityFrames * bytesPerFrame, alignment: 16)
        unsafe runs = .allocate(capacity: PulseBacklog.runCapacity)
        unsafe runs.initialize(repeating: Run(), count: PulseBacklog.runCapacity)
    }

    deinit {
        unsafe memory.deallocate()
        unsafe runs.deallocate()
    }

    var isEmpty: Bool { @_noLocks get { runCount == 0 } }

    // MARK: The oldest run

    /// How much of the oldest run lies in one piece; 0 when there is nothing.
    var frontFrames: Int {
        @_noLocks get {
            if runCount == 0 { return 0 }
            let run = unsafe runs[firstRun]
            if run.isSilence { return run.frames }
            return min(run.frames, capacityFrames &- readFrame)
        }
    }

    /// The oldest run's frames; nil is silence.
    var frontData: UnsafeRawPointer? {
        @_noLocks get {
            if runCount == 0 { return nil }
            if unsafe runs[firstRun].isSilence { return nil }
            return unsafe UnsafeRawPointer(memory + readFrame &* bytesPerFrame)
        }
    }

    var frontHostTime: UInt64 { @_noLocks get { unsafe runs[firstRun].hostTime } }

    /// Whether the oldest run is time in which nothing could be captured.
    var frontIsMissing: Bool {
        @_noLocks get {
            if runCount == 0 { return false }
            return unsafe runs[firstRun].isMissing
        }
    }

    private var readFrame: Int {
        @_noLocks get {
            let frame = writeFrame &- storedFrames
            return frame < 0 ? frame &+ capacityFrames : frame
        }
    }

    /// Forgets the oldest `frames` frames, at most ``frontFrames``.
    @_noLocks func consume(_ frames: Int) {
        var run = unsafe runs[firstRun]
        run.frames &-= frames
        run.hostTime &+= UInt64(Double(frames) * nanosecondsPerFrame)
        unsafe runs[firstRun] = run
        if !run.isSilence { storedFrames &-= frames }
        if run.isMissing { missingFrames &-= frames } else { heldFrames &-= frames }
        if run.frames == 0 {
            firstRun = (firstRun &+ 1) % PulseBacklog.runCapacity
            runCount &-= 1
        }
    }

    // MARK: The newest

    /// Adds frames, or silence when `data` is nil, and returns how many of the oldest were lost for it.
    @_noLocks func append(_ data: UnsafeRawPointer?, frames: Int, hostTime: UInt64) -> Int {
        var lost = 0
        var skipped = 0
        if frames > limitFrames {
            // More than is ever kept: the oldest of it is lost with all that was there.
            skipped = frames &- limitFrames
            lost = heldFrames &+ missingFrames &+ skipped
            clear()
        }
        let added = frames &- skipped
        let allowed = missingFrames > 0 ? capacityFrames : limitFrames
        while heldFrames &+ added > allowed {
            let front = frontFrames
            if front == 0 { break }
            let excess = heldFrames &+ added &- allowed
            let dropped = frontIsMissing ? front : min(front, excess)
            consume(dropped)
            lost &+= dropped
        }
        if added == 0 { return lost }
        let time = hostTime &+ UInt64(Double(skipped) * nanosecondsPerFrame)
        if let data = unsafe data {
            unsafe store(data + skipped &* bytesPerFrame, frames: added)
            lost &+= push(Run(frames: added, isSilence: false, isMissing: false, hostTime: time))
        } else {
            lost &+= push(Run(frames: added, isSilence: true, isMissing: false, hostTime: time))
        }
        return lost
    }

    /// Adds silence for time in which nothing could be captured; it neither counts nor pushes frames out.
    @_noLocks func appendMissing(frames: Int, hostTime: UInt64) -> Int {
        push(Run(frames: frames, isSilence: true, isMissing: true, hostTime: hostTime))
    }

    /// Forgets all.
    @_noLocks func clear() {
        runCount = 0
        storedFrames = 0
        heldFrames = 0
        missingFrames = 0
    }

    @_noLocks private func push(_ run: Run) -> Int {
        var lost = 0
        if runCount > 0 {
            let last = (firstRun &+ runCount &- 1) % PulseBacklog.runCapacity
            var previous = unsafe runs[last]
            if continues(previous, run) {
                previous.frames &+= run.frames
                unsafe runs[last] = previous
                count(run)
                return 0
            }
        }
        while runCount >= PulseBacklog.runCapacity {
            let front = frontFrames
            consume(front)
            lost &+= front
        }
        unsafe runs[(firstRun &+ runCount) % PulseBacklog.runCapacity] = run
        runCount &+= 1
        count(run)
        return lost
    }

    @_noLocks private func count(_ run: Run) {
        if run.isMissing { missingFrames &+= run.frames } else { heldFrames &+= run.frames }
    }

    /// Whether a run is of the kind of the one before it, and follows it within a millisecond.
    @_noLocks private func continues(_ previous: Run, _ run: Run) -> Bool {
        if previous.isSilence != run.isSilence { return false }
        if previous.isMissing != run.isMissing { return false }
        let end = previous.hostTime &+ UInt64(Double(previous.frames) * nanosecondsPerFrame)
        let apart = Int64(bitPattern: run.hostTime &- end)
        return apart < 1_000_000 ? apart > -1_000_000 : false
    }

    @_noLocks private func store(_ data: UnsafeRawPointer, frames: Int) {
        let first = min(frames, capacityFrames &- writeFrame)
        unsafe aq_copy(memory + writeFrame &* bytesPerFrame, data, first &* bytesPerFrame)
        if first < frames {
            unsafe aq_copy(memory, data + first &* bytesPerFrame, (frames &- first) &* bytesPerFrame)
        }
        writeFrame = (writeFrame &+ frames) % capacityFrames
        storedFrames &+= frames
    }
}
