import Glibc
import Synchronization

/// Turns signals into bytes that a thread waits for in `poll`; no work is done in a handler.
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
        for signal in signals {
            var current = sigaction()
            // SAFETY: sigaction fills a local.
            unsafe _ = sigaction(signal, nil, &current)
            if !isIgnored(current) { Self.install(signal) }
        }
    }

    /// The next signal that came, or nil when none waits.
    public func next() -> Int32? { pipe.next().map(Int32.init) }

    /// Stops the process as SIGTSTP does by default, and returns when it is continued.
    public func stopProcess() {
        signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        Self.install(SIGTSTP)
    }

    private static func install(_ signal: Int32) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { signal in
            // SAFETY: write is async-signal-safe, the descriptor stays open for the life of the process,
            // and errno is put back for the code that was interrupted.
            let saved = errno
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

/// Where handlers write.
private let signalPipeDescriptor = Atomic<Int32>(-1)
