// SPDX-License-Identifier: MIT

import CAQRealTime

/// Gives up a thread's real-time priority if the thread works too long without waiting, and requests it again later.
///
/// On a slow machine, a loop that always has work would block other programs. If RealtimeKit granted the priority, the
/// kernel would even end the process (RLIMIT_RTTIME). Used by the thread itself.
@safe struct RealTimeGuard: ~Copyable {
    /// The longest time without a wait: half of the shortest limit that the kernel enforces with RealtimeKit's
    /// defaults.
    private static let longestNanoseconds: UInt64 = 75_000_000
    /// The interval at which the kernel is queried.
    private static let pollInterval: UInt64 = 25_000_000
    /// The time for which the thread must wait regularly before it gets real-time priority again: the first time, and
    /// at most.
    private static let firstPause: UInt64 = 1_000_000_000
    private static let longestPause: UInt64 = 64_000_000_000

    // REAL-TIME: a reference would be retained in every turn.
    private var request: Unmanaged<PriorityRequest>
    /// The priority that was requested.
    private let priority: UInt32
    private var lastPoll: UInt64 = 0
    private var lastWait: UInt64 = 0
    private var waits = -1
    private var pause = RealTimeGuard.firstPause
    /// The time since which every check found that the thread had waited; 0 if it has real-time priority, or will not
    /// get it again.
    private var waitsSince: UInt64 = 0

    init(_ request: PriorityRequest, priority: UInt32 = ThreadPriority.realTimePriority) {
        unsafe self.request = .passRetained(request)
        self.priority = priority
    }

    deinit { unsafe request.release() }

    /// Stops the guard from restoring a priority that the thread gave up.
    mutating func forget() { waitsSince = 0 }

    /// Guards a later request of the same thread instead.
    mutating func renew(_ request: PriorityRequest) {
        unsafe self.request.release()
        unsafe self.request = .passRetained(request)
        (lastPoll, waits, waitsSince) = (0, -1, 0)
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

    // REAL-TIME: not checked by the compiler, because it retains the request. The thread then has normal priority.
    /// Restores normal priority, if the thread has a higher one.
    @_semantics("no_performance_analysis") private mutating func giveBack(at now: UInt64) {
        let request = unsafe request.takeUnretainedValue()
        let answer = request.answer
        guard answer == .granted || answer == .grantedByRealtimeKit, aq_schedule_as_usual() == 0 else {
            return
        }
        request.settle(.givenBack)
        // Only priority that the kernel granted: a request to RealtimeKit needs another thread, and the number of such
        // requests is limited.
        if answer == .granted { waitsSince = now }
    }

    // REAL-TIME: not checked, for the same reason. Before this call the thread has normal priority.
    /// Restores real-time priority, which the kernel has granted before.
    @_semantics("no_performance_analysis") private mutating func takeAgain() {
        waitsSince = 0
        guard aq_schedule_in_real_time(Int32(priority)) == 0 else { return }
        pause = min(2 * pause, RealTimeGuard.longestPause)
        lastWait = lastPoll
        unsafe request.takeUnretainedValue().settle(.granted)
    }

    /// Returns the action for a check at `now`.
    ///
    /// - Parameter waits: The number of times that the thread has waited since it began.
    @_noLocks mutating func advice(at now: UInt64, waits: @autoclosure () -> Int) -> Advice {
        guard now - lastPoll >= RealTimeGuard.pollInterval else { return .goOn }
        lastPoll = now
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
