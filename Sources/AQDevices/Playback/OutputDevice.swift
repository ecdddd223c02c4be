// SPDX-License-Identifier: MIT

import CAQRealTime

/// A device that plays audio: a sink of a PulseAudio server, the virtual device, or a manual device.
public protocol OutputDevice: Sendable {
    /// The name that selects this device: a sink's name, "default", "virtual" or "manual".
    var name: String { get }

    /// Makes a stopped stream. Returns at once: the device's own thread connects it when it is prepared or started, and
    /// reports a failure of a start as a ``DeviceEvent/Kind/failed`` event.
    ///
    /// - Throws: ``DeviceError/Code/unsupportedFormat`` if no device can play this configuration;
    ///   ``DeviceError/Code/refused`` if a thread is needed and cannot be created.
    func makeStream(_ configuration: OutputStreamConfiguration) throws(DeviceError) -> any OutputStream

    /// Returns whether samples of an encoding should be sent unconverted. The device can play all encodings.
    func prefers(_ encoding: SampleFormat.Encoding) -> Bool

    /// The device's own number of channels, which ``OutputStreamConfiguration/channelNumbers`` refers to.
    ///
    /// Blocks until the device answers; must not be called on a queue's thread.
    ///
    /// - Throws: ``DeviceError/Code/noServer``, also after a timeout; ``DeviceError/Code/noSuchDevice``;
    ///   ``DeviceError/Code/refused``.
    func ownChannels(timeoutSeconds: Double) throws(DeviceError) -> Int

    /// The device's own sample rate in hertz, 0 if it plays every rate, and channel count.
    ///
    /// Blocks, and throws, like ``ownChannels(timeoutSeconds:)``.
    func nativeFormat(timeoutSeconds: Double) throws(DeviceError) -> (sampleRate: Double, channels: Int)
}

extension OutputDevice {
    /// Returns ``SampleFormat/maximumChannels``, because a device without hardware accepts any number of channels.
    public func ownChannels(timeoutSeconds: Double) throws(DeviceError) -> Int {
        SampleFormat.maximumChannels
    }

    /// Returns a rate of 0, and ``ownChannels(timeoutSeconds:)``.
    public func nativeFormat(
        timeoutSeconds: Double
    ) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        (0, try ownChannels(timeoutSeconds: timeoutSeconds))
    }

    public func prefers(_ encoding: SampleFormat.Encoding) -> Bool { true }
}

/// The settings of a playback stream.
public struct OutputStreamConfiguration: Sendable {
    /// The format of the samples that the client will enqueue.
    public var format: SampleFormat
    /// The amount of audio that the device and the server hold; they may grant another amount.
    public var latency: LatencyGoal
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
    /// The device channel that plays each channel of the format, counted from 1, regardless of labels; nil assigns
    /// channels by their labels.
    ///
    /// If the device does not have a channel, the stream fails with ``DeviceError/Code/unsupportedFormat``. If the
    /// device disappears and playback resumes on another, labels are used again. Devices without hardware have no
    /// channels of their own, and use the format's order.
    public var channelNumbers: [Int]?
    /// Whether the stream should have its own thread, which can run the client's code: see
    /// ``OutputStream/servingThread``.
    public var servesClient = false
    /// The code that renders all audio of the stream; nil if the client enqueues segments. Only sinks of a server
    /// support it: the stream then has a thread of its own, and ``latency`` is not used. While the stream waits for a
    /// server or device, the code runs at the same pace, and its audio is dropped.
    public var slices: SliceSource?

    public init(
        format: SampleFormat, latency: LatencyGoal = .balanced, recoverySeconds: Double = 5,
        streamName: String? = nil, role: StreamRole? = nil, iconName: String? = nil,
        channelNumbers: [Int]? = nil
    ) {
        self.format = format
        self.latency = latency
        self.recoverySeconds = recoverySeconds
        self.streamName = streamName
        self.role = role
        self.iconName = iconName
        self.channelNumbers = channelNumbers
    }
}

/// A playback stream of a device.
///
/// Control calls may be made on any thread, return at once, and never wait for a server. The device's thread answers
/// each with an event in ``feed``, in the order in which it carried them out. The event contains the call's `ticket`.
public protocol OutputStream: AnyObject, Sendable {
    /// The queues for segments and for events.
    var feed: StreamFeed { get }
    /// The device's thread that serves only this stream and can run the client's code. Nil unless
    /// ``OutputStreamConfiguration/servesClient`` requested it, for devices without such threads, and if eight streams
    /// of the process have one.
    var servingThread: ServingThread? { get }

    /// Connects, so that a later start is faster. Posts no event; a failure is reported by the start.
    func prepare()
    /// Starts or resumes. The answer is `.started` when the device runs, or `.failed`. Does nothing if the stream runs,
    /// is about to, or waits for its device.
    func start()
    /// Starts or resumes so that the next frame is audible at a host time (CLOCK_MONOTONIC, nanoseconds).
    ///
    /// `.started` is posted when the device runs, which may be long before that time. Until then the device plays
    /// silence that is not on the timeline; ``position()`` does not advance, and enqueued audio waits. If the time has
    /// passed, or the device cannot start so soon, it starts as soon as possible. A pause or stop before that time
    /// cancels the start; an interruption or a flush does not.
    func start(atHostTime hostTime: UInt64)
    /// Pauses after a short fade, and keeps every frame that was not audible. The answer is `.paused`.
    func pause(ticket: UInt64)
    /// Returns all segments at once (`.segmentDone` for each), then posts `.stopped`. A short fade still plays.
    func stop(ticket: UInt64)
    /// Drops all audio that was not audible, and keeps running. Posts `.segmentDone` for each segment, then `.flushed`.
    func flush(ticket: UInt64)
    /// Plays everything in the feed, stops, and posts `.drained`. A time limit applies if the server never answers. On
    /// a stopped stream, posts `.drained` at once; on a paused one, after a later start. A stop, a flush and another
    /// drain answer a pending drain.
    func drain(ticket: UInt64)
    /// Disconnects permanently and returns all segments. `.closed` is the last event, except for the answers to later
    /// calls. A short fade still plays.
    func close(ticket: UInt64)
    /// Informs the device that segments were enqueued. Cheap; does nothing unless the device has run out of audio.
    func dataAvailable()

