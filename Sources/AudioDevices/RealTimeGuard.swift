import CRealTime

/// Gives real-time priority back when a thread has not waited for too long.
///
/// A loop that always finds something to do, on a machine that is too slow for it, would keep other programs from
/// a processor; and where RealtimeKit granted the priority, the kernel would end the process. Used by the thread.
@safe struct RealTimeGuard: ~Copyable {
    /// Half of the least that the kernel allows when RealtimeKit is as it comes.
    private static let longestNanoseconds: UInt64 = 75_000_000
    /// The kernel is asked no more often.
    private static let nanosecondsBetweenLooks: UInt64 = 25_000_000

    // REAL-TIME: a reference would be retained in every turn.
    private let request: Unmanaged<PriorityRequest>
    private var lastLook: UInt64 = 0
    private var lastWait: UInt64 = 0
    private var waits = -1

    init(_ request: PriorityRequest) { unsafe self.request = .passRetained(request) }

    deinit { unsafe request.release() }

    /// Takes note of a turn that ended at `now` (host time). REAL-TIME.
    @_noLocks mutating func didTurn(at now: UInt64) {
        if isOverworked(at: now, waits: aq_waits_of_thread()) { giveBack() }
    }

    // REAL-TIME: not checked by the compiler, since it takes the request's lock. From then on nothing is real-time.
    /// Has the thread run as others do, if it does not yet.
    @_semantics("no_performance_analysis") private func giveBack() {
        let request = unsafe request.takeUnretainedValue()
        switch request.answer {
        case .granted, .grantedByRealtimeKit: if aq_schedule_as_usual() == 0 { request.settle(.givenBack) }
        case .awaited, .givenBack, .refused, .nobodyToAsk: break
        }
    }

    /// - Parameter waits: How often the thread has waited so far.
    @_noLocks mutating func isOverworked(at now: UInt64, waits: @autoclosure () -> Int) -> Bool {
        guard now - lastLook >= RealTimeGuard.nanosecondsBetweenLooks else { return false }
        lastLook = now
        let waits = waits()
        if waits != self.waits {
            self.waits = waits
            lastWait = now
        }
        return now - lastWait >= RealTimeGuard.longestNanoseconds
    }
}
