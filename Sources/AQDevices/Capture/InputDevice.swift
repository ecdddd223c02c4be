// SPDX-License-Identifier: MIT

import CAQRealTime

/// A device that captures audio: a source of a PulseAudio server, the virtual source, or a manual source.
public protocol InputDevice: Sendable {
    /// The name that selects this device: a source's name, "default", "@DEFAULT_MONITOR@", "virtual" or "manual".
    var name: String { get }

    /// The device's own sample rate in hertz and channel count, which it captures without conversion.
    ///
    /// Blocks until the device answers; must not be called on a queue's thread.
    ///
    /// - Throws: ``DeviceError/Code/noServer``, also after a timeout; ``DeviceError/Code/noSuchDevice``;
    ///   ``DeviceError/Code/refused``.
    func nativeFormat(timeoutSeconds: Double) throws(DeviceError) -> (sampleRate: Double, channels: Int)

    /// Makes a stopped stream. Returns at once: the device's own thread connects it when it is started, and reports a
    /// failure as a ``DeviceEvent/Kind/failed`` event.
    ///
    /// - Throws: ``DeviceError/Code/unsupportedFormat`` if no device can capture this configuration;
    ///   ``DeviceError/Code/refused`` if a thread is needed and cannot be created.
    func makeStream(_ configuration: InputStreamConfiguration) throws(DeviceError) -> any InputStream
}

/// The settings of a capture stream.
public struct InputStreamConfiguration: Sendable {
    /// The format of the captured samples.
    public var format: SampleFormat
    /// The longest captured audio that may wait for a segment before frames are lost, in seconds: at most 60, or 10 on
    /// devices without a server. Silence of interruptions waits without limit.
    public var heldSeconds: Double
    /// The time to wait for a server that died or a device that disappeared, in seconds; infinity waits without end.
    public var recoverySeconds: Double
    /// The name that a mixer shows beside the stream's volume; nil for the program's name. Devices without a server
    /// ignore name, role and icon.
    ///
    /// A property that the user sets in the environment, with `PULSE_PROP` or one of its variants, overrides name, role
    /// or icon.
    public var streamName: String?
    /// The purpose of the audio; nil for no particular purpose.
    public var role: StreamRole?
    /// The icon that a mixer shows, named as in the freedesktop icon naming specification (`audio-x-generic`); nil for
    /// the program's icon, if there is one.
    public var iconName: String?
    /// The device channel that each channel of the format is captured from, counted from 1, regardless of labels; nil
    /// assigns channels by their labels.
    ///
    /// If the device does not have a channel, the stream fails with ``DeviceError/Code/unsupportedFormat``. Devices
    /// without hardware have no channels of their own, and use the format's order.
    public var channelNumbers: [Int]?
    /// Whether the stream should have its own thread, which can run the client's code: see
    /// ``InputStream/servingThread``.
    public var servesClient = false
    /// Whether silence replaces audio that was not captured, because the server or the source was away. If not, the
    /// segments continue with the next captured frame, whose number shows the missing ones.
    public var fillsGaps = true
    /// The thread of a playback stream of the same server that is to serve this stream too; nil for another thread.
    public var servingThread: ServingThread?

    public init(
        format: SampleFormat, heldSeconds: Double = 0.5, recoverySeconds: Double = 5,
        streamName: String? = nil, role: StreamRole? = nil, iconName: String? = nil,
        channelNumbers: [Int]? = nil
    ) {
        self.format = format
        self.heldSeconds = heldSeconds
        self.recoverySeconds = recoverySeconds
        self.streamName = streamName
        self.role = role
        self.iconName = iconName
        self.channelNumbers = channelNumbers
    }
}

/// A capture stream of a device.
///
/// Control calls may be made on any thread, return at once, and never wait for a server. The device's thread answers
/// each with an event in ``feed``, in the order in which it carried them out. The event contains the call's `ticket`.
///
/// Segments are filled in order. A segment contains consecutive frames and is full when it is returned, unless a call
/// below, a failure, or the loss of the next frames returns it earlier. Frames, including lost ones, are numbered on
/// the stream's timeline. Frame 0 is the first one captured after ``start(fragmentFrames:)`` on a stopped stream.
public protocol InputStream: AnyObject, Sendable {
    /// The queues for empty segments and for events.
    var feed: StreamFeed { get }
    /// The device's thread that serves only this stream, or this one and the playback stream of the same client, and can
    /// run the client's code. Nil unless the configuration requested it, and for devices without such threads.
    var servingThread: ServingThread? { get }

