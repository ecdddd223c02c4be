import Glibc
import Synchronization

/// A PulseAudio server of our own with a null sink, in a temporary folder; nothing outside it is touched.
///
/// It ends with its owner, and with this process in whatever way that ends. It can be killed and started
/// again on the same socket, as when a user's server crashes.
public final class PulseServer: Sendable {
    /// How the first sink is set up.
    public struct Options: Sendable {
        public var sinkName = "test"
        public var sampleRate = 48000
        public var channels = 2
        /// PulseAudio's name of the sample format.
        public var format = "float32le"
        /// Without rewinds a monitor hears every frame, though up to 50 ms early; with them the first
        /// 100 frames or so of a stream may be missing, but what is heard comes in time.
        public var hasRewinds = false

        public init() {}

        var moduleArguments: [String] {
            [
                "sink_name=\(sinkName)", "rate=\(sampleRate)", "channels=\(channels)", "format=\(format)",
                "norewinds=\(hasRewinds ? 0 : 1)",
            ]
        }
    }

    private struct Processes {
        var server: ChildProcess?
        // Reads the monitor in small pieces: an idle null sink wakes with up to 2 s of silence rendered.
        var keeper: ChildProcess?
    }

    public let options: Options
    /// The server's own folder: its socket and log.
    public let folder: String
    /// What makes a client find this server, and no client file of the user's.
    public let environment: [String: String?]

    private let processes = Mutex(Processes())

    /// Starts a server and waits until its sink runs at a short period.
    ///
    /// - Throws: ``HarnessError`` with the server's log when it does not come up within `deadlineSeconds`.
    public init(_ options: Options = Options(), deadlineSeconds: Double = 30) throws {
        self.options = options
        folder = try SystemFile.makeTemporaryFolder(prefix: "soundharness")
        try ProcessGuard.shared.watch(folder: folder)
        environment = [
            "XDG_RUNTIME_DIR": folder, "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder,
            "PULSE_SERVER": "unix:\(folder)/native", "PULSE_RUNTIME_PATH": folder, "PULSE_STATE_PATH": folder,
            "PULSE_COOKIE": nil, "PULSE_SINK": nil, "PULSE_SOURCE": nil, "PULSE_LATENCY_MSEC": nil,
            "PULSE_CLIENTCONFIG": nil, "DBUS_SESSION_BUS_ADDRESS": nil, "DISPLAY": nil,
        ]
        try start(deadlineSeconds: deadlineSeconds)
    }

    deinit { stop() }

    public var socketPath: String { "\(folder)/native" }
    /// The process number of the running server.
    public var processIdentifier: Int32? { processes.withLock { $0.server?.processIdentifier } }
    /// What the server wrote to its log.
    public var log: String { String(decoding: SystemFile.contents(ofPath: "\(folder)/log"), as: UTF8.self) }

    /// Starts the server again after ``kill()``, on the same socket.
    public func start(deadlineSeconds: Double = 30) throws {
        let server = try ChildProcess(
            "pulseaudio",
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--disallow-exit", "--use-pid-file=no",
                "--log-target=file:\(folder)/log",
                "-L", "module-null-sink " + options.moduleArguments.joined(separator: " "),
                "-L", "module-native-protocol-unix socket=\(socketPath) auth-anonymous=1",
            ], environment: environment)
        let isReady = HostClock.poll(upToSeconds: deadlineSeconds) {
            isAccepting || !server.isRunning
        }
        guard isReady, isAccepting else {
            let reason = isReady ? "it ended" : "it does not answer after \(deadlineSeconds) s"
            throw HarnessError(
                "cannot start a private PulseAudio server: \(reason)\n\(log)\(server.standardError)")
        }
        let keeper = try ChildProcess(
            "parec", ["--raw", "--latency-msec=2", "--device=\(options.sinkName).monitor"],
            environment: environment, input: nil, output: SystemFile.openNull())
        processes.withLock { $0 = Processes(server: server, keeper: keeper) }
        try waitUntilSettled(deadlineSeconds: deadlineSeconds)
    }

    /// Ends the server as a crash does, by SIGKILL, and waits until it is gone. Its socket file stays.
    public func kill() {
        processes.withLock { processes in
            for process in [processes.server, processes.keeper] {
                process?.signal(SIGKILL)
                process?.wait()
            }
            processes = Processes()
        }
    }

    /// Ends the server and removes its folder.
    public func stop() {
        kill()
        // Only files of one level are in it, but for what PulseAudio makes below XDG_CONFIG_HOME.
        if (try? ChildProcess.run("rm", ["-rf", folder])) != nil {
            ProcessGuard.shared.forget(folder: folder)
        }
    }

    /// Whether something accepts connections at the socket.
    private var isAccepting: Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        let connection = OwnedDescriptor(descriptor)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            unsafe path.copyBytes(from: socketPath.utf8.prefix(path.count - 1))
        }
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(connection.number, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        } == 0
    }

    /// Waits until the keeper has brought the sink to a short period.
    private func waitUntilSettled(deadlineSeconds: Double) throws {
        let keeps = try HostClock.poll(upToSeconds: deadlineSeconds, every: 0.02) {
            try !control("list", "short", "source-outputs").isEmpty
        }
        guard keeps else { throw HarnessError("cannot record \(options.sinkName).monitor\n\(log)") }
        guard options.hasRewinds else { return }
        // What the sink rendered ahead while it idled must have been played: nothing tells when it was.
        _ = HostClock.poll(upToSeconds: 2.5, every: 0.02) { false }
    }
}
