// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Starts processes that inherit only the requested descriptors.
package enum Spawn {
    // Between pipe() and FD_CLOEXEC another thread's child could inherit an end and keep it open.
    private static let lock = Mutex(())
    /// POSIX_SPAWN_SETSID, a macro of <spawn.h> that Swift does not import.
    private static let setSessionFlag: Int32 = 0x80

    package static func makePipe() throws -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
        try lock.withLock { _ in
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else {
                throw HarnessError("cannot make a pipe: \(SystemFile.lastError)")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
        }
    }

    /// Starts `executable`, looked up in PATH unless it names a path; nil descriptors are /dev/null.
    ///
    /// Signals are at their defaults and unblocked in the child, whatever thread starts it.
    ///
    /// - Parameter terminal: The path of a terminal that is the child's standard input, output and error, and that
    ///   controls a session of its own.
    static func start(
        _ executable: String, _ arguments: [String], environment: [String: String],
        standardInput: OwnedDescriptor? = nil, standardOutput: OwnedDescriptor? = nil,
        standardError: OwnedDescriptor? = nil, isGroupLeader: Bool = false,
        onTerminal terminal: String? = nil
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in [standardInput, standardOutput, standardError].enumerated() {
            if let terminal {
                // The first terminal that a session's leader opens controls the session.
                unsafe posix_spawn_file_actions_addopen(&actions, Int32(target), terminal, O_RDWR, 0)
            } else if let descriptor {
                unsafe posix_spawn_file_actions_adddup2(&actions, descriptor.number, Int32(target))
            } else {
                unsafe posix_spawn_file_actions_addopen(&actions, Int32(target), "/dev/null", O_RDWR, 0)
            }
        }

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
        if terminal != nil { flags |= setSessionFlag }
        if isGroupLeader { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        var argumentList = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
        var variableList = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            unsafe (argumentList + variableList).forEach { text in unsafe free(text) }
        }
        var process: pid_t = 0
        let failure = lock.withLock { _ in
            unsafe posix_spawnp(&process, executable, &actions, &attributes, &argumentList, &variableList)
        }
        guard failure == 0 else {
            let reason = unsafe String(cString: strerror(failure))
            throw HarnessError("cannot run \(executable): \(reason)")
        }
        return process
    }
}
