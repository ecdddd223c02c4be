import CRealTime
import CRealTimeKit
import Glibc

/// How a thread that sound waits for is placed before others, as far as the system lets it.
///
/// The kernel is asked first, by the thread itself. On most desktops it refuses, and then RealtimeKit is asked
/// by another thread: the one that wishes never waits for an answer.
package enum ThreadPriority {
    /// Below it, what a thread is late by is heard; above it, the priority of others is not worth a question.
    package static let urgentSeconds = 0.05

    /// The server's own threads have this one: ours must not keep it from them.
    static let realTimePriority: UInt32 = 5
    /// A client's code must not keep the thread that feeds the server from it.
    static let callbackPriority: UInt32 = 4
    static let niceValue: Int32 = -11
    /// A turn is far shorter, and the kernel gives none that are shorter.
    static let sliceNanoseconds: UInt64 = 100_000

    private static let latest = Monitor<[PriorityRequest.Wish: PriorityRequest]>([:])

    /// Has the calling thread run as soon as it is woken. For code that never blocks nor loops on a client's
    /// account; once a thread.
    ///
    /// The kernel allows it to users with a limit RLIMIT_RTPRIO. For RealtimeKit the process has to limit
    /// RLIMIT_RTTIME: to 200 ms, with a soft limit of 150 ms, unless the administrator has chosen another time.
    /// A real-time thread that works for so long without once waiting ends the process. A turn of the loop, the
    /// only thread for which it is asked, is short and ends by waiting for the server; no code of the client's
    /// runs on it, and if the turns leave no time to wait, ``RealTimeGuard`` gives the priority back in time. The
    /// limit binds no thread without real-time priority, and those of the client's that have one must have got it
    /// from RealtimeKit too, on the same condition.
    ///
    /// Without real-time priority it runs before usual threads, as those of ``makeHigh()``, if the kernel allows it.
    @discardableResult
    package static func makeRealTime() -> PriorityRequest {
        _ = aq_set_nice_value(niceValue)
        return ask(for: .realTime)
    }

    /// Has the calling thread run before usual ones. For code of the client's: one that loops for ever must not
    /// stop the machine. Once a thread.
    ///
    /// The kernel allows it to users with a limit RLIMIT_NICE. RealtimeKit is asked for the first eight threads.
    @discardableResult
    package static func makeHigh() -> PriorityRequest { ask(for: .high) }

    /// Has the calling thread run as soon as it is woken, though it runs code of the client's. Once a thread, after
    /// ``makeHigh()``, which holds when this does not.
    ///
    /// Whoever asks must take it back (``PriorityRequest/giveBack()``) from a thread whose client's code does not
    /// come to an end: one that loops for ever would otherwise keep a processor to itself. RealtimeKit is not asked:
    /// on its condition such a thread could be the end of the process.
    package static func makeRealTimeForCallbacks() -> PriorityRequest {
        let request = PriorityRequest(.realTime, thread: aq_rtkit_calling_thread())
        request.settle(aq_schedule_in_real_time(Int32(callbackPriority)) == 0 ? .granted : .refused)
        return request
    }

    /// What was last asked for, by any thread of the process; nil if nothing was. For reports.
    package static func latestRequest(for wish: PriorityRequest.Wish) -> PriorityRequest? {
        latest.withLock { $0[wish] }
    }

    private static func ask(for wish: PriorityRequest.Wish) -> PriorityRequest {
        // Needs no permission; where even that is refused, the wish itself decides.
        _ = aq_ask_for_short_slices(sliceNanoseconds)
        let request = ask(for: wish, kernel: askKernel, otherwise: .shared)
        latest.withLock { $0[wish] = request }
        return request
    }

    /// Asks on behalf of the calling thread, without waiting.
    ///
    /// - Parameters:
    ///   - kernel: Grants the wish and returns 0, or an error number.
    ///   - kit: Asked if the kernel does not permit it.
    static func ask(
        for wish: PriorityRequest.Wish, kernel: (PriorityRequest.Wish) -> Int32, otherwise kit: RealtimeKit
    ) -> PriorityRequest {
        let request = PriorityRequest(wish, thread: aq_rtkit_calling_thread())
        switch kernel(wish) {
        case 0: request.settle(.granted)
        case EPERM, EACCES: kit.ask(for: request)
        default: request.settle(.refused)
        }
        return request
    }

    static func askKernel(for wish: PriorityRequest.Wish) -> Int32 {
        switch wish {
        case .realTime: aq_schedule_in_real_time(Int32(realTimePriority))
        case .high: aq_set_nice_value(niceValue)
        }
    }
}
