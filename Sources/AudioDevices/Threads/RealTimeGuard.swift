import CRealTime

/// Gives up real-time priority if a thread has not waited for too long, and requests it again later.
///
/// On a slow machine a loop that always has work would block other programs. If RealtimeKit granted the priority, the
/// kernel would end the process. Used by the thread itself.
@safe struct RealTimeGuard: ~Copyable {
    /// Half of the shortest limit that the kernel enforces with RealtimeKit's defaults.
    private static let longestNanoseconds: UInt64 = 75_000_000
    /// The interval at which the kernel is queried.
    private static let nanosecondsBetweenLooks: UInt64 = 25_000_000
    /// The time for which the thread must wait regularly before it is real-time again: the first time, and at most.
    private static let firstPause: UInt64 = 1_000_000_000
    private static let longestPause: UInt64 = 64_000_000_000

    // REAL-TIME: a reference would be retained in every turn.
    private var request: Unmanaged<PriorityRequest>
    /// The priority that was requested.
    private let priority: UInt32
    private var lastLook: UInt64 = 0
    private var lastWait: UInt64 = 0
    private var waits = -1
    private var pause = RealTimeGuard.firstPause
    /// The time since which every check found that the thread waits; 0 if it is real-time, or will not be again.
    private var waitsSince: UInt64 = 0

    init(_ request: PriorityRequest, priority: UInt32 = ThreadPriority.realTimePriority) {
        unsafe self.request = .passRetained(request)
        self.priority = priority
    }

    deinit { unsafe request.release() }

    /// Does not take a priority again that the thread gave up.
    mutating func forget() { waitsSince = 0 }

    /// Guards a later request of the same thread instead.
    mutating func renew(_ request: PriorityRequest) {
        unsafe self.request.release()
        unsafe self.request = .passRetained(request)
        (lastLook, waits, waitsSince) = (0, -1, 0)
    }

    enum Advice { case goOn, giveBack, takeAgain }

    /// Checks a turn that ended at `now` (host time): a thread that has worked too long without waiting gives up its
    /// priority. REAL-TIME.
    @_noLocks mutating func didTurn(at now: UInt64) {
        switch advice(at: now, waits: aq_waits_of_thread()) {
        case .goOn: break
        case .giveBack: giveBack(at: now)
        case .takeAgain: takeAgain()
        }
    }

    // REAL-TIME: not checked by the compiler, since it takes the request's lock. The thread then has normal priority.
    /// Restores normal priority, if the thread has a higher one.
    @_semantics("no_performance_analysis") private mutating func giveBack(at now: UInt64) {
        let request = unsafe request.takeUnretainedValue()
        let answer = request.answer
        guard answer == .granted || answer == .grantedByRealtimeKit, aq_schedule_as_usual() == 0 else {
            return
        }
        request.settle(.givenBack)
        // Only priority from the kernel; RealtimeKit's needs another thread and is limited in number.
        if answer == .granted { waitsSince = now }
    }

    // REAL-TIME: not checked, for the same reason. Before this call the thread has normal priority.
    /// Restores real-time priority, which the kernel has granted before.
    @_semantics("no_performance_analysis") private mutating func takeAgain() {
        waitsSince = 0
        guard aq_schedule_in_real_time(Int32(priority)) == 0 else { return }
        pause = min(2 * pause, RealTimeGuard.longestPause)
        lastWait = lastLook
        unsafe request.takeUnretainedValue().settle(.granted)
    }

    /// - Parameter waits: The number of times the thread has waited so far.
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
