// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import Foundation
import Synchronization

/// Starts and stops.
extension EngineCore {
    func prepare() {
        GraphMessenger.shared.wake()
        graphChanged()
    }

    func start() throws {
        try operateThrowing { () throws -> Void in
            if isRendering, !stopIfLost() { return }
            GraphMessenger.shared.wake()
            guard withState({ $0.manual != nil }) else { return try startDevice() }
            withState { (state: inout State) -> Void in
                publishPlan(&state)
                state.isRunning = true
                state.manual?.isRunning.store(true, ordering: .releasing)
            }
        }
    }

    /// Starts the device for the directions that the graph needs. In an operation.
    func startDevice() throws {
        let usage = withState { startUsage($0) }
        guard usage.usesOutput || usage.usesInput else {
            throw AVAudioFailure.error(
                kAudioUnitErr_FailedInitialization,
                "cannot start the engine: it has neither an output node nor an input node")
        }
        let hardware = try io.prepare(usage)
        withState { state in
            (state.hardware, state.started) = (hardware, hardware)
            state.usage = usage
            publishPlan(&state)
            // Before the start: from now on, only the device's thread renders.
            state.isRunning = true
        }
        do {
            try io.start()
        } catch {
            withState { ($0.isRunning, $0.started) = (false, nil) }
            throw error
        }
    }

    func pause() {
        operate { [self] in
            guard isRendering else { return }
            if withState({ $0.manual == nil }) { io.stop() }
            withState { state in
                state.isRunning = false
                state.manual?.isRunning.store(false, ordering: .releasing)
            }
            takePlanIfIdle()
        }
    }

    func stop() {
        operate { [self] in
            if isRendering, withState({ $0.manual == nil }) { io.stop() }
            let parts = withState { state in
                state.isRunning = false
                state.manual?.isRunning.store(false, ordering: .releasing)
                (state.usage, state.started) = (nil, nil)
                return Array(state.parts.values)
            }
            io.release()
            // Not at a start: the times of players go on after a pause, and after a start for other directions.
            io.slices.begin()
            for part in parts {
                stopPlayer(part)
                part.clock.clear()
            }
            takePlanIfIdle()
        }
    }

    func reset() {
        let parts = withState { Array($0.parts.values) }
        for part in parts { stopPlayer(part) }
        renderer.reset()
        whileIdle { $0.manual?.sampleTime.store(0, ordering: .relaxed) }
    }
}
