import CRealTime
import Synchronization

/// A capture stream on a PulseAudio server.
///
/// Everything but the few fields said to be shared belongs to the loop's thread. The public calls post
/// their work there and return; no call waits for the server.
///
/// The server's stream lives only while frames are wanted: it is made at every start, and dropped when
/// a pause or stop has all that was captured before it, so that nothing old can be heard later and no
/// source is kept awake. Frames are numbered from the first of the timeline by ``filler``, and from the first
/// of the present server stream by ``receivedFrames``.
@safe final class PulseInputStream: InputStream, PulseConnectionClient, @unchecked Sendable {
    // SAFETY: fields are used on the loop's thread only, but for `feed`, `clock` and the filler's meter,
    // which are made for many threads, for the atomics, and for `grant`.

    /// The objects that the audio path uses.
    ///
    /// REAL-TIME: a reference loaded from a field is retained in debug builds; an unmanaged one is not.
    @safe struct References {
        // SAFETY: the stream holds the objects, or the process does.
        let feed: Unmanaged<StreamFeed>
        let clock: Unmanaged<CaptureClock>
        let filler: Unmanaged<SegmentFiller>
        let held: Unmanaged<HeldFrames>
        let loop: Unmanaged<PulseLoop>
        let grant: Unmanaged<PulseGrant>
        let server: Unmanaged<PulseServerStream>
    }

    let feed = StreamFeed()
    let clock = CaptureClock()
    let filler: SegmentFiller
    /// Kept here and not in libpulse's queue, which loses what it holds together with the server.
    let held: HeldFrames
    let connection: PulseConnection
    let configuration: InputStreamConfiguration
    /// What the server is asked for; nil lets it choose.
    let source: String?
    let grant = PulseGrant()
    /// Whether frames wait for room.
    let isWaiting = Atomic<Bool>(false)
    /// Whether frames are there before they are heard, as a monitor's of PulseAudio.
    let arrivesAhead: Atomic<Bool>
    let references: References
    let bytesPerFrame: Int
    let sampleRate: Double

    var lifecycle = CaptureLifecycle()
    let server: PulseServerStream
    var kind: SourceKind
    /// Whether the source slept when that was looked at last.
    var wasSuspended = false
    var fragmentFrames = 0
    /// Frames captured before it are dropped, and the timeline stands until then; 0 once there was a frame of it.
    var startHostTime: UInt64 = 0
    /// The same for a start that was called while a pause or stop was under way.
    var nextStartHostTime: UInt64 = 0
    /// The source's channels that the client chose for the format's.
    var channels: PulseChannelChoice
    var grantedFragmentSeconds = 0.0
    /// Frames read from the present server stream.
    var receivedFrames: Int64 = 0
    /// Frames of it from here on came too late for ``ending`` and are dropped.
    var cutFrame = Int64.max
    var watch: GapWatch
    /// When the newest frame was captured; 0 when none was since the last start from a stop.
    var capturedTime: UInt64 = 0
    /// The time stamp given last: none may be before it.
    var stampedTime: UInt64 = 0
    /// Frames were captured since the last start from a stop: what was running waits for a lost server.
    var hasCaptured = false
    var time = CaptureClock.State()
    var rate: SourceRate
    /// When ``checkDeadline(_:)`` has something to do, as host time: the phase tells what.
    var deadline = UInt64.max
    /// When the server is to be asked for the source's latency again.
    var timingAt: UInt64 = 0

