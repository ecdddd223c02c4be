// SPDX-License-Identifier: MIT

import CAQRealTime  // `timespec` comes from this module or from Glibc, whichever is compiled first.
import Glibc

/// State behind a lock, with a condition to wait for changes.
///
/// `Mutex` has no condition. The thread sanitizer also reports the state behind a `Mutex` as a race, because its code
/// is in the uninstrumented runtime. This type combines POSIX's lock and condition. The lock is not recursive, and is
/// never held while user code runs.
///
/// The type is an inlinable struct. Otherwise the runtime would have to build a type for each state before playback
/// starts, and other modules would run unspecialised code.
@safe package struct Monitor<State>: ~Copyable, @unchecked Sendable {
    // SAFETY: `state` belongs to this monitor, and is used only with `gate` locked.
    @usableFromInline let gate: MonitorGate
    @usableFromInline let state: UnsafeMutablePointer<State>

    @inlinable package init(_ state: sending State) {
        gate = MonitorGate()
        unsafe self.state = .allocate(capacity: 1)
        unsafe self.state.initialize(to: state)
    }

    deinit {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        gate.lock()
        defer { gate.unlock() }
        return try unsafe body(&state.pointee)
    }

    /// Waits while `isTrue` returns true, at most until `deadline` (host time, nanoseconds).
    ///
    /// - Returns: False if the deadline passed and the condition still holds.
    @inlinable package func wait(until deadline: UInt64, while isTrue: (inout State) -> Bool) -> Bool {
        gate.lock()
        defer { gate.unlock() }
        while unsafe isTrue(&state.pointee) {
            if gate.wait(until: deadline) { continue }
            return unsafe !isTrue(&state.pointee)
        }
        return true
    }

    /// Wakes all waiting threads to check the state again. May be called with or without the lock held.
    package func notifyAll() { gate.notifyAll() }
}

/// A monitor's lock and condition.
@safe @usableFromInline struct MonitorGate: ~Copyable, @unchecked Sendable {
    // SAFETY: both are initialized before any use, and destroyed after the last one.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    @usableFromInline init() {
        unsafe mutex = .allocate(capacity: 1)
        var mutexAttributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&mutexAttributes)
        // A low-priority holder of the lock must not delay a real-time thread.
        unsafe pthread_mutexattr_setprotocol(&mutexAttributes, Int32(PTHREAD_PRIO_INHERIT))
        unsafe pthread_mutex_init(mutex, &mutexAttributes)
        unsafe pthread_mutexattr_destroy(&mutexAttributes)
        unsafe condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // Deadlines are host times, which changes of the wall clock do not affect.
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    @usableFromInline func lock() { unsafe pthread_mutex_lock(mutex) }

    @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// Unlocks, waits for a notification, and locks again; returns false if `deadline` came first.
    @usableFromInline func wait(until deadline: UInt64) -> Bool {
        var limit = timespec(
            tv_sec: Int(clamping: deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        return unsafe pthread_cond_timedwait(condition, mutex, &limit) != ETIMEDOUT
    }

    @usableFromInline func notifyAll() { unsafe pthread_cond_broadcast(condition) }
}
