import CRealTime
import Glibc
import Synchronization

/// The context in which a queue's callbacks run: its own thread, a run loop or a dispatch queue.
package protocol CallbackContext: AnyObject, Sendable {
    /// Prepares the context. `deliver` makes one callback, and returns false if there is none to make.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory`` if a thread is needed and cannot be created.
    func begin(_ deliver: @escaping @Sendable () -> Bool) throws(QueueError)
    /// Announces callbacks. From any thread; never waits.
    func schedule()
    /// Releases `deliver` when it has nothing left to do. From any thread; never waits.
    func end()
    /// Whether the calling thread is the one on which callbacks run.
    ///
    /// A call on it that waits for callbacks makes them itself with `deliver`, since no other thread could.
    var isCurrent: Bool { get }
}

/// Runs callbacks on a thread that serves one queue.
@safe final class CallbackThread: CallbackContext, @unchecked Sendable {
    // SAFETY: a semaphore may be shared; the rest is constant or atomic.
    private let semaphore: UnsafeMutablePointer<sem_t>
    private let isEnded = Atomic<Bool>(false)

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func begin(_ deliver: @escaping @Sendable () -> Bool) throws(QueueError) {
        try QueueThread.start(named: "aq callbacks") { [self] in
            while true {
                while deliver() {}
                if isEnded.load(ordering: .acquiring) { return }
                while unsafe sem_wait(semaphore) != 0 && errno == EINTR {}
            }
        }
    }

    func schedule() { unsafe aq_semaphore_post(semaphore) }

    /// This thread runs only callbacks, in which no call waits for others.
    var isCurrent: Bool { false }

    func end() {
        isEnded.store(true, ordering: .releasing)
        unsafe aq_semaphore_post(semaphore)
    }
}
