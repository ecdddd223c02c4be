import Dispatch
import Glibc
import Synchronization

/// Waits for one process's end on a thread of its own, and reaps it.
///
/// That thread does not hold the ``ChildProcess``, so letting go of one kills the process.
final class ProcessEnd: Sendable {
    struct Ending {
        var status: Int32
        var usage: rusage
        var hostTime: UInt64
    }

    /// What signals are sent to: the process, or its group, as a negative number.
    let target: pid_t

    private let process: pid_t
    private let ending = Mutex<Ending?>(nil)
    private let hasEnded = DispatchGroup()

    init(of process: pid_t, isGroup: Bool) {
        self.process = process
        target = isGroup ? -process : process
        DispatchQueue(label: "process \(process)").async(group: hasEnded) { self.reap() }
    }

    var isAwaited: Bool { ending.withLock { $0 == nil } }

    /// Sends a signal, unless the process was reaped: its number may then be another's.
    func signal(_ number: Int32) {
        ending.withLock { if $0 == nil { kill(target, number) } }
    }

    /// False when the process still runs after `seconds`.
    func wait(upToSeconds seconds: Double) -> Bool { hasEnded.wait(timeout: .now() + seconds) == .success }

    func wait() -> Ending {
        hasEnded.wait()
        return ending.withLock { $0 } ?? Ending(status: 0, usage: rusage(), hostTime: HostClock.now)
    }

    private func reap() {
        // First only wait: the number must stay ours until no signal can be sent to it any more.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let hostTime = HostClock.now
        // The same holds for its group, whose other members it leaves behind when it alone was ended.
        if target != process { kill(target, SIGKILL) }
        ProcessGuard.shared.forget(process: target)
        ending.withLock { ending in
            var status: Int32 = 0
            var usage = rusage()
            unsafe wait4(process, &status, 0, &usage)
            ending = Ending(status: status, usage: usage, hostTime: hostTime)
        }
    }
}
