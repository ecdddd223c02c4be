import CRealTime

/// Keeps a device's thread on one processor while other threads follow it there (``CommonProcessor``).
///
/// Only with real-time priority, so that only threads of that priority can block it. If streams underrun repeatedly,
/// for whatever reason, the kernel chooses the processor again. After the last follower has gone, this takes effect in
/// the thread's next turn. Used by the thread itself.
struct ProcessorKeeper: ~Copyable {
    private static let mostDryRuns = 16
    private static let dryRunNanoseconds: UInt64 = 1_000_000_000

    private let common: CommonProcessor
    private var stay: ProcessorStay?
    /// Whether the thread stopped staying on a processor for the current followers.
    private var isGivenUp = false
    private var dryRuns = 0
    private var dryRunsSince: UInt64 = 0

    /// - Parameter common: Informs followers of the processor.
    init(_ common: CommonProcessor) { self.common = common }

    private var isStaying: Bool { @_noLocks get { stay != nil } }

    /// Whether ``change(_:)`` has something to do. REAL-TIME.
    var isToChange: Bool {
        @_noLocks get { common.isFollowed ? isStaying == isGivenUp : isStaying || isGivenUp }
    }

    /// Leaves the processor to the kernel until other followers come. REAL-TIME.
    @_noLocks mutating func giveUp() { isGivenUp = true }

    /// Counts an underrun of a stream. REAL-TIME.
    @_noLocks mutating func ranDry(at hostTime: UInt64) {
        if hostTime &- dryRunsSince > ProcessorKeeper.dryRunNanoseconds {
            (dryRunsSince, dryRuns) = (hostTime, 0)
        }
        dryRuns += 1
        // This many within a second are not chance.
        if dryRuns >= ProcessorKeeper.mostDryRuns { giveUp() }
    }

    /// Binds the thread to its processor, or releases it.
    ///
    /// - Parameter priority: The result of its request for real-time priority; nil before there is one.
    mutating func change(_ priority: PriorityRequest.Answer?) {
        guard common.isFollowed, !isGivenUp else {
            common.set(nil)
            stay?.end()
            stay = nil
            if !common.isFollowed { (isGivenUp, dryRuns) = (false, 0) }
            return
        }
        switch priority {
        case .granted, .grantedByRealtimeKit: break
        case .awaited, nil: return
        case .givenBack, .refused, .nobodyToAsk: return giveUp()
        }
        let processor = aq_processor()
        stay = ProcessorStay(on: processor)
        if isStaying { common.set(processor) } else { giveUp() }
    }
}
