import Synchronization

/// The thread that runs libpulse's main loop, and the mailbox by which others hand it work.
///
/// Everything of libpulse is touched by this thread alone, so that no lock is needed and none can be held
/// against it. Work is posted through a lock-free list.
@safe final class PulseLoop: @unchecked Sendable {
    // SAFETY: `mainloop` and the deadline belong to the loop's thread, except the main loop's `wakeUp`, which any thread
    // may call; the mailbox is atomic.

    @safe private final class Work {
        // SAFETY: owns its body; the link is followed by the loop's thread alone.
        let body: () -> Void
        var next: Unmanaged<Work>?
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    private let mainloop: PulseMainloop
    private let mailbox = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    private let hasKick = Atomic<Bool>(false)

    /// When ``PulseConnection/checkDeadlines()`` is due next, as host time. Loop thread only.
    private var deadline = UInt64.max
    /// A stream has more to be fed than it had when it was. Loop thread only.
    private var mustFeed = false
    private var realTime: RealTimeGuard?
    // REAL-TIME: a closure would be retained for each call, and so would the reference.
    /// Whose loop it is, which lives as long as the process. Set before ``start()``.
    var owner: Unmanaged<PulseConnection>?

    /// Where the thread stays for those that it wakes.
    let commonProcessor = CommonProcessor()
    /// Has it stay there. Loop thread only.
    private var keeper: ProcessorKeeper

    /// The streams of the connection: they share what the server may be asked. Loop thread only.
    var streams = 0

    init(_ mainloop: PulseMainloop) {
        self.mainloop = mainloop
        keeper = ProcessorKeeper(commonProcessor)
    }

    deinit { mainloop.free() }

    /// The time that deadlines are compared with, as host time. REAL-TIME.
    var now: UInt64 { @_noLocks get { mainloop.now } }

    /// A connection that has not begun; nil without memory.
    func makeContext() -> PulseContextCalls? { mainloop.makeContext() }

    /// Starts the thread, which lives as long as the process.
    ///
    /// - Returns: False if the system cannot create a thread.
    func start() -> Bool { DetachedThread.start(named: "aq pulse") { [self] in run() } == 0 }

    // MARK: The thread

    /// Waits and works, turn by turn, as long as libpulse's loop goes on. REAL-TIME.
    @_noLocks private func run() {
        while takeTurn() {
            let now = now
            // Without its priority others could keep it from its processor.
            if realTime?.didTurn(at: now) == true { keeper.giveUp() }
            if keeper.isToChange { changeProcessor() }
        }
    }

    /// Waits until something is due, and does it. REAL-TIME.
    ///
    /// - Returns: False when libpulse's loop has ended.
    @_noLocks func takeTurn() -> Bool {
        if !turn() { return false }
        if now >= deadline {
            deadline = .max
            checkDeadlines()
        }
        return true
    }

    @_noLocks private func turn() -> Bool {
        // The server gets the data of the last turn before the streams are fed again.
        let feedsAgain = mustFeed
        if !mainloop.prepare(microseconds: microsecondsToDeadline()) { return false }
        // QUIRK: preparing throws away wake-ups that came since the last look at the mailbox.
        if isAsked { mainloop.wakeUpAgain() }
        if !mainloop.poll() { return false }
        if !mainloop.dispatch() { return false }
        if hasWork { runWork() }
        feedIfKicked(again: feedsAgain)
        return true
    }

    /// Runs `body` on the loop's thread, after all that was posted before. From any thread.
    func perform(_ body: @escaping @Sendable () -> Void) {
        let work = Work(body)
        let node = unsafe Unmanaged.passRetained(work).toOpaque()
        var head = unsafe mailbox.load(ordering: .relaxed)
        while true {
            unsafe work.next = unsafe head.map { unsafe Unmanaged<Work>.fromOpaque($0) }
            let (done, current) = unsafe mailbox.weakCompareExchange(
                expected: head, desired: node, ordering: .acquiringAndReleasing)
            if done { break }
            unsafe head = unsafe current
        }
        mainloop.wakeUp()
    }

