import Glibc
import Synchronization

/// Turns signals into bytes that a thread waits for in `poll`; no work is done in a handler.
///
/// A process whose thread hangs can be ended all the same: SIGINT, SIGTERM or SIGHUP that comes again before
/// it was answered puts the terminal back and ends the process.
///
/// Make one, early in `main`, and keep it: handlers stay installed until the process ends.
public final class SignalWaiter {
    /// Readable while signals wait.
    public var readDescriptor: Int32 { pipe.readDescriptor }
    private let pipe: EventPipe

    /// Catches `signals`, but leaves ignored what the parent had ignored, as `nohup` and shells do for
    /// jobs in the background.
    ///
    /// - Throws: ``SystemError`` when the process has no descriptor left.
    public init(_ signals: [Int32]) throws(SystemError) {
        pipe = try EventPipe()
        signalPipeDescriptor.store(pipe.writeDescriptor, ordering: .relaxed)
        // Touched here, so that no handler is the first to use it.
        unansweredSignals.store(0, ordering: .relaxed)
        for signal in signals {
            var current = sigaction()
            // SAFETY: sigaction fills a local.
            unsafe _ = sigaction(signal, nil, &current)
            if !isIgnored(current) { Self.install(signal) }
        }
    }

    /// The next signal that came, or nil when none waits.
    public func next() -> Int32? {
        guard let signal = pipe.next().map(Int32.init) else { return nil }
        unansweredSignals.bitwiseAnd(~signalBit(signal), ordering: .relaxed)
        return signal
    }

    /// Stops the process as SIGTSTP does by default, and returns when it is continued.
    public func stopProcess() {
        signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        Self.install(SIGTSTP)
    }

    private static func install(_ signal: Int32) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { signal in
            // SAFETY: write, tcsetattr and _exit are async-signal-safe, the descriptor stays open for the life of the process,
            // and errno is put back for the code that was interrupted.
            let saved = errno
            let earlier = unansweredSignals.bitwiseOr(signalBit(signal), ordering: .relaxed).oldValue
            if earlier & signalBit(signal) != 0, signal == SIGINT || signal == SIGTERM || signal == SIGHUP {
                TerminalGuard.restore()
                _exit(128 + signal)
            }
            var byte = UInt8(truncatingIfNeeded: signal)
            unsafe _ = write(signalPipeDescriptor.load(ordering: .relaxed), &byte, 1)
            errno = saved
        }
        action.sa_flags = SA_RESTART
        // SAFETY: both actions are locals; the handler captures nothing.
        unsafe _ = sigaction(signal, &action, nil)
    }

    private func isIgnored(_ action: sigaction) -> Bool {
        // SIG_IGN is the address 1, which is no function; it can be compared as a number only.
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == 1
    }
}

/// A bit for each signal that came and was not yet taken.
private let unansweredSignals = Atomic<UInt64>(0)
private func signalBit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal & 63) }

/// Where handlers write.
private let signalPipeDescriptor = Atomic<Int32>(-1)
