import CRealTime

/// Something that captures sound: a PulseAudio server's source, the virtual source, or one cranked by hand.
public protocol InputDevice: Sendable {
    /// The name by which a user chooses this device: a source's name, "default", "virtual".
    var name: String { get }

    /// The device's own sample rate in hertz and channel count: what it captures without conversion.
    ///
    /// Blocks the calling thread, which must not be a queue's, until the device has told.
    ///
    /// - Throws: ``DeviceError/Code/noServer``, also when the time is over; ``DeviceError/Code/noSuchDevice``.
    func nativeFormat(timeoutSeconds: Double) throws(DeviceError) -> (sampleRate: Double, channels: Int)

    /// Makes a stream that is stopped. Returns at once: connecting happens on the device's own thread,
    /// and a failure arrives as a ``DeviceNotice/Kind/failed`` notice.
    ///
    /// - Throws: ``DeviceError`` when the device can never capture this configuration.
    func makeStream(_ configuration: InputStreamConfiguration) throws(DeviceError) -> any InputStream
}

/// What a capture stream is asked for.
public struct InputStreamConfiguration: Sendable {
    /// The samples that the client's segments are to be filled with.
    public var format: SampleFormat
    /// How much captured sound may wait for a segment before frames are lost, in seconds.
    public var heldSeconds: Double
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
    /// For each channel of the format the device's channel that it is captured from, counted from 1, whatever its label
    /// says; nil goes by the labels.
    ///
    /// A channel that the device does not have makes the stream fail with ``DeviceError/Code/unsupportedFormat``.
    /// Devices without hardware have no channels of their own, and keep the format's order.
    public var channelNumbers: [Int]?

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

/// One stream of sound from a device.
///
/// Control calls return at once from any thread and never wait for a server. Each is answered by a notice in
/// ``feed``, in the order in which the device's thread carried them out; a `ticket` given to a call comes
/// back in its notice.
///
/// Segments are filled in order, each to its last byte unless a call below hands it over earlier, and each with
/// frames that follow one another. Frames are numbered on the stream's timeline from the first that is
/// captured after ``start(fragmentFrames:)`` on a stopped stream, lost ones included.
public protocol InputStream: AnyObject, Sendable {
    /// Where empty segments go in and notices come out.
    var feed: StreamFeed { get }

    /// Starts or resumes. Answered by `.started` when the device captures, or by `.failed`.
    ///
    /// - Parameter fragmentFrames: How much the device should hand over at a time: the shorter, the earlier
    ///   a segment is full, and the more often the process wakes up. What is granted may differ.
    func start(fragmentFrames: Int)
    /// Starts or resumes with the first frame that is captured at a host time: CLOCK_MONOTONIC, nanoseconds.
    ///
    /// `.started` comes when the device runs, which may be long before. What is captured until that time is dropped,
    /// and is not on the timeline: ``position()`` stands. A time that has passed is as soon as possible. A pause or
    /// stop before that time takes the start back; an interruption does not.
    func start(fragmentFrames: Int, atHostTime hostTime: UInt64)
    /// Stands still. What was captured before the call is kept, what comes after it is dropped, and the
    /// timeline stands: the frames after a pause follow those before it. Answered by `.paused`.
    func pause(ticket: UInt64)
    /// Stops. What was captured before the call goes to segments, as far as there are any, and the rest of it is
    /// dropped without being counted as lost; the partly filled segment is returned with what it holds, the
    /// others with 0 bytes (`.segmentDone` each); then `.stopped`.
    /// Takes as long as the device needs to hand over what it holds, and is bounded.
    func stop(ticket: UInt64)
    /// Returns the partly filled segment with what it holds, if it holds anything; then `.flushed`. Goes on.
    func flush(ticket: UInt64)
    /// Returns the partly filled segment with what it holds, the others with 0 bytes; then `.reset`. Goes on.
    func reset(ticket: UInt64)
    /// Disconnects for good, returning all segments; `.closed` is the last notice.
    func close(ticket: UInt64)
    /// Tells the device that segments were enqueued. Cheap, and a no-op unless frames wait for room.
    func roomAvailable()

    /// Sets the gain (1 = unchanged) of what is captured from now on. Integers are clipped.
    func setGain(_ gain: Float)
    /// Changes the name that a mixer shows; nil for the program's name. Reconnections keep it.
    func setName(_ name: String?)
    /// Turns level metering on or off.
    func setMetering(_ isOn: Bool)
    /// Levels of what was captured last, gain included, one for each channel, linear; empty while metering is
    /// off.
    func levels() -> [ChannelLevel]

    /// Where capture is. From any thread; never waits.
    func position() -> CapturePosition
    /// The clock of the device, in its own frames; nil while it does not run for this stream.
    var deviceClock: DeviceClockReading? { get }
    /// When the first frame can be captured, if it is wanted at `hostTime`: then, or now.
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64
    /// What the device granted; nil until it is connected. ``GrantedLatency/requestFrames`` is the fragment.
    var granted: GrantedLatency? { get }
}

/// What a stream of a device does that knows no host times or names.
extension InputStream {
    /// Starts at once.
    public func start(fragmentFrames: Int, atHostTime hostTime: UInt64) {
        start(fragmentFrames: fragmentFrames)
    }
    /// Changes nothing.
    public func setName(_ name: String?) {}
    /// Nil.
    public var deviceClock: DeviceClockReading? { nil }
    /// The time that was asked for, or now.
    public func nearestStart(toHostTime hostTime: UInt64) -> UInt64 { max(hostTime, aq_host_time()) }
}

/// A reading of the capture clock, and what was counted since the stream was last started from a stop.
public struct CapturePosition: Sendable, Equatable {
    /// Frames on the timeline: what was captured, lost, and filled with silence. Never runs backwards.
    public var timelineFrames: Double
    /// The host time (CLOCK_MONOTONIC, nanoseconds) to which it belongs.
    public var hostTime: UInt64
    /// Whether the clock moves.
    public var isRunning: Bool
    /// Counts overruns, interruptions and device changes.
    public var discontinuities: Int
    /// How often, and how many frames, were lost since no segment was enqueued in time.
    public var overruns: Int
    public var lostFrames: Int64
    /// How often the server or device went away and came back, and the frames of silence put in for it.
    public var interruptions: Int
    public var interruptedFrames: Int64
    /// Frames for which the server had no data, and which are silence.
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
