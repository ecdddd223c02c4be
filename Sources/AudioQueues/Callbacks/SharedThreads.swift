import AudioDevices
import CRealTime
import Glibc

/// Threads that serve many queues: as few as their callbacks let.
///
/// One goes from queue to queue as long as any has something to do. Another looks now and then whether some queue waits
/// too long, since a callback of another lasts; then it serves as well, and the next one looks. So hundreds of queues
/// cost a wake-up now and then, not one a callback, and code that blocks delays no other queue by more than
/// ``longestWaitNanoseconds``. The threads end with the last queue. A ``QueueFamily`` holds them.
final class SharedThreads: Sendable {
    /// Between two looks; a queue that waits at one and at the next has somebody.
    private static let microsecondsBetweenLooks: UInt32 = 2000
    static let longestWaitNanoseconds = UInt64(microsecondsBetweenLooks) * 2000
    /// As many rest at most when all is done: one to serve, one to look, and one for the next callback that lasts.
    private static let mostResting = 3

    private let isUrgent: Bool
    private let list = ReadyList()
    private let state = Monitor(State())

    init(isUrgent: Bool) { self.isUrgent = isUrgent }

    /// Has `service` done whenever there may be a notice in `feed`, and at once, until it returns true.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory`` when a thread is needed and is not to be had.
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
                    // Before code of a client's, which may block, and not earlier: a sound that starts would wait.
                    let isLast = service { startRestingThread { $0.resting == 0 } }
                    if isLast { end(member) }
                }
            }
        }
    }

    /// Starts one more thread, if `isLacking`. Without it, when the system has none to give, queues wait for each other's
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

    /// Takes what is served next; nil when nothing waits, and the calling thread rests.
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
        // The last of its queue, maybe.
        withExtendedLifetime(ended) {}
    }

    // MARK: Resting

    /// Waits until the calling thread is to serve.
    ///
    /// - Returns: False when it is to end.
    private func rest() -> Bool {
        var look: State.Look?
        while true {
            let next = state.withLock { state in
                while true {
                    state.add(list)
                    let next = state.next(&look, at: aq_host_time())
                    list.setWatched(state.isWatched && state.serving > 0)
                    // What was added before that was said has woken nobody.
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
            // Those who wait are woken for what comes, and those who watch are not.
            case .watch: usleep(SharedThreads.microsecondsBetweenLooks)
            }
        }
    }

    private struct State {
        /// Queues that are served.
        var members = 0
        /// Threads that go from queue to queue.
        var serving = 0
        /// The others, with those that are about to begin.
        var resting = 0
        /// Whether one of those that rest looks now and then.
        var isWatched = false
        /// Whether one was woken to do so.
        var isWatchAsked = false
        /// What waits.
        var ready = FIFO<ReadyMember>()
        /// How many have ever waited, and were ever taken, the last of them when.
        var added: UInt64 = 0
        var taken: UInt64 = 0
        var takenAt: UInt64 = 0

        enum Next { case serve, watch, wait, end }

        /// What one who watches has seen.
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

        /// What a thread that rests does next.
        ///
        /// - Parameter look: What it has seen when it looked last; nil if it does not watch.
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
            // While there is something to do there will be more; and what waits may wait for too long.
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

        /// Whether what waits needs one more thread than those that serve.
        private func isOneMoreNeeded(_ look: Look?, at hostTime: UInt64) -> Bool {
            guard !ready.isEmpty else { return false }
            if serving == 0 { return true }
            guard let look else { return hostTime &- takenAt >= SharedThreads.longestWaitNanoseconds / 2 }
            // Nothing was taken since: they are all in callbacks that last. Or some were, but those before are not
            // through.
            return look.taken == taken || (look.added > taken && serving < State.processors)
        }
    }
}
