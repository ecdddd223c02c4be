// SPDX-License-Identifier: MIT

/// The data that an ``InputQueue`` returns with a buffer, in addition to the byte count.
///
/// The corresponding C parameters are those of `AudioQueueInputCallback`.
public struct InputBufferInfo: Sendable, Equatable {
    /// The position of the buffer's first frame on the queue's timeline, in frames, including lost ones.
    ///
    /// For a buffer without data, the position of the frame that would have been the first.
    public var sampleTime: Double
    /// The time when the buffer's first frame was captured, or when a buffer without data was returned, in nanoseconds
    /// of CLOCK_MONOTONIC.
    ///
    /// A microphone's frame has the time at the microphone. A monitor's frame has the time when the frame is audible,
    /// which the playing queue reports too. A monitor delivers frames up to a period of its sink before this time.
    public var hostTime: UInt64
    /// The number of packets in the buffer; for linear PCM, of frames.
    public var packetCount: Int
    /// The number of frames lost right before the buffer's first frame, because no buffer was enqueued in time. In an
    /// encoded format, lost frames that silence replaces are not counted.
    public var lostFramesBefore: Int64

    public init(sampleTime: Double, hostTime: UInt64, packetCount: Int, lostFramesBefore: Int64) {
        self.sampleTime = sampleTime
        self.hostTime = hostTime
        self.packetCount = packetCount
        self.lostFramesBefore = lostFramesBefore
    }
}
