/// A reading of a device's clock: its position and rate.
public struct DeviceClockReading: Sendable, Equatable {
    /// Frames at the device's own sample rate. Pauses and resets of streams do not stop the count.
    public var frames: Double
    /// The host time of the reading (CLOCK_MONOTONIC, nanoseconds).
    public var hostTime: UInt64
    /// The measured frames per second of the host's clock: about ``nominalFramesPerSecond``.
    public var framesPerSecond: Double
    /// The sample rate that the device reports.
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

/// A device's clock as observed through a stream on it, in frames of the stream.
///
/// A stream reports positions only while it runs, and each new server stream counts from 0 again. The device keeps its
/// pace in that time, and so does this count.
struct DeviceClockAnchor {
    /// The largest difference between a stream's position and the expected one that is not taken as a new numbering.
    private static let toleranceNanoseconds = 20e6

    /// The count at ``hostTime``.
    private(set) var frame = 0.0
    /// 0 before the first report.
    private(set) var hostTime: UInt64 = 0
    /// Frames per nanosecond.
    private(set) var rate = 0.0
    /// The difference between the count and the stream's frame number.
    private var offset = 0.0
    private var isInterrupted = true

    /// The stream's frames and time no longer match. REAL-TIME.
    @_noLocks mutating func interrupt() { isInterrupted = true }

    /// Updates the clock: `streamFrame` is audible, or captured, at `now`; `rate` in frames per nanosecond. REAL-TIME.
    @_noLocks mutating func follow(_ streamFrame: Double, at now: UInt64, rate: Double) {
        // Before its first frame the device has played or captured nothing, whatever its latency.
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
    ///   - deviceRate: The device's sample rate, which the reading uses.
    /// - Returns: Nil before the first report.
    func reading(at now: UInt64, streamRate: Double, deviceRate: Double) -> DeviceClockReading? {
        guard hostTime != 0, deviceRate > 0 else { return nil }
        let ratio = deviceRate / streamRate
        let elapsed = Double(Int64(bitPattern: now &- hostTime))
        return DeviceClockReading(
            frames: (frame + elapsed * rate) * ratio, hostTime: now, framesPerSecond: rate * 1e9 * ratio,
            nominalFramesPerSecond: deviceRate)
    }
}
