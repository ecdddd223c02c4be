import CRealTime
import Synchronization

/// The processor on which a device's thread stays, so that those it wakes can wait there.
///
/// A thread that is woken on the processor of the one that wakes it runs when that one waits: a mere switch. On another
/// processor, which sleeps, it takes many times as long, and of a virtual machine that processor may not even be there.
/// The kernel sends a real-time thread to another processor, though, when one of a better priority wakes it.
package final class CommonProcessor: Sendable {
    private let kept = Atomic<Int32>(-1)
    private let followers = Atomic<Int>(0)

    package init() {}

    /// Its number; nil while the device's thread goes where the kernel sends it.
    package var number: Int32? {
        let number = kept.load(ordering: .relaxed)
        return number < 0 ? nil : number
    }

    /// Whether any thread would wait there. REAL-TIME.
    var isFollowed: Bool { @_noLocks get { followers.load(ordering: .relaxed) > 0 } }

    fileprivate func addFollowers(_ number: Int) { followers.add(number, ordering: .relaxed) }

    func set(_ number: Int32?) { kept.store(number ?? -1, ordering: .relaxed) }
}

/// A thread's stay on one processor, and its way back to all that it was allowed.
struct ProcessorStay {
    private var allowed = aq_processors()

    /// Has the calling thread stay on a processor, if it may run there.
    ///
    /// - Returns: Nil when it may not, or the system does not say.
    init?(on processor: Int32) {
        guard unsafe aq_get_processors(&allowed) == 0 else { return nil }
        var one = allowed
        guard unsafe aq_leave_one_processor(&one, processor) == 0, unsafe aq_set_processors(&one) == 0 else {
            return nil
        }
    }

    /// Lets the calling thread run where it was allowed to before.
    consuming func end() {
        if unsafe aq_set_processors(&allowed) == 0 { return }
        // They were taken from the process meanwhile; some it has.
        _ = aq_set_all_processors()
    }
}

/// Has a thread that serves a device's stream wait on the device's processor, and run where it likes.
///
/// The client's code runs with all processors that the thread is allowed, since threads that it starts inherit them.
/// Used by the thread.
package struct ProcessorFollower: ~Copyable {
    /// What takes longer gains little by a quick wake-up, and would keep the device's thread from its processor.
    #if DEBUG
    // Without optimization it is the library's own code that takes most of that.
    private static let longestTurnNanoseconds: UInt64 = 300_000
    #else
    private static let longestTurnNanoseconds: UInt64 = 100_000
    #endif

    private let common: CommonProcessor?
    private var stay: ProcessorStay?
    private var wokenAt: UInt64 = 0
    /// Whether the thread has waited beside the device's, and its turns are short: what it has to tell that thread
    /// had better wait for the end of a turn, since it would take the processor at once.
    package private(set) var isBeside = false

    /// - Parameter common: The device's; nil if it has none, and nobody is followed.
    package init(_ common: CommonProcessor?) {
        self.common = common
        common?.addFollowers(1)
    }

    deinit { common?.addFollowers(-1) }

    /// The thread is about to wait.
    ///
    /// - Parameter isRealTime: Whether it still is a real-time one; any other had better wait where there is room.
    package mutating func willWait(isRealTime: Bool) {
        guard let common else { return }
        let isShort = wokenAt == 0 || aq_host_time() - wokenAt <= ProcessorFollower.longestTurnNanoseconds
        stay = isShort && isRealTime ? common.number.flatMap { ProcessorStay(on: $0) } : nil
        isBeside = stay != nil
    }

    /// The thread has waited.
    package mutating func didWait() {
        guard common != nil else { return }
        wokenAt = aq_host_time()
        stay?.end()
        stay = nil
    }
}
