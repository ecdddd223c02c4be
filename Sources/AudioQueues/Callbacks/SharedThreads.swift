import AudioDevices
import CRealTime
import Glibc

/// Threads that serve many queues: as few as their callbacks allow.
///
/// One serves queue after queue while any has work. Another polls whether a queue waits too long because a callback of
/// another is slow; then it serves as well, and the next one polls. So hundreds of queues cost an occasional wake-up,
/// not one for each callback, and code that blocks delays no other queue by more than ``longestWaitNanoseconds``. The
/// threads end with the last queue of their ``QueueFamily``.
final class SharedThreads: Sendable {
    /// The interval of polling; a queue that waits at two consecutive polls gets a thread.
    private static let microsecondsBetweenLooks: UInt32 = 2000
    static let longestWaitNanoseconds = UInt64(microsecondsBetweenLooks) * 2000
    /// The largest number of idle threads: one to serve, one to poll, and one for the next slow callback.
    private static let mostResting = 3

    private let isUrgent: Bool
    private let list = ReadyList()
    private let state = Monitor(State())

    init(isUrgent: Bool) { self.isUrgent = isUrgent }

    /// Calls `service` when there may be an event in `feed`, and at once, until it returns true.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory`` if a thread is needed and cannot be created.
    func serve(_ feed: StreamFeed, _ service: @escaping ReadyMember.Service) throws(QueueError) {
        let isLacking = state.withLock { state in
            state.members += 1
            guard state.resting == 0 else { return false }
            state.resting += 1
            return true
        }
        if isLacking {
            do throws(QueueError) {
                try startThread()
            } catch {
                state.withLock { state in
                    state.members -= 1
                    state.resting -= 1
                }
                throw error
            }
        }
        feed.announce(to: ReadyMember(of: list, service: service))
    }

    private func startThread() throws(QueueError) {
        try QueueThread.start(named: "aq callbacks") { [self] in
            if isUrgent { ThreadPriority.makeHigh() }
            while rest() {
                while let (member, service) = nextToServe() {
                    // Started before the client's code, which may block, and not earlier, because audio that
                    // starts would wait.
                    let isLast = service { startRestingThread { $0.resting == 0 } }
                    if isLast { end(member) }
                }
            }
        }
    }

    /// Starts one more thread, if `isLacking`. If the system cannot create it, queues wait for each other's
    /// callbacks.
    private func startRestingThread(if isLacking: (State) -> Bool) {
        let isToStart = state.withLock { state in
            guard isLacking(state) else { return false }
            state.resting += 1
            return true
        }
        guard isToStart else { return }
        do throws(QueueError) { try startThread() } catch { state.withLock { $0.resting -= 1 } }
    }

    // MARK: Serving

    /// Takes the member that is served next; nil if none waits, and the calling thread becomes idle.
    private func nextToServe() -> (ReadyMember, ReadyMember.Service)? {
        var isWatchLacking = false
        defer { if isWatchLacking { list.wake() } }
        return state.withLock { state in
            state.add(list)
            while let member = state.ready.popFirst() {
                state.taken += 1
                state.takenAt = aq_host_time()
                guard let service = member.begin() else { continue }
                if !state.ready.isEmpty, !state.isWatched, !state.isWatchAsked {
                    state.isWatchAsked = true
                    isWatchLacking = true
                }
                return (member, service)
            }
            state.serving -= 1
            state.resting += 1
            return nil
        }
    }

    private func end(_ member: ReadyMember) {
        let (ended, toWake) = state.withLock { state in
            guard let ended = member.end() else { return (ReadyMember.Service?.none, 0) }
            state.members -= 1
            return (ended, state.members == 0 ? state.resting : 0)
        }
        for _ in 0..<toWake { list.wake() }
        // It may be the last reference to its queue.
        withExtendedLifetime(ended) {}
    }

    // MARK: Resting

    /// Waits until the calling thread has to serve.
    ///
    /// - Returns: False if it has to end.
    private func rest() -> Bool {
        var look: State.Look?
        while true {
            let next = state.withLock { state in
                while true {
                    state.add(list)
                    let next = state.next(&look, at: aq_host_time())
                    list.setWatched(state.isWatched && state.serving > 0)
                    // Members added before the thread was counted as idle have woken none.
                    if next == .serve || list.isEmpty { return next }
                    if next == .end {
                        list.wake()
                        return next
                    }
                }
            }
            switch next {
            case .serve: return true
            case .end: return false
            case .wait: list.wait()
            // Waiting threads are woken for new members; polling ones are not.
            case .watch: usleep(SharedThreads.microsecondsBetweenLooks)
            }
        }
    }

    private struct State {
        /// The number of served queues.
        var members = 0
        /// The number of threads that serve queue after queue.
        var serving = 0
        /// The number of other threads, including those about to begin.
        var resting = 0
        /// Whether one of the idle threads polls.
        var isWatched = false
        /// Whether one was woken to poll.
        var isWatchAsked = false
        /// The waiting members.
        var ready = FIFO<ReadyMember>()
        /// The numbers of members that ever waited, and that were ever taken, and the time of the last of
        /// these.
        var added: UInt64 = 0
        var taken: UInt64 = 0
        var takenAt: UInt64 = 0

        enum Next { case serve, watch, wait, end }

        /// The state at a poll.
        struct Look {
            let added: UInt64
            let taken: UInt64
        }

        mutating func add(_ list: ReadyList) {
            list.takeAll { member in
                ready.append(member)
                added += 1
            }
        }

        /// The next action of an idle thread.
        ///
        /// - Parameter look: The state at its last poll; nil if it does not poll.
        mutating func next(_ look: inout Look?, at hostTime: UInt64) -> Next {
            isWatchAsked = false
            let isNeeded = isOneMoreNeeded(look, at: hostTime)
            if isNeeded {
                if look != nil { isWatched = false }
                look = nil
                serving += 1
                resting -= 1
                return .serve
            }
            // While there is work there will be more, and waiting members may wait too long.
            let hasProgressed = look.map { $0.taken != taken } ?? false
            let isWatcher = look != nil || !isWatched
            if hasProgressed || (isWatcher && !ready.isEmpty) {
                isWatched = true
                look = Look(added: added, taken: taken)
                return .watch
            }
            if look != nil { isWatched = false }
            look = nil
            guard members == 0 || resting > SharedThreads.mostResting else { return .wait }
            resting -= 1
            return .end
        }

        private static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

        /// Whether the waiting members need one more thread than those that serve.
        private func isOneMoreNeeded(_ look: Look?, at hostTime: UInt64) -> Bool {
            guard !ready.isEmpty else { return false }
            if serving == 0 { return true }
            guard let look else { return hostTime &- takenAt >= SharedThreads.longestWaitNanoseconds / 2 }
            // None was taken since: all threads are in slow callbacks. Or some were, but those of the last
            // poll are not finished.
            return look.taken == taken || (look.added > taken && serving < State.processors)
        }
    }
}