    /// Has the loop feed its streams soon. From any thread; cheaper than ``perform(_:)``.
    func kick() {
        if !hasKick.exchange(true, ordering: .acquiringAndReleasing) { mainloop.wakeUp() }
    }

    /// Has the loop feed its streams again after this turn. Loop thread only. REAL-TIME.
    @_noLocks func feedAgain() { mustFeed = true }

    /// Has the connection look at its deadlines at `hostTime`, or earlier if an earlier time was asked for.
    @_noLocks func wakeUp(at hostTime: UInt64) {
        if hostTime < deadline { deadline = hostTime }
    }

    /// Takes back all that was asked for by ``wakeUp(at:)``. Loop thread only.
    func forgetDeadlines() { deadline = .max }

    /// Feeds the streams, if that is due again or anybody asked for it. REAL-TIME.
    @_noLocks private func feedIfKicked(again: Bool) {
        let isKicked = hasKick.exchange(false, ordering: .acquiringAndReleasing)
        if !isKicked, !again { return }
        mustFeed = false
        guard let owner = unsafe owner else { return }
        unsafe owner._withUnsafeGuaranteedRef { $0.feedStreams() }
    }

    /// Asks once that the loop's thread be woken before others. Loop thread only.
    func makeRealTime() {
        guard realTime == nil else { return }
        realTime = RealTimeGuard(ThreadPriority.makeRealTime())
    }

    /// A stream ran dry. Loop thread only. REAL-TIME.
    @_noLocks func streamRanDry(at hostTime: UInt64) { keeper.ranDry(at: hostTime) }

    // REAL-TIME: not checked by the compiler, since it makes system calls; when the first follows, and after the last.
    /// Begins to stay on a processor, or ends it.
    @_semantics("no_performance_analysis") private func changeProcessor() {
        keeper.change(realTime?.answer)
    }

    @_noLocks private func microsecondsToDeadline() -> Int32 {
        if mustFeed { return 0 }
        if deadline == .max { return -1 }
        let now = now
        if now >= deadline { return 0 }
        return Int32(clamping: (deadline - now) / 1000 + 1)
    }

    /// Whether there is work in the mailbox. REAL-TIME.
    private var hasWork: Bool { @_noLocks get { unsafe mailbox.load(ordering: .acquiring) != nil } }

    /// Whether others asked for anything that was not done yet. REAL-TIME.
    private var isAsked: Bool {
        @_noLocks get {
            if hasWork { return true }
            return hasKick.load(ordering: .acquiring)
        }
    }

    // REAL-TIME: not checked by the compiler, since it calls closures and lets go of them. Only control calls ask
    // for anything: nothing is done here for a stream that goes on.
    /// Does the work in the mailbox.
    @_semantics("no_performance_analysis") private func runWork() {
        var newest = unsafe mailbox.exchange(nil, ordering: .acquiringAndReleasing)
        // What was asked for first is done first.
        var oldest: Unmanaged<Work>?
        while let node = unsafe newest {
            let work = unsafe Unmanaged<Work>.fromOpaque(node)
            unsafe newest = unsafe work._withUnsafeGuaranteedRef { unsafe $0.next?.toOpaque() }
            unsafe work._withUnsafeGuaranteedRef { unsafe $0.next = unsafe oldest }
            unsafe oldest = unsafe work
        }
        while let next = unsafe oldest {
            let work = unsafe next.takeRetainedValue()
            unsafe oldest = unsafe work.next
            work.body()
        }
    }

    // REAL-TIME: not checked by the compiler, since it makes and drops streams. Connecting, starts, fades, drains, pauses,
    // lost servers and frames that come late set deadlines: none passes for a stream that goes on.
    /// Has the connection do what is due.
    @_semantics("no_performance_analysis") private func checkDeadlines() {
        unsafe owner?._withUnsafeGuaranteedRef { $0.checkDeadlines() }
    }
}
