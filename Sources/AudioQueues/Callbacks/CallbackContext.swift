// SPDX-License-Identifier: MIT

import CAQRealTime
import Glibc
import Synchronization

/// The context in which a queue's callbacks run: its own thread, a run loop or a dispatch queue.
package protocol CallbackContext: AnyObject, Sendable {
    /// Prepares the context.
    ///
    /// - Parameter deliver: Makes one callback; returns false if none is due.
    /// - Throws: ``QueueError/Code/outOfMemory`` if a thread is needed and cannot be created.
    func begin(_ deliver: @escaping @Sendable () -> Bool) throws(QueueError)
    /// Requests calls of `deliver` until it returns false. May be called from any thread; never waits.
    func schedule()
    /// Releases `deliver` once it has returned false. May be called from any thread; never waits.
    func end()
    /// Whether the calling thread is the one on which callbacks run.
    ///
    /// A call on that thread that waits for callbacks makes them itself with `deliver`, because no other thread can.
    var isCurrent: Bool { get }
}

/// A context that runs callbacks on its own thread, for one queue.
@safe final class CallbackThread: CallbackContext, @unchecked Sendable {
    // SAFETY: threads may share a semaphore; the rest is constant or atomic.
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

    /// False, because this thread runs only callbacks, in which no call waits for callbacks.
    var isCurrent: Bool { false }

    func end() {
        isEnded.store(true, ordering: .releasing)
        unsafe aq_semaphore_post(semaphore)
    }
}
