// SPDX-License-Identifier: MIT

public import AQDevices
public import CoreAudioTypes
import AQThreads

/// An I/O unit: audio in both directions at the lowest latency, by render callbacks on one real-time thread.
///
/// Bus 0 is the output: the client's ``RenderCode`` renders each slice where the sound server requests it, with no queue
/// in between. Bus 1 is the input: the client's code is informed of each captured slice, and gets it with
/// ``render(bus:frames:into:)``. If both directions are enabled, the output's code may get the captured frames too; they
/// are then resampled, so that neither device gains on the other.
///
/// A slice has ``bufferFrames`` frames of the device, so that two slices are the latency of the output. Code that takes
/// longer than a slice lasts causes a gap, which is counted and reported (``Change/overload``); it delays nothing else.
/// It should neither wait nor allocate memory. If it takes 50 ms, the thread loses its real-time priority.
///
/// All calls may be made on any thread, also by the client's code. ``stop()`` returns when the client's code has ended,
/// unless that code makes the call. No lock is held while the client's code runs.
///
/// The corresponding C types are the units `RemoteIO`, `HALOutput` and `DefaultOutput`.
public final class IOUnit: Sendable {
    /// A direction of a unit. The raw value is the number of its bus.
    public enum Side: Int, Sendable, CaseIterable {
        case output = 0, input = 1
    }

    /// A change that listeners are informed of.
    public enum Change: Sendable, Equatable {
        case isRunning
        case format(Side)
        case bufferFrames
        case maximumFrames
        case device
        /// A slice was late, or captured frames were lost.
        case overload
    }

    struct State {
        var settings = Settings()
        /// The length of a slice of the last initialization, in frames of the device.
        var preparedFrames: Int?
        var isInitialized = false
        var isRunning = false
        /// The host times of the next start and of the last one; 0 for as soon as possible.
        var nextStartTime: UInt64 = 0
        var startTime: UInt64 = 0
        /// The gates of streams that a call has taken to close them, in which code of the client may still run.
        var gatesToLeave: [RenderGate] = []
        /// Whether the unit cannot be initialized again.
        var hasEnded = false
        /// Whether a call that starts, stops or remakes the streams is in progress.
        var isBusy = false
    }

    let hooks = RenderHooks()
    /// The streams of the initialized unit. They are replaced with the state's lock held.
    let streams = SharedObject<IOStreams>()
    let state: Monitor<State>
    private let listener: Monitor<(@Sendable (Change) -> Void)?> = Monitor(nil)

    /// Makes a unit that is not initialized.
    ///
    /// - Parameters:
    ///   - outputDevice: The device of bus 0; nil for none.
    ///   - inputDevice: The device of bus 1; nil for none.
    ///   - voiceProcessor: The maker of the devices that are used instead, unless it is bypassed; nil for none.
    public init(
        outputDevice: (any OutputDevice)?, inputDevice: (any InputDevice)?,
        voiceProcessor: VoiceProcessor? = nil
    ) {
        var initial = State()
        initial.settings.outputDevice = outputDevice
        initial.settings.inputDevice = inputDevice
        initial.settings.voiceProcessor = voiceProcessor
        state = Monitor(initial)
    }

    deinit { streams.load()?.close() }

    /// Sets the code that is called after each change, on the thread that has made it; nil for none.
    public func setListener(_ code: (@Sendable (Change) -> Void)?) { listener.withLock { $0 = code } }

    func changed(_ change: Change) { listener.withLock { $0 }?(change) }

    // MARK: The client's code

    /// Sets the code that renders bus 0; nil for none, which plays silence. Also while the unit runs.
    public func setRenderCode(_ code: RenderCode?) { hooks.render = code }

    /// Sets the code that is informed of captured slices; nil for none. Also while the unit runs.
    public func setInputCode(_ code: RenderCode?) { hooks.input = code }

    /// Sets the code that renders bus 0.
    public func setRenderCode(_ body: @escaping RenderCode.Body) { setRenderCode(unsafe RenderCode(body)) }

    /// Sets the code that is informed of captured slices.
    public func setInputCode(_ body: @escaping RenderCode.Body) { setInputCode(unsafe RenderCode(body)) }

    /// Adds code that observes the renders of bus 0, on the same thread.
    ///
    /// - Parameter id: The number for ``removeRenderObserver(_:)``.
    public func addRenderObserver(_ id: Int, _ code: RenderCode) { hooks.addObserver(id, code) }

    public func removeRenderObserver(_ id: Int) { hooks.removeObserver(id) }

    /// Returns the status of the last render that failed, or 0, and clears it.
    public func takeLastRenderError() -> Int32 { hooks.takeLastError() }

    /// The status of the last render that failed, or 0.
    public var lastRenderError: Int32 { hooks.lastError }

    // MARK: Life

