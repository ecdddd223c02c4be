import CRealTime

/// What the server last told about its place in the stream, in device frames.
struct PulseTiming {
    /// The frame that the sink was to take next at `hostTime`.
    var readFrames = 0.0
    /// The frame that was heard at `hostTime`.
    var heardFrames = 0.0
    var hostTime: UInt64 = 0
    /// The sink takes frames: not corked, not dry.
    var isMoving = false
    /// At least one answer has come for the present server stream.
    var isValid = false
    /// The time from the sink's taking a frame to its being heard, in seconds.
    var sinkSeconds = 0.0
    /// The most that the sink takes at once, in frames.
    var sinkBlockFrames = 0

    /// How many of the frames that the sink took and has not yet played it may still take back.
    ///
    /// A sink that holds more than 100 ms cannot, or has just woken and holds silence.
    func revocableFrames(sampleRate: Double) -> Int { Int(min(sinkSeconds, 0.1) * sampleRate) }

    /// The frame that is heard now.
    func heardFrames(at now: UInt64, sampleRate: Double) -> Double {
        let elapsed = isMoving && now > hostTime ? Double(now - hostTime) / 1e9 * sampleRate : 0
        return heardFrames + elapsed
    }

    /// The frame that the sink takes next now, at most `limit`.
    func readFrames(at now: UInt64, sampleRate: Double, limit: Int64) -> Double {
        guard isValid else { return 0 }
        let elapsed = isMoving && now > hostTime ? Double(now - hostTime) / 1e9 * sampleRate : 0
        return min(readFrames + elapsed, Double(limit))
    }
}