    /// Sets the gain (1 = unchanged) from the audible frame on. It is reached after `rampSeconds`.
    ///
    /// Later segments that set another gain still set it when they play.
    func setGain(_ gain: Float, rampSeconds: Double)
    /// Sets the pan between left (-1) and right (1) from the audible frame on. For stereo only: the gain of the other
    /// side is reduced in proportion. Later segments that set another pan still set it when they play.
    func setPan(_ pan: Float)
    /// The gain that a segment has set for the audible frame; during a ramp, the gain at its end. Nil if no segment has
    /// set a gain, or a call has set another since.
    var segmentGain: Float? { get }
    /// The pan that a segment has set for the audible frame. Nil if no segment has set a pan, or a call has set another
    /// since.
    var segmentPan: Float? { get }
    /// Changes the name that a mixer shows; nil for the program's name. The name is kept when the stream reconnects.
    func setName(_ name: String?)
    /// Turns level metering on or off.
    func setMetering(_ isOn: Bool)
    /// The levels of the audible audio, one for each channel, linear: 0 in silence; empty if metering is off.
    func levels() -> [ChannelLevel]

    /// The current playback position. From any thread; never waits.
    func position() -> PlaybackPosition
    /// The device's clock, in frames of the device; nil if the clock does not run for this stream.
    var deviceClock: DeviceClockReading? { get }
    /// An estimate of the earliest time, at or after `hostTime`, at which the next frame can be audible.
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64
    /// The latency that the device granted; nil before it is connected.
    var granted: GrantedLatency? { get }
}

/// Defaults for devices that support neither start times, pan nor names.
extension OutputStream {
    /// Returns nil.
    public var servingThread: ServingThread? { nil }
    /// Starts at once.
    public func start(atHostTime hostTime: UInt64) { start() }
    /// Does nothing.
    public func setPan(_ pan: Float) {}
    /// Does nothing.
    public func setName(_ name: String?) {}
    /// Returns nil.
    public var segmentGain: Float? { nil }
    /// Returns nil.
    public var segmentPan: Float? { nil }
    /// Returns nil.
    public var deviceClock: DeviceClockReading? { nil }
    /// The requested time, or now if it has passed.
    public func nearestStart(toHostTime hostTime: UInt64) -> UInt64 { max(hostTime, aq_host_time()) }
}

/// The levels of one channel over a short block, such as 20 ms, on a linear scale.
public struct ChannelLevel: Sendable, Equatable {
    public var rms: Float
    public var peak: Float
    public init(rms: Float, peak: Float) {
        self.rms = rms
        self.peak = peak
    }
}

/// The latency that a device granted.
public struct GrantedLatency: Sendable, Equatable {
    /// The size of the server's playback buffer, in frames; in capture, the longest audio that the server holds if the
    /// client's process does not run.
    public var targetFrames: Int
    /// The number of frames that the device requests or delivers at a time.
    public var requestFrames: Int
    /// The longest measured time from writing a frame until it is audible, or from the capture of a frame until it
    /// arrives, in seconds; 0 before the first measurement.
    public var measuredSeconds: Double
    /// The name of the device that plays or captures; "unknown" if the server does not report it.
    public var deviceName: String
    /// The device's own sample rate, in hertz, and channel count; 0 before the device has reported them.
    public var deviceSampleRate: Double
    public var deviceChannels: Int

    public init(
        targetFrames: Int, requestFrames: Int, measuredSeconds: Double, deviceName: String,
        deviceSampleRate: Double, deviceChannels: Int
    ) {
        self.targetFrames = targetFrames
        self.requestFrames = requestFrames
        self.measuredSeconds = measuredSeconds
        self.deviceName = deviceName
        self.deviceSampleRate = deviceSampleRate
        self.deviceChannels = deviceChannels
    }
}

/// A reading of the playback clock.
public struct PlaybackPosition: Sendable, Equatable {
    /// Frames since the stream started, including the silence of underruns: the timeline. Decreases only when the start
    /// of a stopped stream resets it to 0.
    public var timelineFrames: Double
    /// Frames of enqueued audio played since the last start of a stopped stream, or the last stop or flush.
    public var playedFrames: Double
    /// The other frames on the timeline before the next played frame: silence of underruns, and the frames from before
    /// the last stop or flush that were played or that the device still plays.
    public var otherFrames: Double
    /// The host time of the frame counts (CLOCK_MONOTONIC, nanoseconds).
    public var hostTime: UInt64
    /// Whether the clock runs.
    public var isRunning: Bool
    /// The number of underruns, interruptions and device changes since the stream was made.
    public var discontinuities: Int

    public init(
        timelineFrames: Double, playedFrames: Double, otherFrames: Double, hostTime: UInt64, isRunning: Bool,
        discontinuities: Int
    ) {
        self.timelineFrames = timelineFrames
        self.playedFrames = playedFrames
        self.otherFrames = otherFrames
        self.hostTime = hostTime
        self.isRunning = isRunning
        self.discontinuities = discontinuities
    }
}
