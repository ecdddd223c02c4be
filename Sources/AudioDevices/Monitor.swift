import CRealTime  // `timespec` is this module's or Glibc's, whichever the compiler reads first.
import Glibc

/// State behind a lock, with waiting for it to change.
///
/// `Mutex` has no condition to wait on, and the thread sanitizer reports what is behind one as a race, since
/// its code is in the uninstrumented runtime; this pairs the two of POSIX. The lock is not recursive, and
/// user code is never called while it is held.
@safe package final class Monitor<State>: @unchecked Sendable {
    // SAFETY: `state` is only touched between lock and unlock of `mutex`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    package init(_ state: sending State) {
        self.state = state
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

    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Waits while `condition` holds, at most until `deadline` (host time, nanoseconds).
    ///
    /// - Returns: False when the deadline passed and the condition still holds.
    package func wait(until deadline: UInt64, while isTrue: (inout State) -> Bool) -> Bool {
        var limit = timespec(
            tv_sec: Int(clamping: deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while isTrue(&state) {
            if unsafe pthread_cond_timedwait(condition, mutex, &limit) == ETIMEDOUT { return !isTrue(&state) }
        }
        return true
    }

    /// Lets every waiting thread look at the state again. With or without the lock.
    package func notifyAll() { unsafe pthread_cond_broadcast(condition) }
}
