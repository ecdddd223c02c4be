// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Turns signals into bytes that a thread waits for in `poll`; handlers do no other work.
///
/// A process whose thread hangs can still be ended: if SIGINT, SIGTERM or SIGHUP arrives again before the thread took
/// the first one, the handler restores the terminal and ends the process. A signal within 300 ms after another of these
/// three is ignored, because `timeout` and other programs send a signal to a process and again to its group.
///
/// Make one instance, early in `main`, and keep it: handlers stay installed until the process ends.
public final class SignalWaiter {
    /// The descriptor that is readable while signals wait.
    public var readDescriptor: Int32 { pipe.readDescriptor }
    private let pipe: EventPipe

    /// Catches `signals`, except those that the parent ignores, as `nohup` does, and shells do for background
    /// jobs.
    ///
    /// - Throws: ``SystemError`` if the process has no descriptor left.
    public init(_ signals: [Int32]) throws(SystemError) {
        pipe = try EventPipe()
        signalPipeDescriptor.store(pipe.writeDescriptor, ordering: .relaxed)
        // Initialised here, because a handler must not initialise it.
        unansweredSignals.store(0, ordering: .relaxed)
        lastEndingTime.store(.min / 2, ordering: .relaxed)
        for signal in signals {
            var current = sigaction()
            // SAFETY: sigaction fills a local.
            unsafe _ = sigaction(signal, nil, &current)
            if !isIgnored(current) { Self.install(signal) }
        }
    }

    /// The next signal; nil if none waits.
    public func next() -> Int32? {
        guard let signal = pipe.next().map(Int32.init) else { return nil }
        unansweredSignals.bitwiseAnd(~signalBit(signal), ordering: .relaxed)
        return signal
    }

    /// Waits for a signal, which ``next()`` returns.
    ///
    /// - Returns: False if none arrives in time.
    public func wait(milliseconds: Int32) -> Bool {
        var request = pollfd(fd: readDescriptor, events: Int16(POLLIN), revents: 0)
        // A handler interrupts the wait after it has written to the pipe.
        return unsafe poll(&request, 1, milliseconds) > 0 || errno == EINTR && poll(&request, 1, 0) > 0
    }

    /// Runs `body`. No signal is taken meanwhile, so the next SIGINT, SIGTERM or SIGHUP ends the process.
    public func endingAtNextSignal<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bits = signalBit(SIGINT) | signalBit(SIGTERM) | signalBit(SIGHUP)
        unansweredSignals.bitwiseOr(bits, ordering: .relaxed)
        defer { unansweredSignals.bitwiseAnd(~bits, ordering: .relaxed) }
        return try body()
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
            // SAFETY: write, clock_gettime, tcsetattr and _exit are async-signal-safe, the descriptor stays
            // open for the life of the process, and errno is restored for the interrupted code.
            let saved = errno
            defer { errno = saved }
            let isEnding = signal == SIGINT || signal == SIGTERM || signal == SIGHUP
            if isEnding, isRepetition() { return }
            let earlier = unansweredSignals.bitwiseOr(signalBit(signal), ordering: .relaxed).oldValue
            if isEnding, earlier & signalBit(signal) != 0 {
                TerminalGuard.restore()
                _exit(128 + signal)
            }
            var byte = UInt8(truncatingIfNeeded: signal)
            unsafe _ = write(signalPipeDescriptor.load(ordering: .relaxed), &byte, 1)
        }
        action.sa_flags = SA_RESTART
        // SAFETY: both actions are locals; the handler captures nothing.
        unsafe _ = sigaction(signal, &action, nil)
    }

    private func isIgnored(_ action: sigaction) -> Bool {
        // SIG_IGN is the address 1, which is not a function; it can only be compared as a number.
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == 1
    }
}

/// A bit for each signal that has arrived and was not taken.
private let unansweredSignals = Atomic<UInt64>(0)
private func signalBit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal & 63) }

/// The time of the last signal that counts as a request to end, in milliseconds of CLOCK_MONOTONIC.
private let lastEndingTime = Atomic<Int64>(.min / 2)

/// Returns whether the signal only repeats the last request. Called by handlers.
private func isRepetition() -> Bool {
    let now = Int64(MonotonicClock.seconds * 1000)
    if now &- lastEndingTime.load(ordering: .relaxed) < 300 { return true }
    lastEndingTime.store(now, ordering: .relaxed)
    return false
}

/// The descriptor that handlers write to.
private let signalPipeDescriptor = Atomic<Int32>(-1)
