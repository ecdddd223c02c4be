import CRealTime  // `timespec` is this module's or Glibc's, whichever the compiler reads first.
import Glibc

/// State behind a lock, with waiting for it to change.
///
/// `Mutex` has no condition to wait on, and the thread sanitizer reports what is behind one as a race, since
/// its code is in the uninstrumented runtime; this pairs the two of POSIX. The lock is not recursive, and
/// user code is never called while it is held.
///
/// Not a class, and inlinable where the state is: the runtime would have to put a type together for each state before the
/// first sound, and other modules would have the locked code run for states in general.
@safe package struct Monitor<State>: ~Copyable, @unchecked Sendable {
    // SAFETY: `state` is this monitor's own, and touched between lock and unlock of `gate` only.
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

    /// Waits while `condition` holds, at most until `deadline` (host time, nanoseconds).
    ///
    /// - Returns: False when the deadline passed and the condition still holds.
    @inlinable package func wait(until deadline: UInt64, while isTrue: (inout State) -> Bool) -> Bool {
        gate.lock()
        defer { gate.unlock() }
        while unsafe isTrue(&state.pointee) {
            if gate.wait(until: deadline) { continue }
            return unsafe !isTrue(&state.pointee)
        }
        return true
    }

    /// Lets every waiting thread look at the state again. With or without the lock.
    package func notifyAll() { gate.notifyAll() }
}

/// A monitor's lock and condition.
@safe @usableFromInline struct MonitorGate: ~Copyable, @unchecked Sendable {
    // SAFETY: both are initialized before anybody sees them, and destroyed when nobody does any more.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    @usableFromInline init() {
        unsafe mutex = .allocate(capacity: 1)
        var mutexAttributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&mutexAttributes)
        // Whom a real-time thread waits for must not be kept waiting by others.
        unsafe pthread_mutexattr_setprotocol(&mutexAttributes, Int32(PTHREAD_PRIO_INHERIT))
        unsafe pthread_mutex_init(mutex, &mutexAttributes)
        unsafe pthread_mutexattr_destroy(&mutexAttributes)
        unsafe condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // Deadlines are host times, which a change of the wall clock does not move.
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

    /// Waits to be notified, without the lock meanwhile; false when that was not before `deadline`.
    @usableFromInline func wait(until deadline: UInt64) -> Bool {
        var limit = timespec(
            tv_sec: Int(clamping: deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        return unsafe pthread_cond_timedwait(condition, mutex, &limit) != ETIMEDOUT
    }

    @usableFromInline func notifyAll() { unsafe pthread_cond_broadcast(condition) }
}
