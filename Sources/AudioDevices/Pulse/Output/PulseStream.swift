import CRealTime
import Synchronization

/// A playback stream on a PulseAudio server.
///
/// Everything but the few fields said to be shared belongs to the loop's thread. The public calls post
/// their work there and return; no call waits for the server.
///
/// Frames are counted in two ways. *Source* frames are the renderer's: what was enqueued, from the first
/// on. *Device* frames count what was written into the present server stream. Their difference,
/// ``sourceOffset``, changes only when nothing written remains to be heard, so that one number maps all.
@safe final class PulseStream: OutputStream, PulseConnectionClient, @unchecked Sendable {
    // SAFETY: fields are used on the loop's thread only, but for `feed`, `clock`, and the renderer's `meter` and
    // `heard`, which are made for many threads, for the atomics, and for `grant`.

    /// How far a start at a host time has come.
    enum LeadIn {
        /// It is heard, or was to be as soon as possible.
        case none
        /// The server is fed with silence.
        case waiting
        /// What is to be heard first was written to its place, ``contentFrame``.
        case placed
    }

    /// The time of a fade-out or fade-in, in seconds: long enough not to click, too short to be noticed.
    ///
    /// Beyond 3 kHz, what is left of a sine of 1 kHz's being cut is 39 dB below what a cut without a fade has there.
    /// Twice the time gains 6 dB more.
    static let fadeSeconds = 0.005

    let feed: StreamFeed
    let clock: PlaybackClock
    let renderer: Renderer
    let connection: PulseConnection
    let configuration: OutputStreamConfiguration
    let grant = PulseGrant()
    /// Whether the client is to tell when it has enqueued something.
    let isStarved = Atomic<Bool>(false)
    /// Whether it has, or more was there than was taken.
    let mustBeFed = Atomic<Bool>(false)
    /// Calls that set volume or pan and are not yet carried out.
    let parameterCalls = Atomic<Int>(0)
    // REAL-TIME: a reference loaded from a field is retained in debug builds; an unmanaged one is not.
    let feedReference: Unmanaged<StreamFeed>
    let rendererReference: Unmanaged<Renderer>
    let clockReference: Unmanaged<PlaybackClock>
    let loopReference: Unmanaged<PulseLoop>
    let grantReference: Unmanaged<PulseGrant>
    let serverReference: Unmanaged<PulseServerStream>
    let bytesPerFrame: Int
    let sampleRate: Double
    /// How much is written at first: so much that the rest is not late, however busy the machine.
    let firstWriteFrames: Int
    /// Whether a buffer goes back when the server has used it up, rather than when it has taken it.
    let returnsWhenUsedUp: Bool
    var hasRealTimeCallbacks: Bool { returnsWhenUsedUp }

