// SPDX-License-Identifier: MIT

import Glibc

/// A program on its own terminal.
///
/// Used by one thread. The program is killed when its owner releases it.
public final class TerminalSession {
    /// TIOCSPTLCK and TIOCGPTN, macros of <asm/ioctls.h>.
    private static let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    private let master: OwnedDescriptor
    private let end: ProcessEnd
    private var bytes: [UInt8] = []

    /// The output of the program so far, as read by ``wait(upToSeconds:until:)``.
    public var output: String { String(decoding: bytes, as: UTF8.self) }

    /// Starts `executable`, looked up in PATH unless it names a path, as the leader of the terminal's session.
    ///
    /// - Parameter environment: Variables to set in a copy of this process's environment; nil removes one.
    public init(
        columns: Int, rows: Int = 24, _ executable: String, _ arguments: [String],
        environment: [String: String?] = [:]
    ) throws {
        master = unsafe OwnedDescriptor(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK))
        // Like posix_openpt(3) and its relatives, which Swift does not import.
        var (number, isLocked) = (Int32(0), Int32(0))
        guard master.number >= 0, unsafe ioctl(master.number, Self.unlock, &isLocked) == 0,
            unsafe ioctl(master.number, Self.getNumber, &number) == 0
        else { throw HarnessError("cannot make a terminal: \(SystemFile.lastError)") }
        try Self.setSize(of: master, columns: columns, rows: rows)
        let variables = Environment.all.merging(environment.compactMapValues { $0 }) { $1 }
            .filter { environment[$0.key] != .some(.none) }
        let process = try Spawn.start(
            executable, arguments, environment: variables, onTerminal: "/dev/pts/\(number)")
        end = ProcessEnd(of: process, isGroup: true)
        try ProcessGuard.shared.watch(process: end.target)
    }

    deinit { end.signal(SIGKILL) }

    public func type(_ text: String) throws {
        let isWritten = unsafe Array(text.utf8).withUnsafeBytes {
            unsafe SystemFile.writeAll($0, to: master.number)
        }
        guard isWritten else { throw HarnessError("cannot type: \(SystemFile.lastError)") }
    }

    /// Changes the window's width, and sends SIGWINCH.
    public func resize(columns: Int, rows: Int = 24) throws {
        try Self.setSize(of: master, columns: columns, rows: rows)
    }

    /// Reads the program's output until `condition` holds for all of it.
    ///
    /// - Returns: False after `seconds`, or if the program ended before.
    public func wait(upToSeconds seconds: Double = 10, until condition: (String) -> Bool) -> Bool {
        let deadline = HostClock.now + UInt64(seconds * 1e9)
        while true {
            let isOpen = readWhatIsThere()
            if condition(output) { return true }
            let now = HostClock.now
            guard isOpen, now < deadline else { return false }
            var request = pollfd(fd: master.number, events: Int16(POLLIN), revents: 0)
            unsafe _ = poll(&request, 1, Int32((deadline - now) / 1_000_000) + 1)
        }
    }

    /// Reads until the program has ended.
    ///
    /// - Returns: Its exit status, or 128 + the signal's number; nil after `seconds`.
    public func waitForEnd(upToSeconds seconds: Double = 10) -> Int32? {
        _ = wait(upToSeconds: seconds) { _ in !end.isAwaited }
        guard end.wait(upToSeconds: 1) else {
            print("The program has not ended: \(threadStates)")
            return nil
        }
        _ = readWhatIsThere()
        let status = end.wait().status
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
    }

    /// - Returns: Whether more may follow.
    private func readWhatIsThere() -> Bool {
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(master.number, &block, block.count)
            if count > 0 {
                bytes += block[..<count]
            } else if count < 0, errno == EINTR {
                continue
            } else {
                // Linux returns EIO when no process has the terminal open any more.
                return count < 0 && errno == EAGAIN
            }
        }
    }

    /// For each of the program's threads its name, its state, and the function of the kernel in which it waits.
    private var threadStates: String {
        let folder = "/proc/\(abs(end.target))/task"
        return SystemFile.names(inFolder: Array(folder.utf8CString)).map { name in
            let thread = String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let status = SystemFile.contents(ofPath: "\(folder)/\(thread)/status")
            let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix("Name:") || $0.hasPrefix("State:") }
            let wait = SystemFile.contents(ofPath: "\(folder)/\(thread)/wchan")
            return lines.joined(separator: " ") + " in \(String(decoding: wait, as: UTF8.self))"
        }.joined(separator: "; ")
    }

    private static func setSize(of terminal: OwnedDescriptor, columns: Int, rows: Int) throws {
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard unsafe ioctl(terminal.number, UInt(TIOCSWINSZ), &size) == 0 else {
            throw HarnessError("cannot set the size of a terminal: \(SystemFile.lastError)")
        }
    }
}
