import CRealTime

/// Keeps a device's thread on one processor while threads follow it there (``CommonProcessor``).
///
/// Only while it has real-time priority: others of that priority alone can keep it from its processor, and when streams
/// run dry again and again, for whatever reason, the kernel is to choose once more. That the last follower has gone is
/// seen in the thread's next turn. Used by the thread.
struct ProcessorKeeper: ~Copyable {
    private static let mostDryRuns = 16
    private static let dryRunNanoseconds: UInt64 = 1_000_000_000

    private let common: CommonProcessor
    private var stay: ProcessorStay?
    /// Whether it was given up for these followers.
    private var isGivenUp = false
    private var dryRuns = 0
    private var dryRunsSince: UInt64 = 0

    /// - Parameter common: What followers are told by.
    init(_ common: CommonProcessor) { self.common = common }

    private var isStaying: Bool { @_noLocks get { stay != nil } }

    /// Whether ``change(_:)`` has anything to do. REAL-TIME.
    var isToChange: Bool {
        @_noLocks get { common.isFollowed ? isStaying == isGivenUp : isStaying || isGivenUp }
    }

    /// Has the thread go where the kernel sends it, until others follow it. REAL-TIME.
    @_noLocks mutating func giveUp() { isGivenUp = true }

    /// Takes note of a stream that ran dry. REAL-TIME.
    @_noLocks mutating func ranDry(at hostTime: UInt64) {
        if hostTime &- dryRunsSince > ProcessorKeeper.dryRunNanoseconds {
            (dryRunsSince, dryRuns) = (hostTime, 0)
        }
        dryRuns += 1
        // In a second: that is no accident.
        if dryRuns >= ProcessorKeeper.mostDryRuns { giveUp() }
    }

    /// Has the thread stay where it is, or go.
    ///
    /// - Parameter priority: What became of its wish for real-time priority; nil while it has none.
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
