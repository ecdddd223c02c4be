// SPDX-License-Identifier: MIT

/// A reading of a device's clock: its position and rate.
public struct DeviceClockReading: Sendable, Equatable {
    /// Frames at the device's own sample rate. Pauses and resets of streams do not stop the count.
    public var frames: Double
    /// The host time of the reading (CLOCK_MONOTONIC, nanoseconds).
    public var hostTime: UInt64
    /// The measured sample rate, in frames per second of host time: about ``nominalFramesPerSecond``.
    public var framesPerSecond: Double
    /// The sample rate that the device reports, in hertz.
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
/// A stream reports positions only while it runs, and each new server stream counts from 0. In between, the count
/// continues at the device's rate.
struct DeviceClockAnchor {
    /// The largest difference between the expected and the reported position. A larger one means that the stream has
    /// begun a new numbering.
    private static let toleranceNanoseconds = 20e6

    /// The count at ``hostTime``.
    private(set) var frame = 0.0
    /// The host time of the last report; 0 before the first.
    private(set) var hostTime: UInt64 = 0
    /// Frames per nanosecond.
    private(set) var rate = 0.0
    /// The difference between the count and the stream's frame number.
    private var offset = 0.0
    private var isInterrupted = true

    /// Makes ``follow(_:at:rate:)`` take the next frame number for a new numbering. REAL-TIME.
    @_noLocks mutating func interrupt() { isInterrupted = true }

    /// Updates the clock with the frame that is audible, or was captured, at `now`. `rate` is in frames per nanosecond.
    /// REAL-TIME.
    @_noLocks mutating func follow(_ streamFrame: Double, at now: UInt64, rate: Double) {
        // The position is negative while latency delays the first frame, but the count begins at 0.
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
    ///   - deviceRate: The device's sample rate, in hertz. The reading counts its frames.
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
