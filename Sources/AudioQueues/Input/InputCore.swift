// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes
import Synchronization

/// The implementation of an ``InputQueue``: the state, the path from the device, and the thread that serves them.
///
/// This thread ("aq callbacks") waits for the device's events, takes them, and runs the client's code: one wake-up
/// for a buffer. Slow code does not stop the capture, because the device's thread fills the other enqueued buffers.
/// Slow code does not stop calls either, because a call that waits for an event takes events meanwhile: see
/// `InputCore+Events`.
///
/// If a context runs the callbacks, the thread ("aq engine") takes events and makes packets, and never waits for the
/// context. A tap is called by that thread, and therefore requires a context.
///
/// Locks: the queue's lock is held around the stream's control calls, which return at once, and never around the
/// client's code.
@safe final class InputCore: @unchecked Sendable {
    // SAFETY: all is constant except `monitor`, `handle`, which is set once before the queue is in use, and the state
    // of packet makers and taps, which belongs to the thread that makes packets.

    let product: InputProduct
    let configuration: InputQueue.Configuration
    let monitor: Monitor<InputState>
    weak var handle: InputQueue?
    private let live = LiveObjects.current

    init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]? = nil,
        device: any InputDevice, configuration: InputQueue.Configuration,
        context: (any CallbackContext)? = nil, makeEncoder: EncoderMaker = InputCore.makeEncoder,
        onBufferFilled: @escaping @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    ) throws(QueueError) {
        let format = try InputFormat.resolve(format, on: device)
        let labels = try format.labelsOfQueue(channelLabels)
        let product = try InputProduct(
            format: format, channelLabels: labels, settings: configuration.codecSettings,
            makeEncoder: makeEncoder)
        let plan = InputPath.Plan(device: device, channelLabels: labels, channelNumbers: nil, tap: nil)
        let path = try InputPath(plan, for: product, configuration: configuration)
        self.product = product
        self.configuration = configuration
        monitor = Monitor(
            InputState(
                path: path, client: InputState.Client(onBuffer: .init(call: onBufferFilled)),
                settings: InputSettings(name: configuration.name), context: context,
                primingFrames: product.primingFrames))
        live.queues.add(1, ordering: .relaxed)
    }

    deinit { live.queues.subtract(1, ordering: .relaxed) }

    /// A function that makes the encoder of a format.
    typealias EncoderMaker =
        (AudioStreamBasicDescription, CodecSettings) throws(QueueError) -> any PacketEncoder

    static func makeEncoder(
        of format: AudioStreamBasicDescription, settings: CodecSettings
    ) throws(QueueError) -> any PacketEncoder {
        do throws(CodecError) {
            return try makePacketEncoder(for: format, settings: settings)
        } catch {
            throw QueueError(
                error.code == .invalidFormat ? .unsupportedFormat : .codecNotFound, error.message)
        }
    }

    var format: AudioStreamBasicDescription { product.format }

    /// The converter of the device's audio to the queue's format; nil if none is required.
    var converter: LinearPCMConverter? { product.converter }

    /// The current path from the device. Takes the lock.
    var path: InputPath { monitor.withLock { $0.path } }

    /// The format that the device captures. Takes the lock.
    var deviceFormat: SampleFormat { path.deviceFormat }

    // MARK: The lock

    /// Changes the state, then wakes the threads that wait for a change.
    func locked<Result, Failure: Error>(
        _ body: (inout InputState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var wakes = InputState.Wakes()
        defer {
            monitor.notifyAll()
            wakes.send()
        }
        return try monitor.withLock { (state: inout InputState) throws(Failure) -> Result in
            defer { wakes = state.takeWakes() }
            return try body(&state)
        }
    }

    /// Changes a setting, unless the client has disposed of the queue.
    func set(_ change: (inout InputState) -> Void) {
        monitor.withLock { if !$0.machine.isDisposed { change(&$0) } }
    }

    /// Changes the state like ``locked(_:)``, for a call that must be allowed in the current state.
    func perform<Result>(
        _ call: InputStateMachine.Call, _ body: (inout InputState) throws(QueueError) -> Result
    ) throws(QueueError) -> Result {
        try locked { (state: inout InputState) throws(QueueError) -> Result in
            if case .fail(let code) = state.machine.apply(call) { throw QueueError(code) }
            return try body(&state)
        }
    }

    // MARK: Threads

    /// Starts the queue's thread, and the context of its callbacks if it has one, unless they are started.
    func startThread(_ state: inout InputState) throws(QueueError) {
        try beginContext(&state)
        guard !state.threads.isStarted else { return }
        let isUrgent = Double(fragmentFrames(state)) < ThreadPriority.urgentSeconds * format.mSampleRate
        try QueueThread.start(named: state.threads.context == nil ? "aq callbacks" : "aq engine") { [self] in
            if isUrgent { ThreadPriority.makeHigh() }
            serve()
        }
        state.threads.isStarted = true
    }

    private func beginContext(_ state: inout InputState) throws(QueueError) {
        guard let context = state.threads.context, !state.threads.isContextBegun else { return }
        try context.begin { [self] in deliverNext() }
        state.threads.isContextBegun = true
    }

    /// Moves callbacks from the queue's thread, which is needed for other work, to a context.
    func takeCallbacksFromThread(_ state: inout InputState) throws(QueueError) {
        guard state.threads.context == nil else { return }
        let context = CallbackThread()
        if state.threads.isStarted { try context.begin { [self] in deliverNext() } }
        (state.threads.context, state.threads.isContextBegun) = (context, state.threads.isStarted)
        state.delivery.scheduleAgain()
    }
}
