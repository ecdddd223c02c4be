/// When frames were captured, told from when they came in.
///
/// QUIRK: a monitor's own latency figure can be wrong by most of a second. But no frame arrives before it
/// was captured, and some arrive at once: so the earliest arrivals of the last seconds, each taken back to
/// the first frame, tell the time of all. Those of long ago are forgotten, since the device's clock drifts
/// against the host's.
struct PulseArrivalTimes {
    /// How long a window of arrivals is at least; the earliest of this one and the one before counts.
    private static let windowNanoseconds = 2e9
    private static let windowArrivals = 4

    private let nanosecondsPerFrame: Double
    /// The first arrival: the offsets below are relative to it.
    private var base: UInt64 = 0
    private(set) var hasArrivals = false
    /// The earliest arrival minus its frames' duration, in nanoseconds.
    private var earliest = Double.infinity
    private var earliestBefore = Double.infinity
    private var windowBegan = 0.0
    private var arrivals = 0
    private var lastFrame: Int64 = 0
    /// What readers are told: follows the earliest without ever turning time back.
    private var offset = 0.0
    /// How long frames take from the microphone to their earliest arrival.
    var latencyNanoseconds = 0.0

    init(sampleRate: Double) { nanosecondsPerFrame = 1e9 / sampleRate }

    /// Forgets all arrivals, since the numbering begins anew or time has passed without frames. REAL-TIME.
    @_noLocks mutating func restart() {
        hasArrivals = false
        earliest = .infinity
        earliestBefore = .infinity
        windowBegan = 0
        arrivals = 0
    }

    /// All frames before `endFrame`, counted from the stream's first, are there. REAL-TIME.
    @_noLocks mutating func arrived(endFrame: Int64, at hostTime: UInt64) {
        if !hasArrivals { base = hostTime }
        let now = Double(Int64(bitPattern: hostTime &- base))
        let arrival = now - Double(endFrame) * nanosecondsPerFrame
        if arrival < earliest { earliest = arrival }
        let known = earliest < earliestBefore ? earliest : earliestBefore
        let wanted = known - latencyNanoseconds
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
                arrivals = 0
                windowBegan = now
            }
        }
    }

    /// How much later frames are there than the earliest arrivals let expect, in nanoseconds. REAL-TIME.
    @_noLocks func lateness(endFrame: Int64, at hostTime: UInt64) -> Double {
        if !hasArrivals { return 0 }
        let known = earliest < earliestBefore ? earliest : earliestBefore
        let now = Double(Int64(bitPattern: hostTime &- base))
        return now - Double(endFrame) * nanosecondsPerFrame - known
    }

    /// The earliest arrival of a frame, its latency not taken off, as host time.
    func arrival(of frame: Int64) -> UInt64 {
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
