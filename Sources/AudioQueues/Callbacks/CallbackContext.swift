import CRealTime
import Glibc
import Synchronization

/// Where a queue's callbacks run: its own thread, a run loop or a dispatch queue.
package protocol CallbackContext: AnyObject, Sendable {
    /// Makes ready. `deliver` makes one callback, and returns false when there is none to make.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory`` when a thread is needed and is not to be had.
    func begin(_ deliver: @escaping @Sendable () -> Bool) throws(QueueError)
    /// Tells that there are callbacks to make. From any thread; never waits.
    func schedule()
    /// Lets go of `deliver` once it has nothing left to do. From any thread; never waits.
    func end()
    /// Whether the calling thread is the one on which callbacks are made.
    ///
    /// A call that waits for callbacks there makes them itself, by `deliver`: nobody else could.
    var isCurrent: Bool { get }
}

/// Runs callbacks on a thread that serves one queue.
@safe final class CallbackThread: CallbackContext, @unchecked Sendable {
    // SAFETY: a semaphore is made to be shared; the rest is constant or atomic.
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

    /// This thread runs nothing but callbacks, in which no call waits for others.
    var isCurrent: Bool { false }

    func end() {
        isEnded.store(true, ordering: .releasing)
        unsafe aq_semaphore_post(semaphore)
    }
}
