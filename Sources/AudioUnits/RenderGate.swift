// SPDX-License-Identifier: MIT

import AudioDevices
import Glibc
import Threads

/// Admits the device's thread to the client's code, and makes a stop wait until that code has ended.
package final class RenderGate: Sendable {
    private struct State {
        var isOpen = false
        var hasEnded = false
        /// The thread in the client's code; 0 for none.
        var thread: UInt = 0
        var depth = 0
    }

    private let state = Monitor(State())

    package init() {}

    /// Opens, unless the gate has ended.
    package func open() { state.withLock { $0.isOpen = !$0.hasEnded } }

    /// Admits the calling thread, which then calls ``leave()``. Returns false if the gate is closed.
    package func enter() -> Bool {
        let current = UInt(pthread_self())
        return state.withLock { state in
            guard state.isOpen || (state.depth > 0 && state.thread == current) else { return false }
            state.thread = current
            state.depth += 1
            return true
        }
    }

    package func leave() {
        let isEmpty = state.withLock { state in
            state.depth -= 1
            if state.depth == 0 { state.thread = 0 }
            return state.depth == 0
        }
        if isEmpty { state.notifyAll() }
    }

    /// Closes the gate, and waits as ``waitUntilLeft()`` does.
    package func close() {
        shut()
        waitUntilLeft()
    }

    /// Closes the gate, and does not wait.
    ///
    /// - Parameter isEnd: Whether the gate cannot be opened again.
    package func shut(isEnd: Bool = false) {
        state.withLock { state in
            state.isOpen = false
            if isEnd { state.hasEnded = true }
        }
    }

    /// Waits until the client's code has ended, unless the calling thread runs code of a unit: two units may stop each
    /// other.
    package func waitUntilLeft() {
        if Self.isClientCode { return }
        let current = UInt(pthread_self())
        _ = state.wait(until: .max) { $0.depth > 0 && $0.thread != current }
    }

    /// Whether the calling thread is one that runs the code of a client.
    static var isClientCode: Bool { ServingThread.current != nil }

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Whether the calling thread runs the client's code.
    package var isInside: Bool {
        let current = UInt(pthread_self())
        return state.withLock { $0.depth > 0 && $0.thread == current }
    }
}