    init(_ configuration: InputStreamConfiguration, source: String?, connection: PulseConnection) {
        self.configuration = configuration
        self.source = source
        self.connection = connection
        channels = PulseChannelChoice(configuration.channelNumbers)
        server = PulseServerStream(
            PulseStreamProperties(
                name: configuration.streamName, role: configuration.role, iconName: configuration.iconName),
            of: connection)
        let format = configuration.format
        bytesPerFrame = format.bytesPerFrame
        sampleRate = format.sampleRate
        filler = SegmentFiller(format: format, feed: feed, clock: clock)
        // In this order what is no number becomes the least.
        let heldSeconds = max(0, min(configuration.heldSeconds, 60))
        held = HeldFrames(
            format: format, capacityFrames: Int(heldSeconds * format.sampleRate), filler: filler)
        kind = SourceKind(isMonitor: source.map(PulseSource.isMonitor(named:)) ?? false)
        arrivesAhead = Atomic(kind.arrivesAhead)
        watch = GapWatch(sampleRate: format.sampleRate)
        watch.times.isMonitor = kind.arrivesAhead
        rate = SourceRate(sampleRate: format.sampleRate)
        references = unsafe References(
            feed: .passUnretained(feed), clock: .passUnretained(clock), filler: .passUnretained(filler),
            held: .passUnretained(held), loop: .passUnretained(connection.loop),
            grant: .passUnretained(grant), server: .passUnretained(server))
        server.setOwner(reference)
    }

    var reference: PulseStreamReference { unsafe .input(.passUnretained(self)) }

    /// The time of the loop's deadlines, as host time. REAL-TIME.
    var loopTime: UInt64 { @_noLocks get { unsafe references.loop._withUnsafeGuaranteedRef { $0.now } } }

    /// The calls of the server's stream; nil while there is none. Loop thread only. REAL-TIME.
    var stream: PulseStreamCalls? {
        @_noLocks get { unsafe references.server._withUnsafeGuaranteedRef { $0.calls } }
    }

    /// Whether the source sleeps. Loop thread only. REAL-TIME.
    var isSuspended: Bool {
        @_noLocks get { unsafe references.server._withUnsafeGuaranteedRef { $0.isSuspended } }
    }

    // MARK: Control, from any thread

    func start(fragmentFrames: Int) {
        connection.perform { [self] in startCapturing(fragmentFrames: fragmentFrames) }
    }
    func start(fragmentFrames: Int, atHostTime hostTime: UInt64) {
        connection.perform { [self] in startCapturing(fragmentFrames: fragmentFrames, at: hostTime) }
    }
    func pause(ticket: UInt64) {
        let ending = CaptureLifecycle.Ending(isStop: false, ticket: ticket, hostTime: loopTime)
        connection.perform { [self] in endCapturing(ending) }
    }
    func stop(ticket: UInt64) {
        let ending = CaptureLifecycle.Ending(isStop: true, ticket: ticket, hostTime: loopTime)
        connection.perform { [self] in endCapturing(ending) }
    }
    func flush(ticket: UInt64) { connection.perform { [self] in flushSegment(ticket) } }
    func reset(ticket: UInt64) { connection.perform { [self] in resetSegments(ticket) } }
    func close(ticket: UInt64) { connection.perform { [self] in closeCapture(ticket) } }

    func roomAvailable() {
        if isWaiting.load(ordering: .sequentiallyConsistent) { connection.loop.kick() }
    }

    func setGain(_ gain: Float) { connection.perform { [self] in filler.gain = gain } }
    func setName(_ name: String?) {
        connection.perform { [self] in server.setName(name) }
    }
    func setMetering(_ isOn: Bool) { filler.meter.setOn(isOn) }

    func levels() -> [ChannelLevel] {
        let state = clock.snapshot()
        let frame = state.frame(at: aq_host_time())
        // A monitor's fragment is there before it is heard. A microphone's levels are one fragment late, so that
        // each of its blocks has its turn while the next fragment is captured.
        let isAhead = arrivesAhead.load(ordering: .relaxed)
        return filler.meter.levels(at: isAhead ? frame : frame - max(0, state.limitFrame - state.anchorFrame))
    }

    func position() -> CapturePosition { clock.position() }

    var deviceClock: DeviceClockReading? {
        clock.deviceReading(streamRate: sampleRate, deviceRate: grant.deviceSampleRate)
    }

    var granted: GrantedLatency? { grant.latency }
}