    /// The buffer asked of the server, and the one that it granted.
    var targetFrames: Int
    var grantedFrames = 0
    /// How much the server is asked to ask for at a time.
    var requestFrames = 1
    /// Of the client's buffers, if they are all that there is.
    var reserve = BufferReserve()
    var lifecycle = PlaybackLifecycle()
    var sink: String?
    /// The sink's channels that the client chose for the format's, as long as it is the sink that they are of.
    var channels: PulseChannelChoice
    let server: PulseServerStream
    /// The stream is empty and `deviceFrames` is where the server will read next: it may be started.
    var isSettled = false
    /// Whether the write callback feeds the server: running, and no fade-out written.
    var isFeeding = false
    /// The end of the fade-out that was written last, in device frames, and when it is heard by all that is known.
    var fadeEndFrame: Int64 = 0
    var fadeHostTime: UInt64 = 0
    /// Whether the audio ended without a fade or silence behind it, so that the server may hold back its last frames.
    var endsDry = false
    /// When the server is asked for its place next without its asking for more, and how long after that, in nanoseconds,
    /// and how often yet: ``lookClosely()``.
    var lookAt = UInt64.max
    var lookInterval: UInt64 = 0
    var looksLeft = 0
    /// When a new stream's server is asked what it is like, as host time: ``askForSinkFacts()``.
    var questionsAt = UInt64.max
    /// When it was asked for its place last, as host time.
    var askedAt: UInt64 = 0
    /// When the first frame is to be heard after the start that was called last; 0 for as soon as possible.
    var startHostTime: UInt64 = 0
    var leadIn = LeadIn.none
    /// The device frame that is heard at ``startHostTime``, by all that is known; `.max` before anything is.
    var startFrame = Int64.max
    /// The device frame at which the client's audio begins since the stream was last let run.
    var contentFrame: Int64 = 0
    /// ``hasPlayed`` before what is to be heard at ``startHostTime`` was written.
    var hadPlayedBefore = false
    var time = PlaybackClock.State()
    var timing = PulseTiming()
    /// Through the device frames that were heard, while the sink moves.
    var clockFit: ClockFit
    var sourceOffset: Int64 = 0
    var deviceFrames: Int64 = 0
    /// Where the next write goes when not to the end, in device frames; -1 for the end.
    var seekFrames: Int64 = -1
    /// Frames that may be written beyond what the server asked for: they replace others.
    var replacedFrames = 0
    /// Audio was handed out since the last start or flush: without it, dry is not an underrun.
    var hasPlayed = false
    /// The device frame at which that audio began.
    var firstFrame: Int64 = 0
    /// The end of what was written when the server said last that it has nothing to play, in device frames.
    var dryFrame: Int64 = 0
    /// The server said that it plays what was written, and has not run dry since.
    var isSounding = false
    /// The end of what was written when ``watchForStandstill()`` was called last, in device frames.
    var watchedFrame: Int64 = 0
    /// When ``checkDeadline(_:)`` has something to do, as host time: the phase and the drain tell what.
    var deadline = UInt64.max

    init(_ configuration: OutputStreamConfiguration, sink: String?, connection: PulseConnection) {
        self.configuration = configuration
        self.sink = sink
        channels = PulseChannelChoice(configuration.channelNumbers)
        server = PulseServerStream(
            PulseStreamProperties(
                name: configuration.streamName, role: configuration.role, iconName: configuration.iconName),
            of: connection)
        self.connection = connection
        feed = StreamFeed(commonProcessor: connection.loop.commonProcessor)
        let format = configuration.format
        bytesPerFrame = format.bytesPerFrame
        sampleRate = format.sampleRate
        firstWriteFrames = max(1, Int(0.05 * format.sampleRate))
        clockFit = ClockFit(sampleRate: format.sampleRate)
        clock = PlaybackClock(sampleRate: format.sampleRate)
        targetFrames = PulseStream.leastTargetFrames(configuration)
        returnsWhenUsedUp = configuration.latency == .buffers
        renderer = Renderer(
            format: format, feed: feed,
            historyFrames: PlaybackHistory.frames(forHeldFrames: targetFrames),
            keepsSegments: returnsWhenUsedUp)
        unsafe feedReference = .passUnretained(feed)
        unsafe rendererReference = .passUnretained(renderer)
        unsafe clockReference = .passUnretained(clock)
        unsafe loopReference = .passUnretained(connection.loop)
        unsafe grantReference = .passUnretained(grant)
        unsafe serverReference = .passUnretained(server)
        server.setOwner(reference)
    }

    var reference: PulseStreamReference { unsafe .output(.passUnretained(self)) }

    /// The time of the loop's deadlines, as host time. Loop thread only, as what follows. REAL-TIME.
    var loopTime: UInt64 { @_noLocks get { unsafe loopReference._withUnsafeGuaranteedRef { $0.now } } }

    /// The calls of the server's stream; nil while there is none. REAL-TIME.
    var stream: PulseStreamCalls? {
        @_noLocks get { unsafe serverReference._withUnsafeGuaranteedRef { $0.calls } }
    }

    /// Whether the sink sleeps. REAL-TIME.
    var isSuspended: Bool {
        @_noLocks get { unsafe serverReference._withUnsafeGuaranteedRef { $0.isSuspended } }
    }

    // MARK: Control, from any thread

