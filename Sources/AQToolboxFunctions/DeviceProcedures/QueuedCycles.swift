// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// The cycles of a block that a dispatch queue calls, and their memory, which is valid until the block has returned.
///
/// The device's thread waits for the block of a cycle with output. If the block is late, the cycle is silent, and those
/// that follow until the block returns. Cycles without output wait in the queue, and the device's thread does not. If
/// all are waiting, captured audio is lost.
final class QueuedCycles: Sendable {
    /// Runs work on the client's queue, one after another.
    typealias Submit = (@escaping @Sendable () -> Void) -> Void

    private struct State {
        var free: [DeviceCycle] = []
        var isClosed = false
        /// Whether the block of the cycle with output has returned.
        var isFinished = false
        /// Whether the device's thread waits for this block.
        var isAwaited = false
    }

    /// The longest captured audio that waits for the queue.
    private static let waitingSeconds = 0.5

    private let code: ProcedureCode
    private let gate: RenderGate
    private let submit: SendableSubmit
    private let state: Monitor<State>

    init(
        _ code: ProcedureCode, _ gate: RenderGate, _ shape: DeviceCycle.Shape, sampleRate: Double,
        submit: SendableSubmit
    ) {
        self.code = code
        self.gate = gate
        self.submit = submit
        var initial = State()
        let waiting = Int(QueuedCycles.waitingSeconds * sampleRate) / max(1, shape.frames)
        let count = shape.outputChannels > 0 ? 1 : max(4, min(waiting, 64))
        for _ in 0..<count { initial.free.append(DeviceCycle(shape)) }
        state = Monitor(initial)
    }

    /// Takes the memory of a cycle; nil if the queue is late.
    func take() -> DeviceCycle? { state.withLock { $0.free.popLast() } }

    /// Makes memory available that ``take()`` has returned.
    func giveBack(_ cycle: DeviceCycle) { state.withLock { $0.free.append(cycle) } }

    /// Calls the block on the queue, and returns at once.
    func call(_ cycle: DeviceCycle) {
        submit.body { [self] in
            run(cycle)
            giveBack(cycle)
        }
    }

    /// Calls the block on the queue, and waits for its return.
    ///
    /// - Returns: Whether the block has returned in time; the caller then gives the memory back. If not, the block does.
    func call(_ cycle: DeviceCycle, until deadline: UInt64) -> Bool {
        state.withLock { ($0.isFinished, $0.isAwaited) = (false, true) }
        submit.body { [self] in
            run(cycle)
            let isLate = state.withLock { state in
                state.isFinished = true
                return !state.isAwaited
            }
            if isLate { giveBack(cycle) } else { state.notifyAll() }
        }
        _ = state.wait(until: deadline) { !$0.isFinished && !$0.isClosed }
        return state.withLock { state in
            state.isAwaited = false
            return state.isFinished
        }
    }

    /// Ends the wait of the device's thread, after the gate was closed.
    func close() {
        state.withLock { $0.isClosed = true }
        state.notifyAll()
    }

    private func run(_ cycle: DeviceCycle) {
        guard gate.enter() else { return }
        defer { gate.leave() }
        code(cycle)
    }
}

/// The client's dispatch queue as a function.
struct SendableSubmit: @unchecked Sendable {
    // SAFETY: a dispatch queue accepts work from any thread.
    let body: QueuedCycles.Submit

    init(_ body: @escaping QueuedCycles.Submit) { self.body = body }
}
