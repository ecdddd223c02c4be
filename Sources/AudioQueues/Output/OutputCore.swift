// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes
import Synchronization

/// The implementation of an ``OutputQueue``: the state, the path to the device, and the threads that serve them.
///
/// - With a decoder, the engine's thread takes the device's events, decodes ahead, and passes on enqueued audio. The
///   callback context only runs the client's code.
/// - Without a decoder, the thread that takes the events also makes the callbacks. This is the queue's thread, or
///   with ``LatencyGoal/buffers`` the device's, if it serves only this queue (``ServingThread``).
/// - Without a device, the thread that renders does all of this.
///
/// A slow callback delays only its own queue. A call that waits for an event takes events itself while the client's
/// code occupies the queue's thread: see `OutputCore+Waiting`.
///
/// Locks: the queue's lock is held around the stream's control calls, which return at once, and never around the
/// client's code.
@safe final class OutputCore: @unchecked Sendable {
    // SAFETY: all is constant except `monitor` and `handle`, which is set once before the queue is in use.

    /// The parts that the queue's paths have in common.
    let fixture: OutputPath.Fixture
    let monitor: Monitor<OutputState>
    weak var handle: OutputQueue?
    let live = LiveObjects.current

    var format: AudioStreamBasicDescription { fixture.format }
    var configuration: OutputQueue.Configuration { fixture.configuration }

    init(
        format: AudioStreamBasicDescription, magicCookie: [UInt8] = [], channelLabels: [AudioChannelLabel]?,
        device: any OutputDevice, configuration: OutputQueue.Configuration,
        context: (any CallbackContext)? = nil,
        makeDecoder: @escaping DecoderMaker = OutputCore.makeDecoder,
        makeStretcher: TimeStretcherMaker? = nil,
        onBufferDone: @escaping @Sendable (OutputQueue, QueueBuffer) -> Void
    ) throws(QueueError) {
        try format.checkForQueue()
        let labels = try format.labelsOfQueue(channelLabels)
        let speedControl = configuration.speedControl
        try speedControl?.check(for: format)
        fixture = OutputPath.Fixture(
            format: format, configuration: configuration, context: context, makeDecoder: makeDecoder,
            makeStretcher: makeStretcher ?? speedControl?.makeStretcher)
        var plan = OutputPath.Plan(
            device: device, channelLabels: labels, decodeAheadSeconds: configuration.decodeAheadSeconds,
            latency: LatencyGoal.ofUser ?? configuration.latency ?? .balanced)
        plan.isTimePitchEnabled = speedControl != nil
        monitor = Monitor(
            OutputState(
                path: try OutputPath(plan, fixture, magicCookie: magicCookie),
                client: OutputState.Client(onBuffer: .init(call: onBufferDone)),
                settings: OutputSettings(configuration, magicCookie: magicCookie)))
        live.queues.add(1, ordering: .relaxed)
    }

    deinit { live.queues.subtract(1, ordering: .relaxed) }

    /// A function that makes the decoder of a format with a magic cookie, which may be empty.
    typealias DecoderMaker =
        @Sendable (AudioStreamBasicDescription, [UInt8]) throws(CodecError) -> any PacketDecoder

    @Sendable static func makeDecoder(
        of format: AudioStreamBasicDescription, magicCookie: [UInt8]
    ) throws(CodecError) -> any PacketDecoder {
        try makePacketDecoder(for: format, magicCookie: magicCookie)
    }

    /// The limits of ``OutputQueue/Configuration/decodeAheadSeconds``.
    static let decodeAheadRange = 0.02...10.0

    // MARK: The path, for callers without the lock

    var path: OutputPath { monitor.withLock { $0.path } }
    var stream: any OutputStream { path.stream }
    var deviceFormat: SampleFormat { path.deviceFormat }
    var cursor: DecodeCursor? { path.cursor }

    // MARK: The lock

    /// Changes the state, then wakes the threads that wait for a change.
    func locked<Result, Failure: Error>(
        _ body: (inout OutputState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var toSchedule: OutputPath?
        var toWake: StreamFeed?
        defer {
            monitor.notifyAll()
            toWake?.wake()
            if let toSchedule { scheduleCallbacks(of: toSchedule) }
        }
        return try monitor.withLock { (state: inout OutputState) throws(Failure) -> Result in
            defer {
                takeNoticesOffline(&state)
                if state.delivery.takeSchedule() { toSchedule = state.path }
                if state.isCallTaking { toWake = state.path.feed }
            }
            return try body(&state)
        }
    }

    private func scheduleCallbacks(of path: OutputPath) {
        // Threads that render, or wait for a stop, make the callbacks in their calls.
        if path.isOffline { return }
        if let context = path.context { context.schedule() } else { path.wake() }
    }

    /// Changes a setting, unless the client has disposed of the queue.
    func set(_ change: (inout OutputState) -> Void) {
        monitor.withLock { if !$0.machine.isDisposed { change(&$0) } }
    }

    /// Changes the state like ``locked(_:)``, for a call that must be allowed in the current state.
    func perform<Result>(
        _ call: OutputStateMachine.Call, _ body: (inout OutputState) throws(QueueError) -> Result
    ) throws(QueueError) -> Result {
        try locked { (state: inout OutputState) throws(QueueError) -> Result in
            if case .fail(let code) = state.machine.apply(call) { throw QueueError(code) }
            return try body(&state)
        }
    }
}
