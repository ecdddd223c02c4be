/// What an ``InputQueue`` tells of a buffer that it returns, beside the buffer's own byte count.
///
/// The corresponding C parameters are those of `AudioQueueInputCallback`.
public struct InputBufferInfo: Sendable, Equatable {
    /// The place of the buffer's first frame on the queue's timeline, in frames; lost ones are counted.
    ///
    /// Of a buffer without data: where its first frame would have been.
    public var sampleTime: Double
    /// When that frame was captured, or the buffer without data returned: CLOCK_MONOTONIC, nanoseconds.
    ///
    /// A microphone's frame is captured when it is at the microphone, a monitor's when it is heard: it has the host
    /// time that the queue which plays it tells. A monitor's frames come up to a period of its sink before that.
    public var hostTime: UInt64
    /// The packets in the buffer, which are frames in linear PCM.
    public var packetCount: Int
    /// Frames that were lost right before the buffer's first, since no buffer was enqueued in time.
    public var lostFramesBefore: Int64

    public init(sampleTime: Double, hostTime: UInt64, packetCount: Int, lostFramesBefore: Int64) {
        self.sampleTime = sampleTime
        self.hostTime = hostTime
        self.packetCount = packetCount
        self.lostFramesBefore = lostFramesBefore
    }
}
