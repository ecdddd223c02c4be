// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox
import Glibc

/// Calls that change the units: one thread at a time makes them. A listener that is called meanwhile may make further
/// calls, which are then part of that call.
///
/// A thread that another one may wait for does not wait: one that runs a callback, or that changes another graph.
extension GraphObject {
    /// Whether the calling thread renders a slice of the output, or a unit of the graph by hand.
    var isInside: Bool {
        slices.isInside
            || state.withLock { $0.nodes.compactMap(\.instance) + $0.leaving }
                .contains { $0.unit.isRenderingHere }
    }

    /// Runs a call that changes the units.
    ///
    /// - Throws: `kAUGraphErr_CannotDoInCurrentContext` within a slice, whose end such a call would wait for, and if
    ///   the thread may not wait for the call of another one; `kAudio_ParamError` if the graph was disposed of.
    func exclusively<Result>(_ body: () throws(StatusError) -> Result) throws(StatusError) -> Result {
        guard !isInside, enter() else { throw StatusError(kAUGraphErr_CannotDoInCurrentContext) }
        defer { leave() }
        guard !state.withLock({ $0.isDisposed }) else { throw StatusError(kAudio_ParamError) }
        return try slices.suspended(body)
    }

    /// Ends the graph, also within a slice. If the calling thread may not wait for the call of another one, that call
    /// ends the graph, which is only stopped here.
    func dispose() {
        state.withLock { $0.isDisposed = true }
        slices.suspended {
            if enter(waits: !isInside) { leave() } else { stopOutput() }
        }
    }

    /// Begins a call. Returns false if another thread makes one, and the calling thread may not wait.
    private func enter(waits: Bool = true) -> Bool {
        let current = UInt(pthread_self())
        let mayWait = waits && !GraphThread.isCallback && GraphThread.calls.value == 0
        var isEntered = false
        _ = state.wait(until: .max) { state in
            isEntered = state.caller == 0 || state.caller == current
            guard isEntered else { return mayWait }
            state.caller = current
            state.callDepth += 1
            return false
        }
        if isEntered { GraphThread.calls.value += 1 }
        return isEntered
    }

    /// Ends a call, and before that the graph if it was disposed of meanwhile.
    private func leave() {
        func isEndDue(_ state: inout State) -> Bool {
            if state.isDisposed && !state.hasEnded {
                state.hasEnded = true
                return true
            }
            state.callDepth -= 1
            if state.callDepth == 0 { state.caller = 0 }
            return false
        }
        while state.withLock({ isEndDue(&$0) }) {
            end()
            state.withLock { ($0.nodes, $0.wanted) = ([], []) }
        }
        GraphThread.calls.value -= 1
        state.notifyAll()
    }
}
