import CRealTime

/// Something that plays sound: a PulseAudio server's sink, the virtual device, or one cranked by hand.
public protocol OutputDevice: Sendable {
    /// The name by which a user chooses this device: a sink's name, "default", "virtual".
    var name: String { get }

    /// Makes a stream that is stopped. Returns at once: connecting happens on the device's own thread,
    /// and a failure arrives as a ``DeviceNotice/Kind/failed`` notice.
    ///
    /// - Throws: ``DeviceError`` when the device can never play this configuration.
    func makeStream(_ configuration: OutputStreamConfiguration) throws(DeviceError) -> any OutputStream

    /// Whether samples of an encoding should go to the device as they are. It plays the others too, if need be.
    func prefers(_ encoding: SampleFormat.Encoding) -> Bool

    /// How many channels the device has of its own: what ``OutputStreamConfiguration/channelNumbers`` may name.
    ///
    /// Blocks the calling thread, which must not be a queue's, until the device has told.
    ///
    /// - Throws: ``DeviceError/Code/noServer``, also when the time is over; ``DeviceError/Code/noSuchDevice``.
    func ownChannels(timeoutSeconds: Double) throws(DeviceError) -> Int
}

extension OutputDevice {
    /// As many as a stream can have: a device that is no hardware has what it is given.
    public func ownChannels(timeoutSeconds: Double) throws(DeviceError) -> Int {
        SampleFormat.maximumChannels
    }

    public func prefers(_ encoding: SampleFormat.Encoding) -> Bool { true }
}

/// What a stream is asked for.
public struct OutputStreamConfiguration: Sendable {
    /// The samples in the segments that the client will enqueue.
    public var format: SampleFormat
    /// How much the device and the server shall hold; what is granted may differ.
    public var latency: LatencyGoal
    /// How long a server that died or a device that vanished is waited for, in seconds.
    public var recoverySeconds: Double
    /// The name that a mixer shows beside the stream's volume; nil for the program's name. Devices without a server
    /// have no use for it, nor for role and icon.
    ///
    /// Role, icon and name are what the user has chosen, where the environment has `PULSE_PROP` or one of its variants.
    public var streamName: String?
    /// The purpose of the audio; nil leaves the server to treat the stream as any other.
    public var role: StreamRole?
    /// The icon that a mixer shows, by its name in the freedesktop icon naming specification, such as
    /// `audio-x-generic`; nil for the program's own, if it has one.
    public var iconName: String?
    /// For each channel of the format the device's channel that plays it, counted from 1, whatever its label says; nil
    /// goes by the labels.
    ///
    /// A channel that the device does not have makes the stream fail with ``DeviceError/Code/unsupportedFormat``.
    /// Where the device vanishes and another plays on, the labels count again. Devices without hardware have no
    /// channels of their own, and keep the format's order.
    public var channelNumbers: [Int]?

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

/// One stream of sound to a device.
///
/// Control calls return at once from any thread and never wait for a server. Each is answered by a
/// notice in ``feed``, in the order in which the device's thread carried them out; a `ticket` given
/// to a call comes back in its notice.
public protocol OutputStream: AnyObject, Sendable {
    /// Where segments go in and notices come out.
    var feed: StreamFeed { get }

    /// Connects, so that a start is heard sooner. Without an answer: what fails now, a start will tell.
    func prepare()
    /// Starts or resumes. Answered by `.started` when the device runs, or by `.failed`.
    func start()
    /// Starts or resumes so that the next frame is heard at a host time: CLOCK_MONOTONIC, nanoseconds.
    ///
    /// `.started` comes when the device runs, which may be long before. Silence is heard until that time, which is
    /// not on the timeline: ``position()`` stands. What is enqueued meanwhile waits. A time that has passed, or comes
    /// sooner than the device can start, is as soon as possible. A pause or stop before that time takes the start
    /// back; an interruption does not, nor does a flush.
    func start(atHostTime hostTime: UInt64)
    /// Stands still after a short fade, keeping every frame that was not yet heard. Answered by `.paused`.
    func pause(ticket: UInt64)
    /// Returns all segments at once (`.segmentDone` each), then `.stopped`. A short fade is heard beyond that.
    func stop(ticket: UInt64)
    /// Drops everything not yet heard but keeps running: `.segmentDone` for each segment, then `.flushed`.
    func flush(ticket: UInt64)
    /// Plays what is in the feed to its last frame, then stops: `.drained`. Ends by a time limit even
    /// when the server never answers.
    func drain(ticket: UInt64)
    /// Disconnects for good, returning all segments; `.closed` is the last notice. A short fade is heard beyond it.
    func close(ticket: UInt64)
    /// Tells the device that segments were enqueued. Cheap, and a no-op unless the device ran dry.
    func dataAvailable()

