// SPDX-License-Identifier: MIT

import AudioDevices
import AudioUnits
import Glibc

/// Keeps the slices of a graph's output and the changes of its connections apart, so that each slice has either none or
/// all of a change.
final class GraphSlices: Sendable {
    private struct State {
        /// The thread that renders; 0 for none.
        var thread: UInt = 0
        var depth = 0
        var isChanging = false
    }

    private let state = Monitor(State())

    /// The code that observes the output's renders.
    func observer() -> RenderCode {
        unsafe RenderCode { [self] actions, _, _, _, _ in
            if unsafe actions.pointee.contains(.postRender) { leave() } else { enter() }
            return 0
        }
    }

    /// Whether the calling thread renders a slice.
    var isInside: Bool {
        let current = UInt(pthread_self())
        return state.withLock { $0.depth > 0 && $0.thread == current }
    }

    /// Runs a change between two slices. The next slice waits for its end.
    func change<Result>(_ body: () -> Result) -> Result {
        _ = state.wait(until: .max) { state in
            if state.depth > 0 || state.isChanging { return true }
            state.isChanging = true
            return false
        }
        defer {
            state.withLock { $0.isChanging = false }
            state.notifyAll()
        }
        return body()
    }

    private func enter() {
        let current = UInt(pthread_self())
        _ = state.wait(until: .max) { state in
            if state.isChanging { return true }
            state.thread = current
            state.depth += 1
            return false
        }
    }

    private func leave() {
        state.withLock { state in
            // An observer that was added during a render sees only its end.
            guard state.depth > 0 else { return }
            state.depth -= 1
            if state.depth == 0 { state.thread = 0 }
        }
        state.notifyAll()
    }
}
