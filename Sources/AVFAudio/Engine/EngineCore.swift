// SPDX-License-Identifier: MIT

import AQDevices
import AQGraphs
import AudioToolbox
import Dispatch
import Foundation
import AQThreads

/// The graph of an engine, and what renders it. Any thread may use it.
///
/// Two locks: `state` for the graph, which is held for moments only, and `operation` for starts and stops, which wait
/// for the device.
final class EngineCore: @unchecked Sendable {
    // SAFETY: the locks protect everything that changes. Parts are used with `state` locked.

    struct State {
        var parts: [Int: NodePart] = [:]
        /// Keeps attached nodes alive.
        var nodes: [Int: AVAudioNode] = [:]
        var lastNumber = 0
        var connections = GraphConnections()
        var builder = PlanBuilder()
        var output: NodePart?
        var input: NodePart?
        var mainMixer: NodePart?
        var isRunning = false
        var manual: ManualRendering?
        /// The directions that the device was prepared for; nil before.
        var usage: EngineUsage?
        /// The formats of the devices that were found last.
        var hardware = EngineHardware()
        /// The formats that the unit was started with, and converts to those of later devices; from a start to a stop.
        var started: EngineHardware?
    }

    let renderer = GraphRenderer()
    let io = EngineIO()
    let manualInput = ManualInputPlace()
    private let guarded = Monitor(State())
    private let operation = NSRecursiveLock()
    private let owner: Monitor<WeakEngine> = Monitor(WeakEngine())
    /// Posts notifications and does what the rendering thread asks for.
    let queue = DispatchQueue(label: "audio engine")

    struct WeakEngine { weak var engine: AVAudioEngine? }

    init() {
        io.slices.renderOutput = { [renderer] samples, time in renderer.renderOutput(samples, time) }
        io.slices.renderCaptured = { [renderer] frames, time in
            renderer.renderCaptured(frames: frames, time)
        }
        io.changed = { [weak self] in self?.deviceChanged() }
        io.stopped = { [weak self] in self?.unitHasStopped() }
    }

    var engine: AVAudioEngine? { owner.withLock { $0.engine } }

    func setEngine(_ engine: AVAudioEngine) { owner.withLock { [weak engine] in $0.engine = engine } }

    func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try guarded.withLock { state in try body(&state) }
    }

    /// Runs a start or a stop. On the thread that renders, it is done later: the thread must not wait.
    func operate(_ body: @escaping @Sendable () -> Void) {
        if ServingThread.current != nil { return queue.async { self.operate(body) } }
        operation.lock()
        defer { operation.unlock() }
        body()
    }

    /// Runs a start, and throws its errors.
    func operateThrowing(_ body: () throws -> Void) throws {
        operation.lock()
        defer { operation.unlock() }
        try body()
    }

    var isRendering: Bool { withState { $0.isRunning } }

    var outputLatency: TimeInterval { withState { $0.manual == nil && $0.isRunning } ? io.outputLatency : 0 }

    /// Calls `body` with the graph while nothing is rendered. Not while a device renders, on the thread that renders, or if
    /// another thread renders for more than 100 ms: players then obey with the next slice.
    ///
    /// - Returns: Whether `body` was called.
    @discardableResult func whileIdle(_ body: (inout State) -> Void) -> Bool {
        let deadline = HostTime.now + 100_000_000
        while true {
            // The thread that renders may need the lock, so it is not held while this one waits.
            let isDone: Bool? = withState { state in
                guard !state.isRunning || state.manual != nil, !renderer.isRenderingThread else { return nil }
                return renderer.ifIdle { body(&state) }
            }
            if let isDone, !isDone, HostTime.now < deadline {
                usleep(100)
                continue
            }
            return isDone ?? false
        }
    }

    // MARK: Plans

    /// Makes the graph's plan the one that is rendered, and starts or stops directions of the device.
    ///
    /// - Parameter waits: Whether to return only when it is rendered, or nothing is: the client may free what nodes use.
    func graphChanged(waits: Bool = false) {
        let needsRestart = withState { state in
            publish(&state)
            return state.isRunning && state.manual == nil && (state.usage?.lacks(usage(state)) ?? true)
        }
        if needsRestart { operate { [self] in restart() } }
        guard waits, ServingThread.current == nil else { return takePlanIfIdle() }
        guard !whileIdle({ _ in }) else { return }
        let deadline = HostTime.now + 100_000_000
        while isRendering, withState({ $0.manual == nil }), !renderer.usesNewestPlan, HostTime.now < deadline
        {
            usleep(500)
        }
    }

    /// Makes the renderer take the newest plan if nothing is rendered, so that what only the earlier one keeps alive is
    /// released although no slice follows.
    func takePlanIfIdle() {
        withState { state in
            guard !state.isRunning || state.manual != nil else { return }
            _ = renderer.ifIdle {}
        }
    }

    private func publish(_ state: inout State) {
        let shape = shape(state)
        renderer.replacePlan(state.builder.plan(shape))
    }

    /// Publishes the plan, for a start. With `state` locked.
    func publishPlan(_ state: inout State) { publish(&state) }

    private func restart() {
        guard isRendering else { return }
        io.stop()
        do {
            try startDevice()
        } catch {
            MisuseNote.write("an engine stopped: \(error)")
            stop()
        }
    }

    private func deviceChanged() {
        queue.async { [weak self] in
            guard let self else { return }
            if !stopIfLost() {
                let hardware = io.hardware()
                withState { $0.hardware = hardware }
            }
            postChange()
        }
        // A client that has just chosen a device reads its format next.
        if ServingThread.current == nil { findHardware() }
    }

    /// Ends the use of a unit that has stopped by itself, because its server or device has not returned.
    private func unitHasStopped() {
        queue.async { [weak self] in
            guard let self else { return }
            if stopIfLost() { postChange() }
        }
    }

    /// Stops an engine whose unit has stopped by itself; returns whether it had.
    func stopIfLost() -> Bool {
        operation.lock()
        defer { operation.unlock() }
        // Otherwise an operation has stopped it, and perhaps started it again.
        guard isRendering, withState({ $0.manual == nil }), !io.isRunning else { return false }
        MisuseNote.write("an engine stopped: the audio device or the sound server is gone")
        stop()
        return true
    }

    private func postChange() {
        guard let engine else { return }
        NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: engine)
    }

    /// Ends for good, when the engine is released.
    func close() {
        stop()
        io.end()
        let released = withState { state in
            for part in state.parts.values {
                part.tap?.end()
                part.move(to: nil, number: 0)
            }
            (state.output, state.input, state.mainMixer) = (nil, nil, nil)
            state.connections = GraphConnections()
            defer {
                (state.parts, state.nodes) = ([:], [:])
                // The plan of the graph has nodes that refer to the renderer.
                publish(&state)
            }
            return (state.parts, state.nodes)
        }
        // A node's deinit may call the engine, so it is released without the lock.
        withExtendedLifetime(released) {}
        // The renderer takes the empty plan.
        operate { [self] in whileIdle { _ in } }
    }
}

/// The clock of host times.
enum HostTime {
    static var now: UInt64 { AudioGetCurrentHostTime() }
}
