// SPDX-License-Identifier: MIT

/// The capture times of frames, derived from their arrival times.
///
/// A microphone's frame is captured when it reaches the microphone, a monitor's when it is audible. A frame that is
/// played and recorded therefore has the same host time in playback and capture.
///
/// QUIRK: a monitor's reported latency can be wrong by most of a second. But no frame arrives before it was captured,
/// and some frames arrive at once. So the capture times are derived from the earliest arrivals of the last seconds,
/// each reduced to frame 0. Older arrivals are dropped, because the device's clock drifts against the host's.
///
/// A microphone delivers a block after its last frame was captured. A monitor gets a block before it is audible: a sink
/// renders when its previous audio has been played, and its monitor gets the block at once. If the sink holds more
/// audio, the server delays the monitor by that amount, because the audio may still change. So a monitor's blocks
/// arrive when their *first* frame is audible.
struct PulseArrivalTimes {
    /// The shortest window of arrivals. The earliest of the current and the previous window counts.
    private static let windowNanoseconds = 2e9
    private static let windowArrivals = 4
    /// The shortest time between the arrivals of two blocks, as a share of the first block's duration.
    private static let leastBlockShare = 0.75
    /// The time by which a block may be early because clocks drift, as a share of its duration.
    private static let mostDriftShare = 0.01

    private let nanosecondsPerFrame: Double
    /// The first arrival, to which the offsets below are relative.
    private var base: UInt64 = 0
    private(set) var hasArrivals = false
    /// The earliest arrivals in the current and the previous window, reduced to frame 0, in nanoseconds.
    private var earliest = Double.infinity
    private var earliestBefore = Double.infinity
    /// The earliest arrivals of blocks in both windows, reduced from the first frame of each block to frame 0. Used for
    /// a monitor.
    private var earliestStart = Double.infinity
    private var earliestStartBefore = Double.infinity
    /// The first frame of the newest block, and its arrival time.
    private var blockFrame: Int64 = 0
    private var blockBegan = -Double.infinity
    private var windowBegan = 0.0
    private var arrivals = 0
    /// The end of the arrived frames; reset when the numbering restarts.
    private var lastFrame: Int64 = 0
    /// The capture time of frame 0 that results use. It follows the estimate, limited so that capture times never
    /// decrease.
    private var offset = 0.0
    /// The number of the last measurements of the latency whose mean counts.
    private static let latencyMeasurements = 8.0

    /// The latency from the microphone to the earliest arrival: the mean of the last measurements, because the server's
    /// answers may vary by a block.
    private(set) var latencyNanoseconds = 0.0
    private var latencyWeight = 0.0
    /// Whether frames come from a sink's monitor, not from a microphone.
    var isMonitor = false

    init(sampleRate: Double) { nanosecondsPerFrame = 1e9 / sampleRate }

    /// Records that the latency is not known.
    mutating func forgetLatency() { (latencyNanoseconds, latencyWeight) = (0, 0) }

    /// Records a measured latency. REAL-TIME.
    @_noLocks mutating func addLatency(nanoseconds: Double) {
        if latencyWeight < PulseArrivalTimes.latencyMeasurements { latencyWeight += 1 }
        latencyNanoseconds += (nanoseconds - latencyNanoseconds) / latencyWeight
    }

    /// Drops all arrivals, because the numbering restarts or time passed without frames. REAL-TIME.
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

    /// Records the arrival of all frames before `endFrame`, counted from the stream's first frame. REAL-TIME.
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
            // Reduced by at most nine tenths of the new frames' duration, so that new frames are still later than
            // previous ones.
            let slowest = offset - Double(endFrame &- lastFrame) * nanosecondsPerFrame * 0.9
            offset = wanted > slowest ? wanted : slowest
        }
        lastFrame = endFrame
        arrivals &+= 1
        if arrivals >= PulseArrivalTimes.windowArrivals {
            if now - windowBegan >= PulseArrivalTimes.windowNanoseconds {
                earliestBefore = earliest
                earliest = .infinity
                // A window in which nearly all arrivals were late may have no block start. The previous one is then
                // kept.
                if earliestStart < .infinity {
                    earliestStartBefore = earliestStart
                    earliestStart = .infinity
                }
                arrivals = 0
                windowBegan = now
            }
        }
    }

    /// The estimated capture time of frame 0.
    private var capturedOffset: Double {
        @_noLocks get {
            if isMonitor { return startOffset }
            return (earliest < earliestBefore ? earliest : earliestBefore) - latencyNanoseconds
        }
    }

    /// The earliest block start, reduced to frame 0. REAL-TIME.
    private var startOffset: Double {
        @_noLocks get { earliestStart < earliestStartBefore ? earliestStart : earliestStartBefore }
    }

    /// Returns whether an arrival begins a new block instead of continuing the last one. REAL-TIME.
    ///
    /// Pieces of one block arrive faster than they last. A block that follows a late block also arrives soon, but not
    /// before it is due.
    @_noLocks private func beginsBlock(at now: Double) -> Bool {
        let piecesNanoseconds = Double(lastFrame &- blockFrame) * nanosecondsPerFrame
        if now - blockBegan >= piecesNanoseconds * PulseArrivalTimes.leastBlockShare { return true }
        let start = now - Double(lastFrame) * nanosecondsPerFrame
        return start >= startOffset - piecesNanoseconds * PulseArrivalTimes.mostDriftShare
    }

    /// The lateness of frames compared with the earliest arrivals, in nanoseconds. REAL-TIME.
    @_noLocks func lateness(endFrame: Int64, at hostTime: UInt64) -> Double {
        if !hasArrivals { return 0 }
        let known = earliest < earliestBefore ? earliest : earliestBefore
        let now = Double(Int64(bitPattern: hostTime &- base))
        return now - Double(endFrame) * nanosecondsPerFrame - known
    }

    /// The host time at which a frame arrives at the earliest, including its latency. REAL-TIME.
    @_noLocks func arrival(of frame: Int64) -> UInt64 {
        time(min(earliest, earliestBefore) + Double(frame) * nanosecondsPerFrame)
    }

    /// The capture time of a frame, as host time. REAL-TIME.
    @_noLocks func hostTime(of frame: Int64) -> UInt64 {
        time(offset + Double(frame) * nanosecondsPerFrame)
    }

    /// The number of frames captured by a host time. REAL-TIME.
    @_noLocks func frames(by hostTime: UInt64) -> Int64 {
        let elapsed = Double(Int64(bitPattern: hostTime &- base)) - offset
        // REAL-TIME: limited to the range of the conversion, so that it cannot trap during a recording.
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
