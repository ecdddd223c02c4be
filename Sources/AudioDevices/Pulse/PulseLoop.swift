import Synchronization

/// The thread that runs libpulse's main loop, and the mailbox through which other threads give it work.
///
/// Only this thread calls libpulse, so that no lock is needed, and no other thread can hold one against it. Work is
/// posted through a lock-free list.
@safe final class PulseLoop: @unchecked Sendable {
    // SAFETY: `mainloop` and the deadline belong to the loop's thread, except `wakeUp` of the main loop, which any
    // thread may call; the mailbox is atomic.

    @safe private final class Work {
        // SAFETY: owns its body; only the loop's thread follows the link.
        let body: () -> Void
        var next: Unmanaged<Work>?
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    private let mainloop: PulseMainloop
    private let mailbox = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    private let hasKick = Atomic<Bool>(false)

    /// The host time of the next ``PulseConnection/checkDeadlines()``. Loop thread only.
    private var deadline = UInt64.max
    /// Whether a stream has more data than was fed. Loop thread only.
    private var mustFeed = false
    private var realTime: RealTimeGuard?
    // REAL-TIME: a closure, or the reference, would be retained for each call.
    /// The loop's connection, which lives as long as the process. Set before ``start()``.
    var owner: Unmanaged<PulseConnection>?

    /// The processor that the thread stays on for the threads it wakes.
    let commonProcessor = CommonProcessor()
    /// Keeps the thread there. Loop thread only.
    private var keeper: ProcessorKeeper

    /// The number of streams of the connection, which share a limit of position requests. Loop thread only.
    var streams = 0

    init(_ mainloop: PulseMainloop) {
        self.mainloop = mainloop
        keeper = ProcessorKeeper(commonProcessor)
    }

    deinit { mainloop.free() }

    /// The host time that deadlines are compared with. REAL-TIME.
    var now: UInt64 { @_noLocks get { mainloop.now } }

    /// A connection that is not started; nil without memory.
    func makeContext() -> PulseContextCalls? { mainloop.makeContext() }

    /// Starts the thread, which lives as long as the process.
    ///
    /// - Returns: False if the system cannot create a thread.
    func start() -> Bool { DetachedThread.start(named: "aq pulse") { [self] in run() } == 0 }

    // MARK: The thread

    /// Takes turns of waiting and working until libpulse's loop ends. REAL-TIME.
    @_noLocks private func run() {
        while takeTurn() {
            let now = now
            // Without real-time priority, other threads could block it on its processor.
            if realTime?.didTurn(at: now) == true { keeper.giveUp() }
            if keeper.isToChange { changeProcessor() }
        }
    }

    /// Waits until something is due, and does it. REAL-TIME.
    ///
    /// - Returns: False if libpulse's loop has ended.
    @_noLocks func takeTurn() -> Bool {
        if !turn() { return false }
        if now >= deadline {
            deadline = .max
            checkDeadlines()
        }
        return true
    }

    @_noLocks private func turn() -> Bool {
        // The server gets the last turn's data before the streams are fed again.
        let feedsAgain = mustFeed
        if !mainloop.prepare(microseconds: microsecondsToDeadline()) { return false }
        // QUIRK: preparing discards wake-ups that came after the mailbox was last checked.
        if isAsked { mainloop.wakeUpAgain() }
        if !mainloop.poll() { return false }
        if !mainloop.dispatch() { return false }
        if hasWork { runWork() }
        feedIfKicked(again: feedsAgain)
        return true
    }

    /// Runs `body` on the loop's thread, after all work posted before. From any thread.
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

    /// Makes the loop feed its streams soon. From any thread; cheaper than ``perform(_:)``.
    func kick() {
        if !hasKick.exchange(true, ordering: .acquiringAndReleasing) { mainloop.wakeUp() }
    }

    /// Makes the loop feed its streams again after this turn. Loop thread only. REAL-TIME.
    @_noLocks func feedAgain() { mustFeed = true }

    /// Makes the connection check its deadlines at `hostTime`, or earlier if an earlier time was requested.
    @_noLocks func wakeUp(at hostTime: UInt64) {
        if hostTime < deadline { deadline = hostTime }
    }

    /// Cancels all requests made with ``wakeUp(at:)``. Loop thread only.
    func forgetDeadlines() { deadline = .max }

    /// Feeds the streams if that is due again or was requested. REAL-TIME.
    @_noLocks private func feedIfKicked(again: Bool) {
        let isKicked = hasKick.exchange(false, ordering: .acquiringAndReleasing)
        if !isKicked, !again { return }
        mustFeed = false
        guard let owner = unsafe owner else { return }
        unsafe owner._withUnsafeGuaranteedRef { $0.feedStreams() }
    }

    /// Requests real-time priority for the loop's thread, once. Loop thread only.
    func makeRealTime() {
        guard realTime == nil else { return }
        realTime = RealTimeGuard(ThreadPriority.makeRealTime())
    }

    /// Records an underrun of a stream. Loop thread only. REAL-TIME.
    @_noLocks func streamRanDry(at hostTime: UInt64) { keeper.ranDry(at: hostTime) }

    // REAL-TIME: not checked by the compiler: it makes system calls, but only for the first and the last follower.
    /// Binds the thread to a processor, or releases it.
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

    /// Whether other threads have requested anything that is not done. REAL-TIME.
    private var isAsked: Bool {
        @_noLocks get {
            if hasWork { return true }
            return hasKick.load(ordering: .acquiring)
        }
    }

    // REAL-TIME: not checked by the compiler, since it calls and releases closures. Only control calls post work, so a
    // stream that plays continuously needs none.
    /// Does the work in the mailbox.
    @_semantics("no_performance_analysis") private func runWork() {
        var newest = unsafe mailbox.exchange(nil, ordering: .acquiringAndReleasing)
        // The work posted first is done first.
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

    // REAL-TIME: not checked by the compiler, since it makes and drops streams. Only connecting, starts, fades, drains,
    // pauses, lost servers and late frames set deadlines: a stream that plays continuously has none.
    /// Makes the connection do what is due.
    @_semantics("no_performance_analysis") private func checkDeadlines() {
        unsafe owner?._withUnsafeGuaranteedRef { $0.checkDeadlines() }
    }
}
