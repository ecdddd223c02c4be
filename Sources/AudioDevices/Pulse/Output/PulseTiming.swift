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
    /// The most that the sink takes at once, in frames, as long as no other client asks for less.
    var sinkBlockFrames = 0
    /// The frame that the sink was to take next when the server last asked for more, and when it asked; 0 for never.
    var requestReadFrames = 0.0
    var requestHostTime: UInt64 = 0

    /// The time that a write may take to reach the sink's thread, in seconds.
    static let writeSeconds = 0.003
    /// The same where there is no time for more.
    static let quickWriteSeconds = 0.001

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

    /// The first frame that the sink has surely not taken when a write that is made now arrives, at most `limit`.
    ///
    /// A sink takes whole blocks. An answer does not tell where in a block it is: that costs a block to be sure. The
    /// server's requests tell, since it looks what to ask for when the sink has taken one: it takes more when it has
    /// played that, and in the long run no more than it plays. How long its blocks are is not known to a client: at
    /// most what was granted to it, and less where another asked for less.
    ///
    /// - Parameter writeSeconds: The time that the write may take.
    func rewritableFrame(
        at now: UInt64, writeSeconds: Double = PulseTiming.writeSeconds, sampleRate: Double, limit: Int64
    ) -> Int64 {
        let writeFrames = writeSeconds * sampleRate
        let blockFrames = Double(isMoving ? sinkBlockFrames : 0)
        var frame = readFrames(at: now, sampleRate: sampleRate, limit: limit) + writeFrames + blockFrames
        if isValid, blockFrames > 0, requestHostTime != 0, now >= requestHostTime {
            let readThen = readFrames(at: requestHostTime, sampleRate: sampleRate, limit: limit)
            // One that contradicts the answers tells nothing.
            if requestReadFrames >= readThen - writeFrames {
                let hasAll = heardFrames(at: now, sampleRate: sampleRate) + writeFrames < requestReadFrames
                let played = Double(now - requestHostTime) / 1e9 * sampleRate + writeFrames
                frame = min(frame, requestReadFrames + (hasAll ? 0 : played))
            }
        }
        return min(limit, Int64(frame.rounded(.up)))
    }
}
