// SPDX-License-Identifier: MIT

import AQDevices
import Glibc
import Synchronization
import AQThreads

/// Admits the device's thread to the client's code, and makes a stop wait until that code has ended.
///
/// ``enter()`` takes no lock, and ``leave()`` only if a stop waits.
package final class RenderGate: Sendable {
    /// All fields in one word: flags, the address of a thread, and the number of its entries.
    private struct State {
        static let isOpen: UInt = 1
        static let hasEnded: UInt = 2
        /// Whether a thread waits until the client's code has ended.
        static let isAwaited: UInt = 4
        static let entry: UInt = 1 << 48
        /// The address that `pthread_self` returns, a multiple of 8 in 48 bits.
        static let threadBits = entry - 8

        var bits: UInt = 0

        var isEmpty: Bool { bits < Self.entry }

        /// The thread in the client's code; 0 for none.
        var thread: UInt {
            get { bits & Self.threadBits }
            set { bits = bits & ~Self.threadBits | newValue & Self.threadBits }
        }

        func has(_ flag: UInt) -> Bool { bits & flag != 0 }
    }

    private let bits = Atomic<UInt>(0)
    private let waiters = Monitor(())

    package init() {}

    /// Opens, unless the gate has ended.
    package func open() { change { if !$0.has(State.hasEnded) { $0.bits |= State.isOpen } } }

    /// Admits the calling thread, which then calls ``leave()``. Returns false if the gate is closed.
    package func enter() -> Bool {
        let current = UInt(pthread_self())
        var isAdmitted = false
        change { state in
            isAdmitted = state.has(State.isOpen) || state.thread == current
            guard isAdmitted else { return }
            state.thread = current
            state.bits += State.entry
        }
        return isAdmitted
    }

    package func leave() {
        let left = change { state in
            state.bits -= State.entry
            if state.isEmpty { state.thread = 0 }
        }
        guard left.isEmpty, left.has(State.isAwaited) else { return }
        // With the lock held, no thread is between its check and its wait.
        waiters.withLock { _ in _ = change { $0.bits &= ~State.isAwaited } }
        waiters.notifyAll()
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
        change { state in
            state.bits &= ~State.isOpen
            if isEnd { state.bits |= State.hasEnded }
        }
    }

    /// Waits until the client's code has ended, unless the calling thread runs code of a unit: two units may stop each
    /// other.
    package func waitUntilLeft() {
        if Self.isClientCode { return }
        let current = UInt(pthread_self())
        _ = waiters.wait(until: .max) { _ in
            let state = change { state in
                if !state.isEmpty && state.thread != current { state.bits |= State.isAwaited }
            }
            return !state.isEmpty && state.thread != current
        }
    }

    /// Whether the calling thread is one that runs the code of a client.
    static var isClientCode: Bool { ServingThread.current != nil }

    private var state: State { State(bits: bits.load(ordering: .acquiring)) }

    package var isOpen: Bool { state.has(State.isOpen) }

    /// Whether the gate has ended, with no thread inside.
    var isLeft: Bool {
        let state = state
        return state.isEmpty && state.has(State.hasEnded)
    }

    /// Whether the calling thread runs the client's code.
    package var isInside: Bool { state.thread == UInt(pthread_self()) }

    /// Changes the state, and returns the new one. `body` may be called several times.
    @discardableResult
    private func change(_ body: (inout State) -> Void) -> State {
        var before = state
        while true {
            var after = before
            body(&after)
            let result = bits.weakCompareExchange(
                expected: before.bits, desired: after.bits, ordering: .acquiringAndReleasing)
            if result.exchanged { return after }
            before.bits = result.original
        }
    }
}
