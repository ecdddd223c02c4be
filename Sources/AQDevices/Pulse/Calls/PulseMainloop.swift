// SPDX-License-Identifier: MIT

import CAQPulse
import CAQRealTime

/// The loop that waits for a server's messages, and the clock of all deadlines; libpulse's or a recorder's.
@safe enum PulseMainloop {
    // SAFETY: belongs to the loop's thread, except `wakeUp()`. A recorder outlives everything made with it.
    case libpulse(OpaquePointer)
    case recorder(Unmanaged<PulseRecorder>)

    /// Makes a loop of libpulse; nil if there is no memory or file descriptor.
    static func make() -> PulseMainloop? { unsafe pa_mainloop_new().map { unsafe .libpulse($0) } }

    func free() {
        if case .libpulse(let loop) = self { unsafe pa_mainloop_free(loop) }
    }

    /// Makes a context that is not connected; nil if memory is insufficient.
    func makeContext() -> PulseContextCalls? {
        switch self {
        case .libpulse(let loop):
            // Without a name, libpulse uses the user's settings and the program's name.
            unsafe pa_context_new(pa_mainloop_get_api(loop), nil).map { unsafe .libpulse($0) }
        case .recorder(let recorder): unsafe .recorder(recorder)
        }
    }

    /// Ends the current or the next wait. From any thread.
    func wakeUp() {
        if case .libpulse(let loop) = self { unsafe pa_mainloop_wakeup(loop) }
    }

    // MARK: The turns of the loop. REAL-TIME.

    /// The host time that deadlines are compared with.
    var now: UInt64 {
        @_noLocks get {
            switch self {
            case .libpulse: aq_host_time()
            case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.now }
            }
        }
    }

    /// Begins a turn that waits at most `microseconds`; -1 for no limit.
    ///
    /// - Returns: False if the loop has ended. The same applies to ``poll(isHandshake:hasEnded:)`` and ``dispatch()``.
    @_noLocks func prepare(microseconds: Int32) -> Bool {
        switch self {
        case .libpulse(let loop): return unsafe aq_pulse_prepare(loop, microseconds) >= 0
        case .recorder(let recorder):
            unsafe recorder._withUnsafeGuaranteedRef { $0.timeout = microseconds }
            return true
        }
    }

    /// Waits for messages, a wake-up or the time limit. The audio thread waits only here.
    ///
    /// - Parameters:
    ///   - isHandshake: Whether a context on the loop is in the handshake with its server.
    ///   - hasEnded: Set if a connection has ended meanwhile, which libpulse does not learn.
    @_noLocks func poll(isHandshake: Bool, hasEnded: inout Bool) -> Bool {
        switch self {
        case .libpulse(let loop): unsafe aq_pulse_poll(loop, isHandshake, &hasEnded) >= 0
        case .recorder: true
        }
    }

    /// Runs the callbacks for everything that arrived.
    @_noLocks func dispatch() -> Bool {
        switch self {
        case .libpulse(let loop): unsafe aq_pulse_dispatch(loop) >= 0
        case .recorder: true
        }
    }

    /// Does the same as ``wakeUp()``, on the loop's thread.
    @_noLocks func wakeUpAgain() {
        if case .libpulse(let loop) = self { unsafe aq_pulse_wake_up(loop) }
    }
}
