// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQRealTime
import Glibc

/// Keeps the slices of a graph's output and the changes of its connections apart, so that each slice has either none or
/// all of a change.
final class GraphSlices: Sendable {
    private struct State {
        /// The thread that renders; 0 for none.
        var thread: UInt = 0
        var depth = 0
        /// The thread that makes a change; 0 for none.
        var changer: UInt = 0
    }

    /// The time that a slice waits for a change, in seconds. A listener that the change calls may wait for the slice,
    /// for example because it stops the unit.
    private static let waitSeconds = 1.0

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
    ///
    /// - Returns: Nil, and then nothing has changed, if a callback of another unit makes the call during a slice.
    func change<Result>(_ body: () -> Result) -> Result? {
        let current = UInt(pthread_self())
        let mayWait = !GraphThread.isCallback
        var isEntered = false
        _ = state.wait(until: .max) { state in
            isEntered = state.depth == 0 && state.changer == 0
            if isEntered { state.changer = current }
            return !isEntered && mayWait
        }
        guard isEntered else { return nil }
        defer {
            state.withLock { $0.changer = 0 }
            state.notifyAll()
        }
        return body()
    }

    /// Lets slices go on while a call is carried out that a listener makes within a change of the same thread, since
    /// the call may wait for a slice.
    func suspended<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let current = UInt(pthread_self())
        let isSuspended = state.withLock { state in
            guard state.changer == current else { return false }
            state.changer = 0
            return true
        }
        guard isSuspended else { return try body() }
        state.notifyAll()
        defer {
            _ = state.wait(until: .max) { state in
                if state.changer != 0 || (state.depth > 0 && state.thread != current) { return true }
                state.changer = current
                return false
            }
        }
        return try body()
    }

    private func enter() {
        let current = UInt(pthread_self())
        let deadline = aq_host_time() + UInt64(Self.waitSeconds * 1e9)
        var isEntered = false
        func enter(_ state: inout State) {
            state.thread = current
            state.depth += 1
            isEntered = true
        }
        _ = state.wait(until: deadline) { state in
            if state.changer != 0 && state.changer != current { return true }
            enter(&state)
            return false
        }
        if !isEntered { state.withLock { enter(&$0) } }
        GraphThread.slices.value += 1
    }

    private func leave() {
        let hasLeft = state.withLock { state in
            // An observer that was added during a render sees only its end.
            guard state.depth > 0 else { return false }
            state.depth -= 1
            if state.depth == 0 { state.thread = 0 }
            return true
        }
        if hasLeft { GraphThread.slices.value -= 1 }
        state.notifyAll()
    }
}
