// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// A playback stream on a PulseAudio server.
///
/// All fields belong to the loop's thread, except the few documented as shared. The public calls post their work there
/// and return; no call waits for the server.
@safe final class PulseStream: OutputStream, PulseConnectionClient, @unchecked Sendable {
    // SAFETY: fields are used only on the loop's thread, except for `feed`, `clock`, and the renderer's `meter` and
    // `published`, which support many threads, the atomics, and `grant`.

    /// The time of a fade-out or fade-in, in seconds: long enough to prevent a click, too short to be audible.
    static let fadeSeconds = 0.005

    /// The objects that the audio path uses.
    ///
    /// REAL-TIME: a reference loaded from a field is retained in debug builds; an unmanaged one is not.
    @safe struct References {
        // SAFETY: the objects live as long as the stream or the process.
        let feed: Unmanaged<StreamFeed>
        let renderer: Unmanaged<Renderer>
        let clock: Unmanaged<PlaybackClock>
        let loop: Unmanaged<PulseLoop>
        let grant: Unmanaged<PulseGrant>
        let server: Unmanaged<PulseServerStream>
    }

    let feed: StreamFeed
    let clock: PlaybackClock
    let renderer: Renderer
    let connection: PulseConnection
    let configuration: OutputStreamConfiguration
    let grant = PulseGrant()
    /// Whether the client must report newly enqueued audio.
    let isStarved = Atomic<Bool>(false)
    /// Whether the client has reported new audio, or more audio was available than was written.
    let mustBeFed = Atomic<Bool>(false)
    /// The number of pending calls that set volume or pan.
    let parameterCalls = Atomic<Int>(0)
    let references: References
    let bytesPerFrame: Int
    let sampleRate: Double

    var buffer: PlaybackBuffer
    var lifecycle = PlaybackLifecycle()
    var sink: String?
    /// The sink of the stream that is made next, and the channels that the client selected, which are dropped when the sink
    /// changes.
    var target: PulseTarget
    let server: PulseServerStream
    /// Whether the stream is empty and `writer.end` is the server's next read position, so that it can be started.
    var isSettled = false
    /// Whether the write callback feeds the server: the stream is running, and no fade-out is written.
    var isFeeding = false
    var fade = FadeOut()
    var polling = PositionPolling()
    var timedStart = TimedStart()
    var time = PlaybackClock.State()
    var timing = PulseTiming()
    /// The line through the reported positions, in device frames, while the sink plays.
    var clockFit: ClockFit
    var writer: PlaybackWriter
    var stall = StallState()
    var deadline = UInt64.max
    /// The time when the client's next slice is due.
    var sliceTime = UInt64.max
    /// The times of the client's slices while there is no device.
    var unheard: UnheardSlices

    /// The connection that no other stream uses, whose thread runs the client's code; nil if the stream uses the shared
    /// one.
    let ownConnection: PulseOwnConnection?

    /// - Parameter own: The owner of the connection, if no other stream uses it.
    init(
        _ configuration: OutputStreamConfiguration, sink: String?, connection: PulseConnection,
        own: PulseOwnConnection? = nil
    ) {
        self.configuration = configuration
        ownConnection = own
        self.sink = sink
        target = PulseTarget(configuration.channelNumbers)
        server = PulseServerStream(
            PulseStreamProperties(
                name: configuration.streamName, role: configuration.role, iconName: configuration.iconName),
            of: connection)
        self.connection = connection
        feed = StreamFeed(isAwaited: own == nil)
        let format = configuration.format
        bytesPerFrame = format.bytesPerFrame
        sampleRate = format.sampleRate
        clockFit = ClockFit(sampleRate: format.sampleRate)
        clock = PlaybackClock(sampleRate: format.sampleRate)
        buffer = PlaybackBuffer(configuration)
        unheard = UnheardSlices(frames: configuration.slices?.frames ?? 1, sampleRate: format.sampleRate)
        renderer = Renderer(
            format: format, feed: feed,
            historyFrames: PlaybackHistory.frames(forHeldFrames: buffer.targetFrames),
            keepsSegments: buffer.returnsWhenUsedUp, slices: configuration.slices)
        unsafe configuration.slices?.loop = .passUnretained(connection.loop)
        references = unsafe References(
            feed: .passUnretained(feed), renderer: .passUnretained(renderer), clock: .passUnretained(clock),
            loop: .passUnretained(connection.loop), grant: .passUnretained(grant),
            server: .passUnretained(server))
        writer = unsafe PlaybackWriter(bytesPerFrame: bytesPerFrame, renderer: references.renderer)
        server.setOwner(reference)
    }

    var reference: PulseStreamReference { unsafe .output(.passUnretained(self)) }
    var recoverySeconds: Double { configuration.recoverySeconds }

    /// The current host time, as used for the loop's deadlines. Loop thread only, like the two properties below.
    /// REAL-TIME.
    var loopTime: UInt64 { @_noLocks get { unsafe references.loop._withUnsafeGuaranteedRef { $0.now } } }

    /// The calls of the server's stream; nil if there is none. REAL-TIME.
    var stream: PulseStreamCalls? {
        @_noLocks get { unsafe references.server._withUnsafeGuaranteedRef { $0.calls } }
    }

    /// Whether the sink is suspended. REAL-TIME.
    var isSuspended: Bool {
        @_noLocks get { unsafe references.server._withUnsafeGuaranteedRef { $0.isSuspended } }
    }

    // MARK: Control, from any thread

    var servingThread: ServingThread? { ownConnection.map { ServingThread(connection.loop, of: $0) } }

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

    func setName(_ name: String?) { connection.perform { [self] in server.setName(name) } }

    func setMetering(_ isOn: Bool) { renderer.meter.setOn(isOn) }

    func position() -> PlaybackPosition { clock.position() }

    var deviceClock: DeviceClockReading? { clock.deviceReading(deviceRate: grant.deviceSampleRate) }

    var granted: GrantedLatency? { grant.latency }
}
