// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// A message bus for tests, in a temporary folder. It ends with its owner.
public final class PrivateBus: Sendable {
    /// The programs of the package `dbus` that tests use.
    private static let programs = ["dbus-daemon", "dbus-send", "dbus-monitor"]
    /// Whether the programs are installed.
    public static var isInstalled: Bool { programs.allSatisfy(ToolPaths.isInPath) }
    /// The reason for a disabled test.
    public static let reason = "dbus is not installed"

    /// The answer to a call: the name of an error without its prefix, or nil, and the printed text.
    public struct Answer: Sendable {
        public var error: String?
        public var text: String
    }

    public let address: String
    private let folder = ScratchFolder()
    private let daemon = Mutex<ChildProcess?>(nil)

    public init() throws {
        let socket = folder.file("bus")
        address = "unix:path=\(socket)"
        let configuration = """
            <busconfig>
                <type>session</type>
                <listen>\(address)</listen>
                <auth>EXTERNAL</auth>
                <policy context="default">
                    <allow send_destination="*" eavesdrop="true"/>
                    <allow eavesdrop="true"/>
                    <allow own="*"/>
                </policy>
            </busconfig>

            """
        let path = try folder.write(Array(configuration.utf8), to: "bus.conf")
        let process = try ChildProcess("dbus-daemon", ["--config-file=\(path)", "--nofork", "--nopidfile"])
        daemon.withLock { $0 = process }
        let isReady = HostClock.poll(upToSeconds: 20) {
            SystemFile.isAccepting(socketPath: socket) || !process.isRunning
        }
        guard isReady, process.isRunning else {
            throw HarnessError("cannot start a message bus: \(process.standardError)")
        }
    }

    /// The variable with which programs find this bus.
    public var environment: [String: String?] { ["DBUS_SESSION_BUS_ADDRESS": address] }

    /// Stops the bus until it is continued.
    public func setHanging(_ isHanging: Bool) {
        daemon.withLock { $0?.signal(isHanging ? SIGSTOP : SIGCONT) }
    }

    /// Ends the bus.
    public func kill() {
        daemon.withLock { $0.take() }?.signal(SIGKILL)
    }

    /// Calls a method; arguments are in the notation of dbus-send.
    public func call(
        _ name: String, path: String = "/org/mpris/MediaPlayer2", _ method: String, _ arguments: [String] = []
    ) throws -> Answer {
        let result = try ChildProcess.run(
            "dbus-send",
            ["--session", "--print-reply=literal", "--reply-timeout=10000", "--dest=\(name)", path, method]
                + arguments, environment: environment)
        guard result.exitStatus == 0 else {
            let line = result.standardError.split(separator: "\n").first ?? ""
            let error = line.split(separator: " ").dropFirst().first?.split(separator: ".").last ?? ""
            return Answer(error: String(error.prefix { $0 != ":" }), text: String(line))
        }
        return Answer(error: nil, text: result.standardOutput.trimmed)
    }

    /// Reads a property of a player, as dbus-send prints it.
    public func property(_ name: String, of player: String, in interface: String = ".Player") throws -> String
    {
        let answer = try call(
            player, "org.freedesktop.DBus.Properties.Get",
            ["string:org.mpris.MediaPlayer2\(interface)", "string:\(name)"])
        if let error = answer.error { return "error \(error)" }
        // A variant of a string is printed as "variant       text", one of a number as "variant       int64 5".
        let words = answer.text.split(separator: " ", omittingEmptySubsequences: true)
        return words.dropFirst(words.first == "variant" ? 1 : 0).joined(separator: " ")
    }

    /// Sets a property of a player; `value` is in the notation of dbus-send, without `variant:`.
    public func set(_ name: String, of player: String, to value: String) throws -> Answer {
        try call(
            player, "org.freedesktop.DBus.Properties.Set",
            ["string:org.mpris.MediaPlayer2.Player", "string:\(name)", "variant:\(value)"])
    }

    /// Whether a name has an owner.
    public func has(_ name: String) throws -> Bool {
        try call(
            "org.freedesktop.DBus", path: "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner",
            ["string:\(name)"]
        ).text.hasSuffix("true")
    }

    /// Starts to print the signals of a player to standard output.
    public func startMonitor() throws -> ChildProcess {
        let monitor = try ChildProcess(
            "dbus-monitor", ["--session", "type=signal,path=/org/mpris/MediaPlayer2"],
            environment: environment)
        // It prints the loss of its own name when it has become a monitor.
        guard HostClock.poll(upToSeconds: 10, until: { monitor.standardOutput.contains("NameLost") }) else {
            throw HarnessError("dbus-monitor does not start: \(monitor.standardError)")
        }
        return monitor
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