    public var isInitialized: Bool { state.withLock { $0.isInitialized } }
    public var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Checks the settings, and connects to the devices. Does nothing if the unit is initialized.
    ///
    /// Waits for the server, at most 5 s.
    ///
    /// - Throws: ``UnitError/Code/failedInitialization`` if neither direction is enabled, or a device cannot be used;
    ///   ``UnitError/Code/formatNotSupported``.
    ///
    /// The corresponding C function is `AudioUnitInitialize`.
    public func initialize() throws(UnitError) {
        try exclusively { () throws(UnitError) in
            if state.withLock({ $0.isInitialized }) { return }
            let made = try makeStreams(state.withLock { $0.settings })
            // A call of a client's code may have done the same meanwhile.
            let isUsed = state.withLock { state in
                if state.isInitialized || state.hasEnded { return false }
                state.isInitialized = true
                _ = use(made, &state)
                return true
            }
            if !isUsed { made.close() }
        }
    }

    /// Stops, and leaves the devices. The settings remain.
    ///
    /// The corresponding C function is `AudioUnitUninitialize`.
    public func uninitialize() {
        stop()
        let streams: IOStreams?? = try? exclusively { () throws(UnitError) in takeStreams() }
        streams??.close()
        waitUntilLeft()
    }

    /// Uninitializes permanently: the unit cannot be initialized again.
    public func end() {
        state.withLock { $0.hasEnded = true }
        uninitialize()
    }

    /// Sets the host time (CLOCK_MONOTONIC, nanoseconds) at which the first frame after the next start is audible, or
    /// captured; 0 for as soon as possible, which also applies to a time that has passed. Later starts are not affected.
    ///
    /// The client's code is not called for earlier frames.
    public func setStartTime(_ hostTime: UInt64) { state.withLock { $0.nextStartTime = hostTime } }

    /// Starts, and returns when the devices run, at most 2 s later. Does nothing if the unit runs.
    ///
    /// The client's code may be called before this call returns.
    ///
    /// - Throws: ``UnitError/Code/uninitialized``; ``UnitError/Code/failedInitialization`` if a device does not start.
    ///
    /// The corresponding C function is `AudioOutputUnitStart`.
    public func start() throws(UnitError) {
        let hasStarted = try exclusively { () throws(UnitError) in
            let started = try state.withLock { state throws(UnitError) -> IOStreams? in
                guard let streams = streams.load() else {
                    throw UnitError(.uninitialized, "cannot start: the unit is not initialized")
                }
                guard !state.isRunning else { return nil }
                (state.startTime, state.nextStartTime) = (state.nextStartTime, 0)
                // The unit runs from here on: the client's code may stop it before this call returns.
                state.isRunning = true
                streams.beginStart(atHostTime: state.startTime)
                return streams
            }
            guard let started else { return false }
            try waitUntilStarted(started)
            // A call of the client's code may have stopped the unit meanwhile, or it may have failed.
            return isRunning
        }
        if hasStarted { changed(.isRunning) }
    }

    /// Stops, and returns when the client's code has ended, unless it makes this call. Does nothing if the unit does not
    /// run.
    ///
    /// The corresponding C function is `AudioOutputUnitStop`.
    public func stop() {
        let hasStopped = try? exclusively { () throws(UnitError) in
            let stopped = state.withLock { state -> IOStreams? in
                guard state.isRunning, let streams = streams.load() else { return nil }
                state.isRunning = false
                streams.beginStop()
                return streams
            }
            stopped?.gate.waitUntilLeft()
            return stopped != nil
        }
        waitUntilLeft()
        if hasStopped == true { changed(.isRunning) }
    }

    /// Passes captured frames to the caller, and returns at once.
    ///
    /// - Parameters:
    ///   - bus: 1, the input.
    ///   - frames: The number of frames. In the client's code for captured frames, the number that the code gets. In the
    ///     code that renders the output, any number: frames that are missing are silent.
    ///   - list: A buffer for each channel of a non-interleaved format, otherwise one buffer. Sizes are set. Buffers
    ///     without memory get memory that is valid until the next call.
    /// - Throws: ``UnitError/Code/cannotDoInCurrentContext`` if fewer frames wait;
    ///   ``UnitError/Code/tooManyFramesToProcess``; ``UnitError/Code/parameter`` if the list does not fit;
    ///   ``UnitError/Code/uninitialized``; ``UnitError/Code/invalidElement``.
    ///
    /// The corresponding C function is `AudioUnitRender`.
    @unsafe public func render(
        bus: Int, frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) {
        guard let streams = streams.load() else {
            throw UnitError(.uninitialized, "cannot render: the unit is not initialized")
        }
        guard bus == Side.input.rawValue, streams.setup.input != nil else {
            throw UnitError(.invalidElement, "cannot render bus \(bus): only the input can be rendered")
        }
        // The memory of these streams was made for their own limit.
        let most = streams.setup.maximumFrames
        guard frames <= most else {
            throw UnitError(.tooManyFramesToProcess, "cannot render \(frames) frames: \(most) are the most")
        }
        do throws(UnitError) {
            try unsafe streams.renderInput(frames: max(0, frames), into: list)
        } catch {
            hooks.failed(error.code.rawValue)
            throw error
        }
    }

    /// Drops captured frames that wait. No setting is changed.
    ///
    /// The corresponding C function is `AudioUnitReset`.
    public func reset() { streams.load()?.captured?.reset() }
}