    /// Sets the gain (1 = unchanged) that is reached over `rampSeconds`, on what is not yet heard.
    ///
    /// Segments that set another one, and are not yet heard, still do in their turn.
    func setGain(_ gain: Float, rampSeconds: Double)
    /// Moves the sound between left, -1, and right, 1, on what is not yet heard: of stereo alone, whose other side
    /// grows softer in proportion. Segments that set another place still do in their turn.
    func setPan(_ pan: Float)
    /// The gain that a segment has set and that is in force where the stream is heard now, or the end of the ramp to
    /// it; nil if a call has set another since, or no segment has set any.
    var segmentGain: Float? { get }
    /// The same for the place between left and right.
    var segmentPan: Float? { get }
    /// Changes the name that a mixer shows; nil for the program's name. Reconnections keep it.
    func setName(_ name: String?)
    /// Turns level metering on or off.
    func setMetering(_ isOn: Bool)
    /// Levels of what is heard now, one for each channel, linear: 0 in silence; empty while metering is off.
    func levels() -> [ChannelLevel]

    /// Where playback is. From any thread; never waits.
    func position() -> PlaybackPosition
    /// The clock of the device, in its own frames; nil while it does not run for this stream.
    var deviceClock: DeviceClockReading? { get }
    /// About when the next frame can be heard, if it is wanted at `hostTime`: then, or as soon after as may be.
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64
    /// What the device granted; nil until it is connected.
    var granted: GrantedLatency? { get }
}

/// What a stream of a device does that knows no host times, sides or names.
extension OutputStream {
    /// Starts at once.
    public func start(atHostTime hostTime: UInt64) { start() }
    /// Changes nothing.
    public func setPan(_ pan: Float) {}
    /// Changes nothing.
    public func setName(_ name: String?) {}
    /// Nil.
    public var segmentGain: Float? { nil }
    /// Nil.
    public var segmentPan: Float? { nil }
    /// Nil.
    public var deviceClock: DeviceClockReading? { nil }
    /// The time that was asked for, or now.
    public func nearestStart(toHostTime hostTime: UInt64) -> UInt64 { max(hostTime, aq_host_time()) }
}

/// Linear level of one channel over the last few tens of milliseconds.
public struct ChannelLevel: Sendable, Equatable {
    public var rms: Float
    public var peak: Float
    public init(rms: Float, peak: Float) {
        self.rms = rms
        self.peak = peak
    }
}

/// What a device granted of the latency that was asked for.
public struct GrantedLatency: Sendable, Equatable {
    /// The whole buffer between the client and the loudspeaker, in frames.
    public var targetFrames: Int
    /// How much the device asks for at a time, in frames.
    public var requestFrames: Int
    /// The longest time measured between a frame's writing and its being heard, in seconds.
    public var measuredSeconds: Double
    /// The name of the device that plays.
    public var deviceName: String
    /// The device's own sample rate and channel count; 0 until it has told them.
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
    /// Frames since the stream started, silence of underruns included: the timeline. Never runs backwards.
    public var timelineFrames: Double
    /// Frames of enqueued audio heard since the last start, stop or flush.
    public var playedFrames: Double
    /// What the timeline has beside them, and will have before the next of them is heard: silence for want of audio,
    /// what stops and flushes have dropped, and what the device still plays of that.
    public var otherFrames: Double
    /// The host time (CLOCK_MONOTONIC, nanoseconds) to which both belong.
    public var hostTime: UInt64
    /// Whether the clock moves.
    public var isRunning: Bool
    /// Counts underruns, reconnections and device changes.
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
