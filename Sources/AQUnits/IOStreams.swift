// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime
import CoreAudioTypes
import Glibc
import Synchronization
import AQThreads

/// The streams of an initialized unit, and the thread that serves both: the output renders where the server requests
/// audio, and captured slices are passed on as they arrive.
///
/// The calls are made by any thread, one at a time. Everything that runs during a start belongs to the device's thread.
@safe final class IOStreams: @unchecked Sendable {
    // SAFETY: fields without a lock are constant, or are used by the device's thread only, as marked.

    /// An event that is reported to the unit.
    enum Event: Sendable {
        /// A slice was late, or captured frames were lost.
        case overload
        /// The server or the device disappeared, returned, or was replaced.
        case device
        /// The streams have ended with an error.
        case failed
    }

    private static let startSeconds = 2.0
    /// A constant, since unoptimized code allocates memory for the literal.
    private static let timeFlags: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]

    let setup: IOSetup
    let hooks: RenderHooks
    let gate = RenderGate()
    private(set) var output: (any OutputStream)?
    /// The input's stream and its frames.
    private(set) var captured: UnitInput?
    var input: (any InputStream)? { captured?.stream }
    private let state = Monitor(StreamStarts())
    private let report: @Sendable (Event) -> Void
    private let stopTickets = Atomic<UInt64>(0)

    // Of the device's thread.
    private let outputBuffers: SliceBuffers?
    private let outputRouting: ChannelRouting?
    private var nextSampleTime = 0.0
    /// The time at which the slice that is rendered now will be audible; nil between slices.
    private var audibleAt: UInt64?
    private var openStreams = 0
    /// The last stop that the input's stream has answered. Slices before an answer belong to an earlier start.
    private var answeredStop: UInt64 = 0

    /// - Throws: ``UnitError/Code/failedInitialization`` if the device cannot be used with these settings.
    init(
        _ setup: IOSetup, _ hooks: RenderHooks, report: @escaping @Sendable (Event) -> Void
    ) throws(UnitError) {
        self.setup = setup
        self.hooks = hooks
        self.report = report
        outputBuffers = setup.output.map { SliceBuffers($0.client, capacityFrames: $0.sliceFrames) }
        outputRouting = setup.output?.makeRouting(.output)
        do throws(DeviceError) {
            try makeStreams()
        } catch {
            throw UnitError(.failedInitialization, error.message)
        }
    }

    private func makeStreams() throws(DeviceError) {
        if let side = setup.output, let device = setup.outputDevice {
            var configuration = OutputStreamConfiguration(
                format: side.streamFormat, latency: .buffers,
                recoverySeconds: setup.recoverySeconds, streamName: setup.name, role: setup.playbackRole,
                channelNumbers: side.channelNumbers)
            configuration.slices = unsafe SliceSource(
                frames: side.sliceFrames, format: configuration.format
            ) { [weak self] slice, time in unsafe self?.renderOutput(into: slice, time) }
            output = try device.makeStream(configuration)
        }
        if let side = setup.input, let device = setup.inputDevice {
            captured = try UnitInput(side, setup, on: device, output)
        }
        serve()
    }

    /// Makes the device's thread handle the events of both streams until both are closed.
    private func serve() {
        guard let thread = output?.servingThread ?? input?.servingThread,
            let feed = output?.feed ?? input?.feed
        else { return }
        openStreams = (output == nil ? 0 : 1) + (input == nil ? 0 : 1)
        if setup.volume != 1 { output?.setGain(setup.volume, rampSeconds: 0) }
        output?.prepare()
        thread.serve(feed, output == nil ? nil : input?.feed) { [self] in takeEvents() }
    }

    // MARK: Control

    /// Starts, and does not wait. ``waitUntilStarted()`` follows.
    ///
    /// - Parameter hostTime: The time of the first frame; 0 for as soon as possible.
    func beginStart(atHostTime hostTime: UInt64) {
        // Code of a client does not wait.
        let isAwaited = !RenderGate.isClientCode
        // Code of a client may start or stop the unit at the same time, so that the streams are called with the lock held.
        state.withLock { state in
            guard state.start(hasOutput: output != nil, hasInput: input != nil, isAwaited: isAwaited) else {
                return
            }
            captured?.restart()
            gate.open()
            output?.start(atHostTime: hostTime)
            if let side = setup.input {
                input?.start(fragmentFrames: side.sliceFrames, atHostTime: hostTime)
            }
        }
    }

    /// Waits until the device runs or has failed, at most 2 s. Does not wait if the calling thread runs code of a unit.
    func waitUntilStarted() {
        guard !RenderGate.isClientCode else { return }
        let deadline = aq_host_time() + UInt64(Self.startSeconds * 1e9)
        _ = state.wait(until: deadline) { $0.isWaiting }
        state.withLock { $0.endWait() }
    }

    /// The reason why the last start failed, or ended by itself.
    var failure: DeviceError? { state.withLock { $0.failure } }

    /// Stops. Waits until the client's code has ended, unless the calling thread runs code of a unit.
    func stop() {
        beginStop()
        gate.waitUntilLeft()
    }

    /// Stops, and does not wait until the client's code has ended.
    func beginStop() {
        state.withLock { stop(&$0) }
        state.notifyAll()
    }

    private func stop(_ state: inout StreamStarts) {
        let ticket = stopTickets.add(1, ordering: .relaxed).newValue
        gate.shut()
        state.stop(hasOutput: output != nil, hasInput: input != nil)
        output?.stop(ticket: ticket)
        input?.stop(ticket: ticket)
    }

    /// Ends permanently. The thread goes on until the device has answered.
    func close() {
        let ticket = stopTickets.add(1, ordering: .relaxed).newValue
        state.withLock { state in
            gate.shut(isEnd: true)
            state.isClosed = true
            output?.close(ticket: ticket)
            input?.close(ticket: ticket)
        }
        state.notifyAll()
        gate.waitUntilLeft()
    }

    // MARK: The device's thread

    /// Handles the events of both streams; returns false if both are closed.
    private func takeEvents() -> Bool {
        while let event = output?.feed.nextEvent() { handle(event, isInput: false) }
        while let event = input?.feed.nextEvent() { handle(event, isInput: true) }
        return openStreams > 0
    }

    private func handle(_ event: DeviceEvent, isInput: Bool) {
        switch event.kind {
        case .segmentDone: if isInput, let captured { takeSlice(event, captured) }
        case .started:
            state.withLock { $0.started(isInput: isInput) }
            state.notifyAll()
        case .underran, .overran: if gate.isOpen { report(.overload) }
        case .interrupted, .resumed, .moved: report(.device)
        case .failed:
            let failure = isInput ? input?.feed.failure : output?.feed.failure
            let lost = DeviceError(.connectionLost, "the sound server was lost")
            let isUnexpected = state.withLock { state in
                guard state.failed(isInput: isInput, failure ?? lost) else { return false }
                // The next start starts both directions.
                stop(&state)
                return true
            }
            state.notifyAll()
            if isUnexpected { report(.failed) }
        case .closed: openStreams -= 1
        case .stopped:
            if isInput { answeredStop = event.token }
            state.withLock { $0.stopped(isInput: isInput) }
        case .paused, .flushed, .drained, .reset: break
        }
    }

    // MARK: Output

    private func renderOutput(into slice: UnsafeMutableRawBufferPointer, _ time: SliceSource.Time) {
        guard let side = setup.output, let buffers = outputBuffers else { return }
        guard gate.enter() else {
            _ = unsafe slice.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        defer { gate.leave() }
        let frames = side.sliceFrames
        let samples = unsafe outputRouting?.clientSamples ?? slice
        let list = unsafe buffers.silentList(frames: frames, over: samples)
        var stamp = timeStamp(sampleTime: outputSampleTime(time.frame, frames: frames), time.hostTime)
        var actions: RenderActions = []
        audibleAt = time.hostTime
        let status = unsafe hooks.observed(&actions, &stamp, bus: 0, frames: frames, list) { actions, time in
            guard let render = hooks.render else { return UnitError.Code.noConnection.rawValue }
            return unsafe render(actions, time, 0, frames, list)
        }
        audibleAt = nil
        if status != 0 || actions.contains(.outputIsSilence) {
            _ = unsafe slice.initializeMemory(as: UInt8.self, repeating: 0)
        } else {
            unsafe buffers.collect(frames: frames, into: samples)
            unsafe outputRouting?.route(frames: frames, toDevice: slice)
        }
    }

    /// The number of the slice's first frame: it follows the last slice, or is later if silence was played.
    private func outputSampleTime(_ frame: Double, frames: Int) -> Double {
        if frame < 1 || abs(frame - nextSampleTime) >= 1 { nextSampleTime = max(0, frame.rounded()) }
        defer { nextSampleTime += Double(frames) }
        return nextSampleTime
    }

    // MARK: Input

    private func takeSlice(_ event: DeviceEvent, _ captured: UnitInput) {
        defer { captured.giveBack(event) }
        guard event.byteCount > 0, gate.enter() else { return }
        defer { gate.leave() }
        // Within the gate, so that a stop is either seen here or waits.
        guard answeredStop == stopTickets.load(ordering: .acquiring) else { return }
        let code = hooks.input
        let frames = captured.take(event, hasCode: code != nil)
        // COMPAT: programs rely on slices of one length. A shorter one ends where the device has lost frames.
        guard let code, frames == captured.side.sliceFrames else { return }
        var stamp = timeStamp(sampleTime: Double(event.frame), captured.sliceTime)
        var actions: RenderActions = []
        let status = unsafe code(&actions, &stamp, 1, frames, nil)
        if status != 0 { hooks.failed(status) }
    }

    /// Passes captured frames to the client.
    ///
    /// - Throws: ``UnitError/Code/cannotDoInCurrentContext`` if fewer frames were captured, or another thread makes the
    ///   same call; ``UnitError/Code/parameter`` if the list does not fit.
    @unsafe func renderInput(
        frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) {
        guard let captured else {
            throw UnitError(.cannotDoInCurrentContext, "cannot render: the unit has no input")
        }
        // Only the device's thread reads the time.
        let audibleAt = gate.isInside ? audibleAt : nil
        try unsafe captured.render(
            frames: frames, into: list, isMuted: hooks.isInputMuted, audibleAt: audibleAt)
    }

    private func timeStamp(sampleTime: Double, _ hostTime: UInt64) -> AudioTimeStamp {
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = sampleTime
        stamp.mHostTime = hostTime
        stamp.mRateScalar = 1
        stamp.mFlags = Self.timeFlags
        return stamp
    }
}
