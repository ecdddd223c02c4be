// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// A capture stream on a PulseAudio server.
///
/// All fields belong to the loop's thread, except the few documented as shared. The public calls post their work there
/// and return; no call waits for the server.
///
/// The server's stream exists only while frames are wanted. It is made at every start, and dropped when all frames
/// captured before a pause or stop have arrived. So no old audio is delivered later, and no source is kept running
/// without need. ``filler`` counts frames from the start of the timeline, ``receivedFrames`` from the start of the
/// current server stream.
@safe final class PulseInputStream: InputStream, PulseConnectionClient, @unchecked Sendable {
    // SAFETY: fields are used only on the loop's thread, except for `feed`, `clock` and the filler's meter, which
    // support many threads, the atomics, and `grant`.

    /// The objects that the audio path uses.
    ///
    /// REAL-TIME: a reference loaded from a field is retained in debug builds; an unmanaged one is not.
    @safe struct References {
        // SAFETY: the objects live as long as the stream or the process.
        let feed: Unmanaged<StreamFeed>
        let clock: Unmanaged<CaptureClock>
        let filler: Unmanaged<SegmentFiller>
        let held: Unmanaged<HeldFrames>
        let loop: Unmanaged<PulseLoop>
        let grant: Unmanaged<PulseGrant>
        let server: Unmanaged<PulseServerStream>
    }

    let feed: StreamFeed
    let clock = CaptureClock()
    let filler: SegmentFiller
    /// The frames that wait for a segment. They are kept here, because libpulse's queue is lost with the server.
    let held: HeldFrames
    let connection: PulseConnection
    let configuration: InputStreamConfiguration
    /// The name requested from the server; nil for its default.
    let source: String?
    let grant = PulseGrant()
    /// Whether frames wait for room.
    let isWaiting = Atomic<Bool>(false)
    /// Whether frames arrive before they are audible, as from a monitor of PulseAudio.
    let arrivesAhead: Atomic<Bool>
    let references: References
    let fillsGaps: Bool
    let bytesPerFrame: Int
    let sampleRate: Double

    var lifecycle = CaptureLifecycle()
    let server: PulseServerStream
    var kind: SourceKind
    /// Whether the source was suspended at the last check.
    var wasSuspended = false
    var fragmentFrames = 0
    /// The start time: frames captured before it are dropped, and the timeline does not advance. 0 after the first
    /// frame in time.
    var startHostTime: UInt64 = 0
    /// The start time of a start that was called during a pause or stop.
    var nextStartHostTime: UInt64 = 0
    /// The source of the stream that is made next, and the channels that the client selected.
    var target: PulseTarget
    /// The name of the default sink's monitor, for the stream that is made next.
    var monitorName: String?
    var grantedFragmentSeconds = 0.0
    /// The number of frames read from the current server stream.
    var receivedFrames: Int64 = 0
    /// The first frame of the current server stream that was captured too late for the pause or stop in progress.
    /// Frames from here on are dropped.
    var cutFrame = Int64.max
    var watch: GapWatch
    /// The capture time of the newest frame; 0 if there was none since the last start from a stop.
    var capturedTime: UInt64 = 0
    /// The time that later time stamps must not precede: the last time stamp, or the end of inserted silence.
    var stampedTime: UInt64 = 0
    /// Whether frames were captured since the last start from a stop. If so, the stream waits for a lost server.
    var hasCaptured = false
    var time = CaptureClock.State()
    var rate: SourceRate
    var deadline = UInt64.max
    /// The time of the next request for the source's latency.
    var timingAt: UInt64 = 0

    /// The owner of the connection, which only this stream and a playback stream of the same client use; nil if it is
    /// shared.
    let ownConnection: PulseOwnConnection?

    /// - Parameter own: The owner of the connection, if it is not shared.
    init(
        _ configuration: InputStreamConfiguration, source: String?, connection: PulseConnection,
        own: PulseOwnConnection? = nil
    ) {
        self.configuration = configuration
        ownConnection = own
        feed = StreamFeed(isAwaited: own == nil)
        self.source = source
        self.connection = connection
        target = PulseTarget(configuration.channelNumbers)
        server = PulseServerStream(
            PulseStreamProperties(
                name: configuration.streamName, role: configuration.role, iconName: configuration.iconName),
            of: connection)
        fillsGaps = configuration.fillsGaps
        let format = configuration.format
        bytesPerFrame = format.bytesPerFrame
        sampleRate = format.sampleRate
        filler = SegmentFiller(format: format, feed: feed, clock: clock)
        // With this order of the arguments, NaN becomes 0.
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
    var recoverySeconds: Double { configuration.recoverySeconds }

    /// The current host time, as used for the loop's deadlines. REAL-TIME.
    var loopTime: UInt64 { @_noLocks get { unsafe references.loop._withUnsafeGuaranteedRef { $0.now } } }

    /// The calls of the server's stream; nil if there is none. Loop thread only. REAL-TIME.
    var stream: PulseStreamCalls? {
        @_noLocks get { unsafe references.server._withUnsafeGuaranteedRef { $0.calls } }
    }

    /// Whether the source is suspended. Loop thread only. REAL-TIME.
    var isSuspended: Bool {
        @_noLocks get { unsafe references.server._withUnsafeGuaranteedRef { $0.isSuspended } }
    }

    // MARK: Control, from any thread

    var servingThread: ServingThread? { ownConnection.map { ServingThread(connection.loop, of: $0) } }

    func start(fragmentFrames: Int) {
        connection.perform { [self] in startCapturing(fragmentFrames: fragmentFrames) }
    }
    func start(fragmentFrames: Int, atHostTime hostTime: UInt64) {
        connection.perform { [self] in startCapturing(fragmentFrames: fragmentFrames, at: hostTime) }
    }
    func pause(ticket: UInt64) { end(isStop: false, ticket) }
    func stop(ticket: UInt64) { end(isStop: true, ticket) }
    private func end(isStop: Bool, _ ticket: UInt64) {
        let ending = CaptureLifecycle.Ending(isStop: isStop, ticket: ticket, hostTime: loopTime)
        connection.perform { [self] in endCapturing(ending) }
    }
    func flush(ticket: UInt64) { connection.perform { [self] in flushSegment(ticket) } }
    func reset(ticket: UInt64) { connection.perform { [self] in resetSegments(ticket) } }
    func close(ticket: UInt64) { connection.perform { [self] in closeCapture(ticket) } }

    func roomAvailable() {
        if isWaiting.load(ordering: .sequentiallyConsistent) { connection.loop.kick() }
    }

    func setGain(_ gain: Float) { connection.perform { [self] in filler.gain = gain } }
    func setName(_ name: String?) { connection.perform { [self] in server.setName(name) } }
    func setMetering(_ isOn: Bool) { filler.meter.setOn(isOn) }

    func levels() -> [ChannelLevel] {
        let state = clock.snapshot()
        let frame = state.frame(at: aq_host_time())
        // A monitor's fragment arrives before it is audible. A microphone's levels are reported one fragment late, so
        // that each block of a fragment is reported while the next fragment is captured.
        let isAhead = arrivesAhead.load(ordering: .relaxed)
        return filler.meter.levels(at: isAhead ? frame : frame - max(0, state.limitFrame - state.anchorFrame))
    }

    func position() -> CapturePosition { clock.position() }

    var deviceClock: DeviceClockReading? {
        clock.deviceReading(streamRate: sampleRate, deviceRate: grant.deviceSampleRate)
    }

    var granted: GrantedLatency? { grant.latency }
}
