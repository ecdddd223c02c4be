package import AudioDevices

/// A reading of a device's clock.
package struct DeviceClock: Sendable, Equatable {
    /// Frames of the device.
    package var frames: Double
    /// The host time to which they belong: CLOCK_MONOTONIC, nanoseconds.
    package var hostTime: UInt64
    /// Frames a second by the host's clock: about the device's sample rate.
    package var framesPerSecond: Double
    /// The sample rate that the device says it has.
    package var nominalFramesPerSecond: Double

    package init(
        frames: Double, hostTime: UInt64, framesPerSecond: Double, nominalFramesPerSecond: Double
    ) {
        self.frames = frames
        self.hostTime = hostTime
        self.framesPerSecond = framesPerSecond
        self.nominalFramesPerSecond = nominalFramesPerSecond
    }

    /// What a stream says of its device.
    package init(_ reading: DeviceClockReading) {
        self.init(
            frames: reading.frames, hostTime: reading.hostTime, framesPerSecond: reading.framesPerSecond,
            nominalFramesPerSecond: reading.nominalFramesPerSecond)
    }
}
