// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization

/// Waits for one process's end on its own thread, and reaps it.
///
/// That thread does not hold the ``ChildProcess``, so releasing one kills the process.
final class ProcessEnd: Sendable {
    struct Ending {
        var status: Int32
        var usage: rusage
        var hostTime: UInt64
    }

    /// The target of signals: the process, or its group, as a negative number.
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

    /// Sends a signal, unless the process was reaped: its number may be reused then.
    func signal(_ number: Int32) {
        ending.withLock { if $0 == nil { kill(target, number) } }
    }

    /// False if the process still runs after `seconds`.
    func wait(upToSeconds seconds: Double) -> Bool { hasEnded.wait(timeout: .now() + seconds) == .success }

    func wait() -> Ending {
        hasEnded.wait()
        return ending.withLock { $0 } ?? Ending(status: 0, usage: rusage(), hostTime: HostClock.now)
    }

    private func reap() {
        // Waits without reaping first: the number must stay valid until no signal can be sent to it any more.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let hostTime = HostClock.now
        // This holds for its group too, whose other members remain when it ends alone.
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
