// SPDX-License-Identifier: MIT

public import CoreAudioTypes
import Glibc
import AQThreads

/// A unit without a device: each call of ``render(_:_:bus:frames:into:)`` fetches slices from the sources of its inputs,
/// and converts or mixes them.
///
/// A source is a client's ``RenderCode``, or a connection to another unit, which is code that renders that unit. Formats,
/// channels and rates of the inputs and of the output are independent of each other.
///
/// All calls may be made on any thread, also while the unit renders, and also by a source. One thread renders at a time.
/// No lock is held while a source runs. Settings of an initialized unit take effect at the next slice. Rendering
/// allocates no memory.
///
/// The corresponding C types are the units `GenericOutput`, `AUConverter`, `MultiChannelMixer`, `StereoMixer`,
/// `Varispeed` and `NewTimePitch`.
public final class PulledUnit: Sendable {
    /// The processing by which the unit makes its output from its inputs.
    public enum Kind: Sendable, Equatable {
        /// Converts one input to the format of the output.
        case converter
        /// Adds inputs, each with its volume and position.
        case mixer
        /// Changes the rate or the pitch of one input.
        case speed
    }

    struct State {
        var settings: Settings
        var plan: RenderPlan?
        /// The thread that renders; 0 for none.
        var renderingThread: UInt = 0
        /// The plan of the last render, if it was replaced or taken away meanwhile: the list that the render filled may
        /// refer to its memory. Freed by the next change.
        var spentPlan: RenderPlan?
    }

    /// The most units that a thread renders within each other, for which the stack of a device's thread suffices.
    private static let maximumNesting = 16

    public let kind: Kind
    let hooks = RenderHooks()
    let outputControls = BusControls()
    /// The rate and pitch of ``Kind/speed``.
    let speed: SpeedControls?
    let state: Monitor<State>
    /// Serializes changes of the settings. No code of a client runs meanwhile.
    private let changing = Monitor(())

    /// Makes a mixer that is not initialized.
    ///
    /// - Parameter inputs: The number of inputs.
    public static func mixer(inputs: Int) -> PulledUnit { PulledUnit(.mixer, inputs: inputs) }

    /// Makes a converter that is not initialized.
    public static func converter() -> PulledUnit { PulledUnit(.converter) }

    init(_ kind: Kind, inputs: Int = 1, speed: SpeedControls? = nil) {
        self.kind = kind
        self.speed = speed
        state = Monitor(State(settings: Settings(inputs: inputs)))
    }

    /// Adds code that observes the renders, on the same thread.
    ///
    /// - Parameter id: The number for ``removeRenderObserver(_:)``.
    public func addRenderObserver(_ id: Int, _ code: RenderCode) { hooks.addObserver(id, code) }

    public func removeRenderObserver(_ id: Int) { hooks.removeObserver(id) }

    /// Returns the status of the last render or source that failed, or 0, and clears it.
    public func takeLastRenderError() -> Int32 { hooks.takeLastError() }

    /// The status of the last render that failed, or 0.
    public var lastRenderError: Int32 { hooks.lastError }

    // MARK: Life

    public var isInitialized: Bool { state.withLock { $0.plan != nil } }

    /// Checks the settings, and allocates the memory for rendering. Does nothing if the unit is initialized.
    ///
    /// - Throws: ``UnitError/Code/formatNotSupported`` if formats cannot be converted to each other;
    ///   ``UnitError/Code/failedInitialization`` if slices are too long.
    ///
    /// The corresponding C function is `AudioUnitInitialize`.
    public func initialize() throws(UnitError) {
        try changing.withLock { _ throws(UnitError) in
            let (settings, plan) = state.withLock { ($0.settings, $0.plan) }
            guard plan == nil else { return }
            let made = try makePlan(settings, replacing: nil)
            let spent = state.withLock { state in
                state.plan = made
                return state.spentPlan.take()
            }
            withExtendedLifetime(spent) {}
        }
    }

    /// Frees the memory. Returns when the render in progress has ended, unless the calling thread renders this or another
    /// unit: two threads would wait for each other. The settings remain.
    ///
    /// The corresponding C function is `AudioUnitUninitialize`.
    public func uninitialize() {
        let plans = state.withLock { ($0.plan.take(), $0.spentPlan.take()) }
        if RenderingThread.depth == 0 { _ = state.wait(until: .max) { $0.renderingThread != 0 } }
        withExtendedLifetime(plans) {}
    }

    /// Drops the audio that the unit holds. No setting is changed.
    ///
    /// The corresponding C function is `AudioUnitReset`.
    public func reset() { state.withLock { $0.plan }?.reset() }

