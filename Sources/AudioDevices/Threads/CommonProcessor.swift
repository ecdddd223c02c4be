import CRealTime
import Synchronization

/// The processor that a device's thread stays on, so that the threads it wakes can wait there.
///
/// A woken thread on the waker's processor runs as soon as the waker waits, by a mere context switch. On another
/// processor, which is asleep, this takes many times as long, and in a virtual machine that processor may not even be
/// scheduled. However, the kernel moves a real-time thread to another processor if one of higher priority wakes it.
package final class CommonProcessor: Sendable {
    private let kept = Atomic<Int32>(-1)
    private let followers = Atomic<Int>(0)

    package init() {}

    /// The processor's number; nil while the kernel chooses the processor of the device's thread.
    package var number: Int32? {
        let number = kept.load(ordering: .relaxed)
        return number < 0 ? nil : number
    }

    /// Whether any thread follows. REAL-TIME.
    var isFollowed: Bool { @_noLocks get { followers.load(ordering: .relaxed) > 0 } }

    fileprivate func addFollowers(_ number: Int) { followers.add(number, ordering: .relaxed) }

    func set(_ number: Int32?) { kept.store(number ?? -1, ordering: .relaxed) }
}

/// Binds a thread to one processor, and restores the processors it was allowed before.
struct ProcessorStay {
    private var allowed = aq_processors()

    /// Binds the calling thread to a processor, if it may run there.
    ///
    /// - Returns: Nil if it may not, or if the system reports an error.
    init?(on processor: Int32) {
        guard unsafe aq_get_processors(&allowed) == 0 else { return nil }
        var one = allowed
        guard unsafe aq_leave_one_processor(&one, processor) == 0, unsafe aq_set_processors(&one) == 0 else {
            return nil
        }
    }

    /// Restores the thread's processors.
    consuming func end() {
        if unsafe aq_set_processors(&allowed) == 0 { return }
        // The process has lost those processors in the meantime, but it has some.
        _ = aq_set_all_processors()
    }
}

/// Makes a thread that serves a device's stream wait on the device's processor, and run on any.
///
/// The client's code runs with all processors that the thread is allowed, because new threads inherit them. Used by the
/// thread itself.
package struct ProcessorFollower: ~Copyable {
    /// Longer turns gain little from a quick wake-up, and would block the device's thread.
    #if DEBUG
    // Without optimization most of a turn is the library's own code.
    private static let longestTurnNanoseconds: UInt64 = 300_000
    #else
    private static let longestTurnNanoseconds: UInt64 = 100_000
    #endif

    private let common: CommonProcessor?
    private var stay: ProcessorStay?
    private var wokenAt: UInt64 = 0
    /// Whether the thread has waited on the device's processor and its turns are short. It should then wake the
    /// device's thread only at the end of a turn, because that thread takes the processor at once.
    package private(set) var isBeside = false

    /// - Parameter common: The device's processor; nil if it has none, and the thread follows none.
    package init(_ common: CommonProcessor?) {
        self.common = common
        common?.addFollowers(1)
    }

    deinit { common?.addFollowers(-1) }

    /// Called before the thread waits.
    ///
    /// - Parameter isRealTime: Whether it has real-time priority. Other threads wait on any processor.
    package mutating func willWait(isRealTime: Bool) {
        guard let common else { return }
        let isShort = wokenAt == 0 || aq_host_time() - wokenAt <= ProcessorFollower.longestTurnNanoseconds
        stay = isShort && isRealTime ? common.number.flatMap { ProcessorStay(on: $0) } : nil
        isBeside = stay != nil
    }

    /// Called after the thread has waited.
    package mutating func didWait() {
        guard common != nil else { return }
        wokenAt = aq_host_time()
        stay?.end()
        stay = nil
    }
}