    /// Starts or resumes. The answer is `.started` when the device captures, or `.failed`. Does nothing if the stream
    /// captures, is about to, or waits for its device.
    ///
    /// - Parameter fragmentFrames: The number of frames that the device should deliver at a time. Shorter fragments
    ///   fill segments earlier and wake the process more often. The device may grant another number.
    func start(fragmentFrames: Int)
    /// Starts or resumes with the first frame captured at a host time (CLOCK_MONOTONIC, nanoseconds).
    ///
    /// `.started` is posted when the device runs, which may be long before that time. Frames captured earlier are
    /// dropped and not on the timeline; ``position()`` does not advance. A time in the past means as soon as possible.
    /// A pause or stop before that time cancels the start; an interruption does not.
    func start(fragmentFrames: Int, atHostTime hostTime: UInt64)
    /// Pauses. Frames captured before the call are kept; later frames are dropped. The timeline does not advance: the
    /// frames after a pause follow those before it. The answer is `.paused`.
    func pause(ticket: UInt64)
    /// Stops. Frames captured before the call fill the enqueued segments; the rest is dropped without being counted as
    /// lost. The partly filled segment is returned, and the others with 0 bytes (`.segmentDone` for each); then
    /// `.stopped` is posted. The answer comes when the device has delivered its data, or after a time limit.
    func stop(ticket: UInt64)
    /// Returns the partly filled segment, if it has any frames, then posts `.flushed`. Capture continues.
    func flush(ticket: UInt64)
    /// Returns the partly filled segment, and the others with 0 bytes, then posts `.reset`. Capture continues.
    func reset(ticket: UInt64)
    /// Disconnects permanently and returns all segments. `.closed` is the last event, except for the answers to later
    /// calls.
    func close(ticket: UInt64)
    /// Informs the device that segments were enqueued. Cheap; does nothing unless frames wait for room.
    func roomAvailable()

    /// Sets the gain of frames captured after the call, and of frames that wait for a segment (1 = unchanged). Integers
    /// are clipped.
    func setGain(_ gain: Float)
    /// Changes the name that a mixer shows; nil for the program's name. The name is kept when the stream reconnects.
    func setName(_ name: String?)
    /// Turns level metering on or off.
    func setMetering(_ isOn: Bool)
    /// The levels of the newest captured audio, or of audio up to a fragment earlier, after gain, one for each channel,
    /// linear; empty if metering is off.
    func levels() -> [ChannelLevel]

    /// The current capture position. From any thread; never waits.
    func position() -> CapturePosition
    /// The device's clock, in frames of the device; nil if the clock does not run for this stream.
    var deviceClock: DeviceClockReading? { get }
    /// The earliest time at or after `hostTime` at which capture can start.
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64
    /// The granted latency; nil before the device is connected. ``GrantedLatency/requestFrames`` is the length of a
    /// fragment.
    var granted: GrantedLatency? { get }
}

/// Defaults for devices that support neither start times nor names.
extension InputStream {
    /// Returns nil.
    public var servingThread: ServingThread? { nil }
    /// Starts at once.
    public func start(fragmentFrames: Int, atHostTime hostTime: UInt64) {
        start(fragmentFrames: fragmentFrames)
    }
    /// Does nothing.
    public func setName(_ name: String?) {}
    /// Returns nil.
    public var deviceClock: DeviceClockReading? { nil }
    /// The requested time, or now if it has passed.
    public func nearestStart(toHostTime hostTime: UInt64) -> UInt64 { max(hostTime, aq_host_time()) }
}

/// A reading of the capture clock, and the counts since the last start of a stopped stream.
public struct CapturePosition: Sendable, Equatable {
    /// Frames on the timeline: captured frames, lost frames and inserted silence. Decreases only when the start of a
    /// stopped stream resets it to 0.
    public var timelineFrames: Double
    /// The host time of the reading (CLOCK_MONOTONIC, nanoseconds).
    public var hostTime: UInt64
    /// Whether the clock runs.
    public var isRunning: Bool
    /// The number of overruns, interruptions and device changes.
    public var discontinuities: Int
    /// The number of overruns, and the frames lost in them because no segment was enqueued in time.
    public var overruns: Int
    public var lostFrames: Int64
    /// The number of times that the server or device disappeared, was suspended, or changed with a gap, and the frames
    /// of silence inserted for them.
    public var interruptions: Int
    public var interruptedFrames: Int64
    /// The number of frames that the server had no data for, replaced by silence.
    public var holeFrames: Int64

    public init(
        timelineFrames: Double = 0, hostTime: UInt64 = 0, isRunning: Bool = false, discontinuities: Int = 0,
        overruns: Int = 0, lostFrames: Int64 = 0, interruptions: Int = 0, interruptedFrames: Int64 = 0,
        holeFrames: Int64 = 0
    ) {
        self.timelineFrames = timelineFrames
        self.hostTime = hostTime
        self.isRunning = isRunning
        self.discontinuities = discontinuities
        self.overruns = overruns
        self.lostFrames = lostFrames
        self.interruptions = interruptions
        self.interruptedFrames = interruptedFrames
        self.holeFrames = holeFrames
    }
}