    /// Changes settings, and the plan of an initialized unit.
    func change(_ body: (inout Settings) -> Void) throws(UnitError) {
        try changing.withLock { _ throws(UnitError) in
            var (settings, plan) = state.withLock { ($0.settings, $0.plan) }
            body(&settings)
            if let old = plan { plan = try makePlan(settings, replacing: old) }
            let spent = state.withLock { state in
                state.settings = settings
                // The unit may have been uninitialized.
                if state.plan != nil { state.plan = plan }
                return state.spentPlan.take()
            }
            withExtendedLifetime(spent) {}
        }
    }

    // MARK: Rendering

    /// Whether the calling thread renders this unit now, so that a call must not wait for the render's end.
    public var isRenderingHere: Bool {
        let current = UInt(pthread_self())
        return state.withLock { $0.renderingThread == current }
    }

    /// Renders a slice of the output.
    ///
    /// - Parameters:
    ///   - actions: On return with ``RenderActions/outputIsSilence`` if all samples are silent.
    ///   - time: The time of the first frame, which sources get.
    ///   - bus: 0, the only output.
    ///   - list: A buffer for each channel of a non-interleaved format, otherwise one buffer. Sizes are set. Buffers
    ///     without memory get memory that is valid until the next call.
    /// - Returns: 0, or the status of the source of a converter. The source of a mixer that fails is silent.
    /// - Throws: ``UnitError/Code/uninitialized``; ``UnitError/Code/invalidElement``;
    ///   ``UnitError/Code/tooManyFramesToProcess``; ``UnitError/Code/parameter`` if the list does not fit;
    ///   ``UnitError/Code/noConnection`` if the input of a converter has no source;
    ///   ``UnitError/Code/cannotDoInCurrentContext`` if the unit renders already, for example in a cycle of connections.
    ///
    /// The corresponding C function is `AudioUnitRender`.
    @unsafe public func render(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, bus: Int,
        frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) -> Int32 {
        guard bus == 0 else { throw UnitError(.invalidElement, "cannot render bus \(bus): there is one") }
        return try unsafe render(actions, time, frames: frames, into: list, given: nil)
    }

    /// Renders a slice from the samples in a list, which replace those of the first input's source, and leaves the
    /// result there.
    ///
    /// - Throws: As ``render(_:_:bus:frames:into:)``; ``UnitError/Code/cannotDoInCurrentContext`` also if the output does
    ///   not have a frame for each frame of the input, ``UnitError/Code/parameter`` also for buffers without memory.
    ///
    /// The corresponding C function is `AudioUnitProcess`.
    @unsafe public func process(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
        in list: UnsafeMutableAudioBufferListPointer
    ) throws(UnitError) -> Int32 {
        for index in unsafe list.indices where unsafe list[index].mData == nil {
            throw UnitError(.parameter, "cannot process: buffer \(index) has no memory")
        }
        return try unsafe render(actions, time, frames: frames, into: list, given: list)
    }

    private func render(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
        into list: UnsafeMutableAudioBufferListPointer, given: UnsafeMutableAudioBufferListPointer?
    ) throws(UnitError) -> Int32 {
        let plan = try enter()
        defer { leave(plan) }
        do throws(UnitError) {
            guard 0...plan.maximumFrames ~= frames else {
                throw UnitError(
                    .tooManyFramesToProcess,
                    "cannot render \(frames) frames: \(plan.maximumFrames) are the most")
            }
            try unsafe plan.output.check(list, frames: frames, lendsMemory: plan.lendsMemory)
        } catch {
            hooks.failed(error.code.rawValue)
            throw error
        }
        return unsafe hooks.observed(
            actions, time, bus: 0, frames: frames, list.unsafeMutablePointer
        ) { actions, time in
            unsafe plan.render(into: list, frames: frames, actions, time, given: given)
        }
    }

    private func enter() throws(UnitError) -> RenderPlan {
        let current = UInt(pthread_self())
        let plan = try state.withLock { state throws(UnitError) in
            guard let plan = state.plan else {
                throw UnitError(.uninitialized, "cannot render: the unit is not initialized")
            }
            guard RenderingThread.depth < Self.maximumNesting else {
                throw UnitError(.cannotDoInCurrentContext, "cannot render: the chain of units is too long")
            }
            guard state.renderingThread == 0 else {
                throw UnitError(.cannotDoInCurrentContext, "cannot render: the unit renders already")
            }
            state.renderingThread = current
            return plan
        }
        RenderingThread.depth += 1
        return plan
    }

    private func leave(_ plan: RenderPlan) {
        RenderingThread.depth -= 1
        state.withLock { state in
            state.renderingThread = 0
            if state.plan !== plan { state.spentPlan = plan }
        }
        state.notifyAll()
    }
}
