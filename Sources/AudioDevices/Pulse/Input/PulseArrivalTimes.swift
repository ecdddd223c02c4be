/// When frames were captured, told from when they came in.
///
/// A microphone's frame is captured when it is at the microphone, a monitor's when it is heard: so a frame that is
/// played and recorded has one host time, whichever side tells it.
///
/// QUIRK: a monitor's own latency figure can be wrong by most of a second. But no frame arrives before it
/// was captured, and some arrive at once: so the earliest arrivals of the last seconds, each taken back to
/// the first frame, tell the time of all. Those of long ago are forgotten, since the device's clock drifts
/// against the host's.
///
/// A microphone hands over a block when its last frame has been captured. A monitor has one before it is heard:
/// a sink renders when what it rendered before has been played, and its monitor gets the block at once; where the
/// sink holds more, the server holds that much back from the monitor, since it may still change. So a monitor's
/// blocks arrive when their *first* frame is heard.
struct PulseArrivalTimes {
    /// How long a window of arrivals is at least; the earliest of this one and the one before counts.
    private static let windowNanoseconds = 2e9
    private static let windowArrivals = 4
    /// What share of a block's time lies at least between its arrival and the next one's.
    private static let leastBlockShare = 0.75
    /// And by what share of it a block may come before it is due, by clocks that drift.
    private static let mostDriftShare = 0.01

    private let nanosecondsPerFrame: Double
    /// The first arrival: the offsets below are relative to it.
    private var base: UInt64 = 0
    private(set) var hasArrivals = false
    /// The earliest arrival minus its frames' duration, in nanoseconds.
    private var earliest = Double.infinity
    private var earliestBefore = Double.infinity
    /// The same of the first frames of blocks, whose duration is not taken off: of use for a monitor.
    private var earliestStart = Double.infinity
    private var earliestStartBefore = Double.infinity
    /// The first frame of the block that came last, and when it came.
    private var blockFrame: Int64 = 0
    private var blockBegan = -Double.infinity
    private var windowBegan = 0.0
    private var arrivals = 0
    /// The end of what has come, as often as the numbering begins anew.
    private var lastFrame: Int64 = 0
    /// What readers are told: follows the earliest without ever turning time back.
    private var offset = 0.0
    /// How long frames take from the microphone to their earliest arrival.
    var latencyNanoseconds = 0.0
    /// Whether frames come from a sink, to be heard, and not from a microphone.
    var isMonitor = false

    init(sampleRate: Double) { nanosecondsPerFrame = 1e9 / sampleRate }

    /// Forgets all arrivals, since the numbering begins anew or time has passed without frames. REAL-TIME.
    ///
    /// - Parameter nextFrame: The first frame that will arrive.
    @_noLocks mutating func restart(at nextFrame: Int64) {
        hasArrivals = false
        earliest = .infinity
        earliestBefore = .infinity
        earliestStart = .infinity
        earliestStartBefore = .infinity
        blockBegan = -.infinity
        lastFrame = nextFrame
        windowBegan = 0
        arrivals = 0
    }

    /// All frames before `endFrame`, counted from the stream's first, are there. REAL-TIME.
    @_noLocks mutating func arrived(endFrame: Int64, at hostTime: UInt64) {
        if !hasArrivals { base = hostTime }
        let now = Double(Int64(bitPattern: hostTime &- base))
        let arrival = now - Double(endFrame) * nanosecondsPerFrame
        if arrival < earliest { earliest = arrival }
        if beginsBlock(at: now) {
            blockFrame = lastFrame
            blockBegan = now
            let start = now - Double(lastFrame) * nanosecondsPerFrame
            if start < earliestStart { earliestStart = start }
        }
        let wanted = capturedOffset
        if !hasArrivals {
            hasArrivals = true
            offset = wanted
        } else if wanted >= offset {
            offset = wanted
        } else {
            // Slower at most by nine tenths: the frames that came since then are later than those before.
            let slowest = offset - Double(endFrame &- lastFrame) * nanosecondsPerFrame * 0.9
            offset = wanted > slowest ? wanted : slowest
        }
        lastFrame = endFrame
        arrivals &+= 1
        if arrivals >= PulseArrivalTimes.windowArrivals {
            if now - windowBegan >= PulseArrivalTimes.windowNanoseconds {
                earliestBefore = earliest
                earliest = .infinity
                // No block may have begun in a window that nearly all arrivals were late in.
                if earliestStart < .infinity {
                    earliestStartBefore = earliestStart
                    earliestStart = .infinity
                }
                arrivals = 0
                windowBegan = now
            }
        }
    }

    /// When frame 0 was captured, told from all that is known.
    private var capturedOffset: Double {
        @_noLocks get {
            if isMonitor { return startOffset }
            return (earliest < earliestBefore ? earliest : earliestBefore) - latencyNanoseconds
        }
    }

    /// The earliest that a block came in, taken back to frame 0. REAL-TIME.
    private var startOffset: Double {
        @_noLocks get { earliestStart < earliestStartBefore ? earliestStart : earliestStartBefore }
    }

    /// Whether what comes now is no further piece of the block that came last. REAL-TIME.
    ///
    /// Pieces of one block follow each other faster than they are heard. But so does a block after one that was
    /// late: it is told by coming when it is due.
    @_noLocks private func beginsBlock(at now: Double) -> Bool {
        let piecesNanoseconds = Double(lastFrame &- blockFrame) * nanosecondsPerFrame
        if now - blockBegan >= piecesNanoseconds * PulseArrivalTimes.leastBlockShare { return true }
        let start = now - Double(lastFrame) * nanosecondsPerFrame
        return start >= startOffset - piecesNanoseconds * PulseArrivalTimes.mostDriftShare
    }

    /// How much later frames are there than the earliest arrivals let expect, in nanoseconds. REAL-TIME.
    @_noLocks func lateness(endFrame: Int64, at hostTime: UInt64) -> Double {
        if !hasArrivals { return 0 }
        let known = earliest < earliestBefore ? earliest : earliestBefore
        let now = Double(Int64(bitPattern: hostTime &- base))
        return now - Double(endFrame) * nanosecondsPerFrame - known
    }

    /// The earliest arrival of a frame, its latency not taken off, as host time. REAL-TIME.
    @_noLocks func arrival(of frame: Int64) -> UInt64 {
        time(min(earliest, earliestBefore) + Double(frame) * nanosecondsPerFrame)
    }

    /// When a frame was captured, as host time. REAL-TIME.
    @_noLocks func hostTime(of frame: Int64) -> UInt64 {
        time(offset + Double(frame) * nanosecondsPerFrame)
    }

    /// How many frames were captured by a host time. REAL-TIME.
    @_noLocks func frames(by hostTime: UInt64) -> Int64 {
        let elapsed = Double(Int64(bitPattern: hostTime &- base)) - offset
        // REAL-TIME: within the range of what is converted, since a trap is no way to end a recording.
        let frames = elapsed / nanosecondsPerFrame
        if frames > -9e18 { return frames < 9e18 ? Int64(frames) : .max }
        return 0
    }

    @_noLocks private func time(_ nanoseconds: Double) -> UInt64 {
        if nanoseconds > -9e18 {
            if nanoseconds < 9e18 { return base &+ UInt64(bitPattern: Int64(nanoseconds)) }
        }
        return base
    }
}
