import CRealTime

/// Gives real-time priority back when a thread has not waited for too long, and takes it again when that is over.
///
/// A loop that always finds something to do, on a machine that is too slow for it, would keep other programs from
/// a processor; and where RealtimeKit granted the priority, the kernel would end the process. Used by the thread.
@safe struct RealTimeGuard: ~Copyable {
    /// Half of the least that the kernel allows when RealtimeKit is as it comes.
    private static let longestNanoseconds: UInt64 = 75_000_000
    /// The kernel is asked no more often.
    private static let nanosecondsBetweenLooks: UInt64 = 25_000_000
    /// For so long a thread has to wait now and then before it is a real-time one again: the first time, and at most.
    private static let firstPause: UInt64 = 1_000_000_000
    private static let longestPause: UInt64 = 64_000_000_000

    // REAL-TIME: a reference would be retained in every turn.
    private let request: Unmanaged<PriorityRequest>
    private var lastLook: UInt64 = 0
    private var lastWait: UInt64 = 0
    private var waits = -1
    private var pause = RealTimeGuard.firstPause
    /// Since when the thread has waited at every look; 0 while it is a real-time one, or is not to be again.
    private var waitsSince: UInt64 = 0

    init(_ request: PriorityRequest) { unsafe self.request = .passRetained(request) }

    /// What became of the wish.
    var answer: PriorityRequest.Answer { unsafe request._withUnsafeGuaranteedRef { $0.answer } }

    deinit { unsafe request.release() }

    enum Advice { case goOn, giveBack, takeAgain }

    /// Takes note of a turn that ended at `now` (host time). REAL-TIME.
    ///
    /// - Returns: Whether the thread has done so much without waiting that it was to give its priority back.
    @_noLocks mutating func didTurn(at now: UInt64) -> Bool {
        let advice = advice(at: now, waits: aq_waits_of_thread())
        switch advice {
        case .goOn: break
        case .giveBack: giveBack(at: now)
        case .takeAgain: takeAgain()
        }
        return advice == .giveBack
    }

    // REAL-TIME: not checked by the compiler, since it takes the request's lock. From then on nothing is real-time.
    /// Has the thread run as others do, if it does not yet.
    @_semantics("no_performance_analysis") private mutating func giveBack(at now: UInt64) {
        let request = unsafe request.takeUnretainedValue()
        let answer = request.answer
        guard answer == .granted || answer == .grantedByRealtimeKit, aq_schedule_as_usual() == 0 else {
            return
        }
        request.settle(.givenBack)
        // What RealtimeKit grants is asked for by another thread, and counted.
        if answer == .granted { waitsSince = now }
    }

    // REAL-TIME: not checked, as the above. Until then nothing was real-time.
    /// Has the thread run in real time again, as the kernel has granted it before.
    @_semantics("no_performance_analysis") private mutating func takeAgain() {
        waitsSince = 0
        guard aq_schedule_in_real_time(Int32(ThreadPriority.realTimePriority)) == 0 else { return }
        pause = min(2 * pause, RealTimeGuard.longestPause)
        lastWait = lastLook
        unsafe request.takeUnretainedValue().settle(.granted)
    }

    /// - Parameter waits: How often the thread has waited so far.
    @_noLocks mutating func advice(at now: UInt64, waits: @autoclosure () -> Int) -> Advice {
        guard now - lastLook >= RealTimeGuard.nanosecondsBetweenLooks else { return .goOn }
        lastLook = now
        let waits = waits()
        let hasWaited = waits != self.waits
        if hasWaited {
            self.waits = waits
            lastWait = now
        }
        if waitsSince == 0 { return now - lastWait >= RealTimeGuard.longestNanoseconds ? .giveBack : .goOn }
        if !hasWaited { waitsSince = now }
        return now - waitsSince >= pause ? .takeAgain : .goOn
    }
}
