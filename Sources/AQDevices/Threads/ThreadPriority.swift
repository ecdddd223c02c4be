// SPDX-License-Identifier: MIT

import CAQRealTime
import CAQRealTimeKit
import Glibc

/// Higher priority for threads that audio depends on, as far as the system grants it.
///
/// The thread first asks the kernel. Most desktops refuse, and then another thread asks RealtimeKit, so that the
/// requesting thread never waits for an answer.
package enum ThreadPriority {
    /// The latency below which a late thread causes a gap, in seconds. For longer latencies, high priority is not
    /// requested.
    package static let urgentSeconds = 0.05

    /// The real-time priority of loops: that of the server's own threads, which loops must not block.
    static let realTimePriority: UInt32 = 5
    /// The real-time priority of loops that run client code: lower than ``realTimePriority``, so that ``ServiceWatch``
    /// can interrupt them.
    static let callbackPriority: UInt32 = 4
    static let niceValue: Int32 = -11
    /// The kernel's shortest time slice. A turn is far shorter.
    static let sliceNanoseconds: UInt64 = 100_000

    private static let latest = Monitor<[PriorityRequest.Priority: PriorityRequest]>([:])

    /// Requests that the calling thread runs as soon as it is woken. For code that never blocks, and never loops on
    /// behalf of a client; once per thread.
    ///
    /// The kernel grants real-time priority to users with a limit RLIMIT_RTPRIO. RealtimeKit grants it only to
    /// processes with a limit RLIMIT_RTTIME, so this process gets one: 200 ms, with a soft limit of 150 ms, unless the
    /// administrator has chosen other values. If a real-time thread works that long without waiting once, the kernel
    /// ends the process. Therefore this method is called only for loops that run no client code: their turns are short,
    /// and end with a wait for the server. If the turns leave no time to wait, ``RealTimeGuard`` gives up the priority
    /// in time. The limit does not affect threads without real-time priority. If the client has real-time threads of
    /// its own, RealtimeKit has granted their priority under the same condition, because the kernel refuses it.
    ///
    /// The priority of ``makeHigh()`` is also requested from the kernel, in case real-time priority is refused.
    @discardableResult
    package static func makeRealTime() -> PriorityRequest {
        _ = aq_set_nice_value(niceValue)
        return ask(for: .realTime)
    }

    /// Requests that the calling thread runs before normal threads. For client code, in which an endless loop must not
    /// block the machine. Once per thread.
    ///
    /// The kernel grants high priority to users with a limit RLIMIT_NICE. RealtimeKit is asked for the first eight
    /// threads.
    @discardableResult
    package static func makeHigh() -> PriorityRequest { ask(for: .high) }

    /// Requests that the calling thread runs as soon as it is woken, although it runs client code. If refused, the
    /// thread can still call ``makeHigh()``.
    ///
    /// The caller must call ``PriorityRequest/giveBack()`` if the client's code does not return: an endless loop would
    /// otherwise block a processor. RealtimeKit is not asked, because with its limit such a thread could make the
    /// kernel end the process.
    package static func makeRealTimeForCallbacks() -> PriorityRequest {
        _ = aq_set_nice_value(niceValue)
        _ = aq_ask_for_short_slices(sliceNanoseconds)
        let request = PriorityRequest(.realTime, thread: aq_rtkit_calling_thread())
        // Granted only if the thread of ``ServiceWatch`` can get its higher priority, too.
        let isGranted =
            aq_schedule_in_real_time(Int32(realTimePriority)) == 0
            && aq_schedule_in_real_time(Int32(callbackPriority)) == 0
        request.settle(isGranted ? .granted : .refused)
        return request
    }

    /// The last request of any thread of the process; nil if there was none. For reports.
    package static func latestRequest(for priority: PriorityRequest.Priority) -> PriorityRequest? {
        latest.withLock { $0[priority] }
    }

    private static func ask(for priority: PriorityRequest.Priority) -> PriorityRequest {
        // Short slices require no permission. If the request fails, the priority alone determines when the thread runs.
        _ = aq_ask_for_short_slices(sliceNanoseconds)
        let request = ask(for: priority, kernel: askKernel, otherwise: .shared)
        latest.withLock { $0[priority] = request }
        return request
    }

    /// Makes a request for the calling thread, without waiting.
    ///
    /// - Parameters:
    ///   - kernel: Applies the priority and returns 0, or an error number.
    ///   - kit: Asked if the kernel refuses.
    static func ask(
        for priority: PriorityRequest.Priority, kernel: (PriorityRequest.Priority) -> Int32,
        otherwise kit: RealtimeKit
    ) -> PriorityRequest {
        let request = PriorityRequest(priority, thread: aq_rtkit_calling_thread())
        switch kernel(priority) {
        case 0: request.settle(.granted)
        case EPERM, EACCES: kit.ask(for: request)
        default: request.settle(.refused)
        }
        return request
    }

    static func askKernel(for priority: PriorityRequest.Priority) -> Int32 {
        switch priority {
        case .realTime: aq_schedule_in_real_time(Int32(realTimePriority))
        case .high: aq_set_nice_value(niceValue)
        }
    }
}