    func prepare() { connection.perform { [self] in preparePlaying() } }
    func start() { connection.perform { [self] in startPlaying() } }
    func start(atHostTime hostTime: UInt64) {
        connection.perform { [self] in startPlaying(at: hostTime) }
    }
    func pause(ticket: UInt64) { connection.perform { [self] in pausePlaying(ticket) } }
    func stop(ticket: UInt64) { connection.perform { [self] in stopPlaying(ticket) } }
    func flush(ticket: UInt64) { connection.perform { [self] in flushPlaying(ticket) } }
    func drain(ticket: UInt64) { connection.perform { [self] in drainPlaying(ticket) } }
    func close(ticket: UInt64) { connection.perform { [self] in closePlaying(ticket) } }

    func dataAvailable() {
        if isStarved.load(ordering: .sequentiallyConsistent) {
            mustBeFed.store(true, ordering: .releasing)
            connection.loop.kick()
        }
    }

    func setGain(_ gain: Float, rampSeconds: Double) {
        parameterCalls.add(1, ordering: .relaxed)
        connection.perform { [self] in changeGain(gain, rampSeconds: rampSeconds) }
    }

    func setPan(_ pan: Float) {
        parameterCalls.add(1, ordering: .relaxed)
        connection.perform { [self] in changePan(pan) }
    }

    func setName(_ name: String?) {
        connection.perform { [self] in server.setName(name) }
    }

    func setMetering(_ isOn: Bool) { renderer.meter.setOn(isOn) }

    func position() -> PlaybackPosition { clock.position() }

    var deviceClock: DeviceClockReading? {
        clock.deviceReading(deviceRate: grant.deviceSampleRate)
    }

    var granted: GrantedLatency? { grant.latency }

    // MARK: Sizes

    /// What the sink holds can no longer be faded or rewritten.
    private static let longestSinkSeconds = 0.04

    /// The buffer asked of the server, or the least of what may be. Below 1 ms a client would drag the whole
    /// sink to its wake-up rate.
    static func leastTargetFrames(_ configuration: OutputStreamConfiguration) -> Int {
        let seconds =
            switch configuration.latency {
            // In this order what is no number becomes the least.
            case .seconds(let seconds): max(0.001, min(seconds, 10))
            case .buffers: 0.001
            }
        return max(16, Int(seconds * configuration.format.sampleRate))
    }

    /// Chooses what to ask of the server for what is there to be played.
    func chooseTarget() {
        guard returnsWhenUsedUp else {
            requestFrames = PulseStream.requestFrames(forTargetFrames: targetFrames, sampleRate)
            return
        }
        let (frames, segments) = renderer.framesToPlay(usedUpTo: renderer.cursor)
        // Of a stream that is made anew while the client fills its buffers the next ones are like those before.
        if segments == 0, grantedFrames > 0 { return }
        targetFrames = max(
            min(frames, Int(10 * sampleRate)), PulseStream.leastTargetFrames(configuration))
        // Two requests, and two of the sink's periods, for each of the client's buffers: a buffer is known to be used
        // up, and comes back, when it is, wherever in a period it ends. Whole buffers are told too late where they
        // and the periods once fell apart; shorter requests wake everybody more often for little.
        // Long ones are cut so that the sink, whose frames can no longer be faded, holds little.
        let bufferFrames = targetFrames / max(1, segments)
        requestFrames = max(1, min(bufferFrames / 2, Int(PulseStream.longestSinkSeconds * sampleRate)))
        reserve = BufferReserve(
            totalFrames: targetFrames, buffers: segments, requestFrames: requestFrames, sampleRate: sampleRate
        )
    }

    /// How much the server should ask for at a time, if that does not hang on the client's buffers.
    ///
    /// The server gives its sink half of what two requests leave of the buffer, and what the sink holds
    /// can no longer be faded or rewritten. So a large buffer means large, rare requests, while the sink
    /// gets a quarter of the buffer but at most 40 ms.
    private static func requestFrames(forTargetFrames targetFrames: Int, _ sampleRate: Double) -> Int {
        let sink = min(targetFrames / 4, Int(longestSinkSeconds * sampleRate))
        return max(1, targetFrames / 2 - sink)
    }
}
