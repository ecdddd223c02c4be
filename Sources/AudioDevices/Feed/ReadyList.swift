import CRealTime
import Glibc
import Synchronization

/// Feeds that have events for their clients, for threads that each serve many feeds.
///
/// Any thread, including the audio thread, can add a feed without waiting. The serving threads take feeds one at a
/// time, behind their own lock.
@safe package final class ReadyList: @unchecked Sendable {
    // SAFETY: members are passed through the list's atomic head; a semaphore may be shared.
    private let head = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    private let isRung = Atomic<Bool>(false)
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Adds a member that is not in the list, and wakes a thread unless one will check the list. REAL-TIME.
    @_noLocks fileprivate func add(_ member: Unmanaged<ReadyMember>) {
        let new = unsafe member.toOpaque()
        var first = unsafe head.load(ordering: .relaxed)
        while true {
            let next = unsafe first
            unsafe member._withUnsafeGuaranteedRef { unsafe $0.next = next }
            let (done, current) = unsafe head.weakCompareExchange(
                expected: first, desired: new, ordering: .sequentiallyConsistent)
            if done { break }
            unsafe first = unsafe current
        }
        if !isRung.exchange(true, ordering: .sequentiallyConsistent) { unsafe aq_semaphore_post(semaphore) }
    }

    // MARK: For serving threads

    /// Takes all members added since the last call, in order.
    package func takeAll(_ body: (ReadyMember) -> Void) {
        guard !isEmpty else { return }
        // The list is in reverse order.
        var node = unsafe head.exchange(nil, ordering: .sequentiallyConsistent)
        var reversed: UnsafeMutableRawPointer?
        while let current = unsafe node {
            let member = unsafe Unmanaged<ReadyMember>.fromOpaque(current).takeUnretainedValue()
            unsafe node = unsafe member.next
            unsafe member.next = unsafe reversed
            unsafe reversed = unsafe current
        }
        while let current = unsafe reversed {
            let member = unsafe Unmanaged<ReadyMember>.fromOpaque(current).takeUnretainedValue()
            unsafe reversed = unsafe member.next
            body(member)
        }
    }

    /// Whether no member was added since the last ``takeAll(_:)``.
    package var isEmpty: Bool { unsafe head.load(ordering: .sequentiallyConsistent) == nil }

    /// Sets whether a serving thread will check the list soon, so that additions do not have to wake one.
    ///
    /// After passing false the caller must check the list again: an addition just before woke no thread.
    package func setWatched(_ isWatched: Bool) { isRung.store(isWatched, ordering: .sequentiallyConsistent) }

    /// Waits for an addition that wakes a thread, or for ``wake()``.
    package func wait() { while unsafe sem_wait(semaphore) != 0 && errno == EINTR {} }

    /// Ends one ``wait()``. From any thread.
    package func wake() { unsafe aq_semaphore_post(semaphore) }
}

/// A feed's entry in a ``ReadyList``, with the code that serves its client. The feed keeps it.
@safe package final class ReadyMember: @unchecked Sendable {
    // SAFETY: while the member is listed, `next` belongs to the serving threads, before that to the thread that adds
    // it. `service` is behind the lock of the serving threads.

    /// Serves the client, calls `willCallBack` before each call of the client's code, and returns whether the client
    /// needs no further service.
    package typealias Service = @Sendable (_ willCallBack: () -> Void) -> Bool

    // REAL-TIME: a reference would be retained for each call.
    private let list: Unmanaged<ReadyList>
    fileprivate var next: UnsafeMutableRawPointer?
    private let isListed = Atomic<Bool>(false)
    private var service: Service?

    /// - Parameters:
    ///   - list: Must live as long as the process.
    ///   - service: Kept until ``end()``.
    package init(of list: ReadyList, service: @escaping Service) {
        unsafe self.list = Unmanaged.passUnretained(list)
        self.service = service
    }

    /// Requests service soon, unless the service has ended. REAL-TIME.
    @_noLocks func announce() {
        if isListed.exchange(true, ordering: .sequentiallyConsistent) { return }
        let this = unsafe Unmanaged.passUnretained(self)
        unsafe list._withUnsafeGuaranteedRef { unsafe $0.add(this) }
    }

    // MARK: For serving threads, with their lock held

    /// Marks the member as taken from the list. Later announcements list it again.
    ///
    /// - Returns: The service to run now; nil if it has ended.
    package func begin() -> Service? {
        _ = isListed.exchange(false, ordering: .sequentiallyConsistent)
        return service
    }

    /// Ends the service, unless it has ended before.
    ///
    /// - Returns: The service, which the caller releases without the lock; nil if it has ended, or if the member was
    ///   listed again in the meantime and must be served again.
    package func end() -> Service? {
        // It remains marked as listed, so that no thread lists it again.
        if isListed.exchange(true, ordering: .sequentiallyConsistent) { return nil }
        defer { service = nil }
        return service
    }
}
