import Glibc

/// A value that one thread at a time may touch.
///
/// What `Mutex` does, by a POSIX mutex: the thread sanitizer knows those, while it reports every value behind
/// a `Mutex` as a race, whose code is in the uninstrumented runtime.
@safe final class Locked<Value>: @unchecked Sendable {
    // SAFETY: `value` is touched between locking and unlocking only; the mutex stays where it is.

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Calls `body` with the value, while no other thread has it. Not reentrant.
    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
