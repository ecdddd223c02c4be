/// A reading of a device's clock: where it is, and how fast it goes.
public struct DeviceClockReading: Sendable, Equatable {
    /// Frames of the device, at its own sample rate, counted on through pauses and resets of its streams.
    public var frames: Double
    /// The host time to which they belong: CLOCK_MONOTONIC, nanoseconds.
    public var hostTime: UInt64
    /// Frames a second by the host's clock, as measured: about ``nominalFramesPerSecond``.
    public var framesPerSecond: Double
    /// The sample rate that the device says it has.
    public var nominalFramesPerSecond: Double

    public init(
        frames: Double, hostTime: UInt64, framesPerSecond: Double, nominalFramesPerSecond: Double
    ) {
        self.frames = frames
        self.hostTime = hostTime
        self.framesPerSecond = framesPerSecond
        self.nominalFramesPerSecond = nominalFramesPerSecond
    }
}

/// What is known of a device's clock through a stream on it, in frames of the stream.
///
/// A stream tells only while it runs, and numbers its frames anew with every server's stream. The device goes on
/// meanwhile, as fast as before: so does the count.
struct DeviceClockAnchor {
    /// How far what a stream tells may be off what the clock was expected to say before it counts as another numbering.
    private static let toleranceNanoseconds = 20e6

    /// The count at ``hostTime``.
    private(set) var frame = 0.0
    /// 0 before anything is known.
    private(set) var hostTime: UInt64 = 0
    /// Frames a nanosecond.
    private(set) var rate = 0.0
    /// How far the count is ahead of the stream's numbers.
    private var offset = 0.0
    private var isInterrupted = true

    /// The stream's frames and time go another way from now on. REAL-TIME.
    @_noLocks mutating func interrupt() { isInterrupted = true }

    /// The stream's `streamFrame` is heard, or captured, at `now`, `rate` frames a nanosecond. REAL-TIME.
    @_noLocks mutating func follow(_ streamFrame: Double, at now: UInt64, rate: Double) {
        // The device has played, or captured, nothing before its first frame, whatever its latency.
        var expected = max(0, streamFrame)
        if hostTime != 0 {
            expected = frame + Double(Int64(bitPattern: now &- hostTime)) * self.rate
            if abs(streamFrame + offset - expected) > DeviceClockAnchor.toleranceNanoseconds * rate {
                isInterrupted = true
            }
        }
        if isInterrupted { offset = expected - streamFrame }
        isInterrupted = false
        frame = streamFrame + offset
        hostTime = now
        self.rate = rate
    }

    /// The clock at `now`.
    ///
    /// - Parameters:
    ///   - streamRate: The stream's sample rate, in hertz.
    ///   - deviceRate: The device's, in which the reading is told.
    /// - Returns: Nil before anything is known.
    func reading(at now: UInt64, streamRate: Double, deviceRate: Double) -> DeviceClockReading? {
        guard hostTime != 0, deviceRate > 0 else { return nil }
        let ratio = deviceRate / streamRate
        let elapsed = Double(Int64(bitPattern: now &- hostTime))
        return DeviceClockReading(
            frames: (frame + elapsed * rate) * ratio, hostTime: now, framesPerSecond: rate * 1e9 * ratio,
            nominalFramesPerSecond: deviceRate)
    }
}
