// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// A shell that outlives this process: it kills started processes and removes the temporary folders once this process
/// is gone, also after a crash or a SIGKILL.
///
/// The shell reads from a pipe whose other end only this process holds. PR_SET_PDEATHSIG is unsuitable: it is sent when
/// the *thread* that started the child ends.
package final class ProcessGuard: Sendable {
    package static let shared = ProcessGuard()

    /// The name of a watched folder's file system that must be unmounted before the folder is removed.
    static let mountName = "mounted"

    private struct Watched {
        var processes: Set<pid_t> = []
        var folders: Set<String> = []
        var pipe: Int32 = -1
    }

    private let watched = Mutex(Watched())

    private init() {}

    func watch(process: pid_t) throws { try update { $0.processes.insert(process) } }
    func forget(process: pid_t) { try? update { $0.processes.remove(process) } }
    package func watch(folder: String) throws { try update { $0.folders.insert(folder) } }
    package func forget(folder: String) { try? update { $0.folders.remove(folder) } }

    private func update(_ change: (inout Watched) -> Void) throws {
        try watched.withLock { watched in
            if watched.pipe < 0 { watched.pipe = try Self.startShell() }
            change(&watched)
            let processes = watched.processes.map(String.init).joined(separator: " ")
            let line = "\(processes)|\(watched.folders.joined(separator: " "))\n"
            let isWritten = unsafe Array(line.utf8).withUnsafeBytes {
                unsafe SystemFile.writeAll($0, to: watched.pipe)
            }
            guard isWritten else {
                throw HarnessError("cannot reach the guard shell: \(SystemFile.lastError)")
            }
        }
    }

    private static func startShell() throws -> Int32 {
        // The last complete line lists what to clean up. Splitting the names is intended.
        let script = """
            while IFS='|' read -r processes folders; do kill=$processes remove=$folders; done
            for process in $kill; do kill -9 "$process" 2>/dev/null; done
            for folder in $remove; do
                if [ -d "$folder/\(mountName)" ]; then
                    fsfreeze -u "$folder/\(mountName)" 2>/dev/null
                    umount -l "$folder/\(mountName)" 2>/dev/null
                fi
                rm -rf "$folder"
            done
            """
        let ends = try Spawn.makePipe()
        // In its own group, so that Ctrl-C at the terminal does not end it before its work.
        _ = try Spawn.start(
            "sh", ["-c", script], environment: Environment.all, standardInput: ends.reading,
            isGroupLeader: true)
        // Never closed here: the system closes it at the end, which is the signal.
        return fcntl(ends.writing.number, F_DUPFD_CLOEXEC, 3)
    }
}
