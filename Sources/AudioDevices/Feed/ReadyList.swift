import CRealTime
import Glibc
import Synchronization

/// Feeds that have something for their clients, for threads that serve many of them.
///
/// Any thread adds to it, the one that feeds servers too, and never waits. Those that serve take from it one at a time,
/// behind a lock of theirs.
@safe package final class ReadyList: @unchecked Sendable {
    // SAFETY: members change hands through the list's head; a semaphore is made to be shared.
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

    /// Adds a member, which is not in the list, and wakes a thread unless one is sure to look. REAL-TIME.
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

    // MARK: Those who serve

    /// Takes all that were added since the last call, in order.
    package func takeAll(_ body: (ReadyMember) -> Void) {
        guard !isEmpty else { return }
        // The list is newest first.
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

    /// Whether nothing was added since the last ``takeAll(_:)``.
    package var isEmpty: Bool { unsafe head.load(ordering: .sequentiallyConsistent) == nil }

    /// Says whether somebody is sure to look before long at what is added, so that nobody need be woken for it.
    ///
    /// Whoever says that nobody is has to look once more: what was added just before woke nobody.
    package func setWatched(_ isWatched: Bool) { isRung.store(isWatched, ordering: .sequentiallyConsistent) }

    /// Waits until something was added that woke a thread, or until ``wake()``.
    package func wait() { while unsafe sem_wait(semaphore) != 0 && errno == EINTR {} }

    /// Ends one ``wait()``, from any thread.
    package func wake() { unsafe aq_semaphore_post(semaphore) }
}

/// A feed's place in a ``ReadyList``: what serves its client. The feed keeps it.
@safe package final class ReadyMember: @unchecked Sendable {
    // SAFETY: `next` belongs to the list's threads while the member is listed, and to who lists it before; `service` is
    // behind the lock of those threads.

    /// Does what there is to do, calls `willCallBack` before each time that it calls the client's code, and returns
    /// whether that was the last of it.
    package typealias Service = @Sendable (_ willCallBack: () -> Void) -> Bool

    // REAL-TIME: a reference would be retained for each call.
    private let list: Unmanaged<ReadyList>
    fileprivate var next: UnsafeMutableRawPointer?
    private let isListed = Atomic<Bool>(false)
    private var service: Service?

    /// - Parameters:
    ///   - list: Lives as long as the process.
    ///   - service: Kept until ``end()``.
    package init(of list: ReadyList, service: @escaping Service) {
        unsafe self.list = Unmanaged.passUnretained(list)
        self.service = service
    }

    /// Has it served soon, unless its service has ended. REAL-TIME.
    @_noLocks func announce() {
        if isListed.exchange(true, ordering: .sequentiallyConsistent) { return }
        let this = unsafe Unmanaged.passUnretained(self)
        unsafe list._withUnsafeGuaranteedRef { unsafe $0.add(this) }
    }

    // MARK: Those who serve, behind their lock

    /// Takes note that it was taken from the list, and is listed anew by what is announced from now on.
    ///
    /// - Returns: The service to be done now; nil if it has ended.
    package func begin() -> Service? {
        _ = isListed.exchange(false, ordering: .sequentiallyConsistent)
        return service
    }

    /// Ends the service, unless it has ended before.
    ///
    /// - Returns: The service, to be let go of without the lock; nil if it has ended, or the member was listed meanwhile
    ///   and is to be served once more.
    package func end() -> Service? {
        // It stays as if listed, so that nobody lists it again.
        if isListed.exchange(true, ordering: .sequentiallyConsistent) { return nil }
        defer { service = nil }
        return service
    }
}
