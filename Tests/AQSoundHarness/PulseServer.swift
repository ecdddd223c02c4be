// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import AQTestSupport

/// A private sound server with a null sink, in a temporary folder; nothing outside it is changed.
///
/// It is PulseAudio, or PipeWire, which has the same protocol: see ``SoundServerKind``. It ends with its owner, and
/// with this process in any case. It can be killed and restarted on the same socket, like a user's server after a
/// crash.
public final class PulseServer: Sendable {
    /// The settings of the first sink.
    public struct Options: Sendable {
        public var sinkName = "test"
        public var sampleRate = 48000
        public var channels = 2
        /// Channel positions by PulseAudio's names; nil for the server's default, which varies.
        public var channelMap: String?
        /// The sample format by PulseAudio's name.
        public var format = "float32le"
        /// Without rewinds a monitor gets every frame, though up to 50 ms early; with them the first 100 frames or so
        /// of a stream may be missing, but the times are right. PipeWire never rewinds: there this selects long or
        /// short periods.
        public var hasRewinds = false
        /// The number of frames in each period of PipeWire; nil for the number that ``hasRewinds`` selects.
        public var periodFrames: Int?
        /// Whether the sink's period is kept short, so that a stream is audible at once. Otherwise it is that of
        /// streams and recorders, and up to 2 s without any.
        public var keepsPeriodShort = true

        public init() {}

        var moduleArguments: [String] {
            [
                "sink_name=\(sinkName)", "rate=\(sampleRate)", "channels=\(channels)", "format=\(format)",
                "norewinds=\(hasRewinds ? 0 : 1)",
            ] + (channelMap.map { ["channel_map=\($0)"] } ?? [])
        }
    }

    /// The part of a server that can crash or hang independently.
    public enum Part: Sendable, CaseIterable {
        case everything
        /// The part with the client connections: PipeWire's PulseAudio server alone, or everything.
        case frontEnd
        /// The part that processes audio: PipeWire itself, which its session manager does not outlive.
        case graph
    }

    public let kind: SoundServerKind
    public let options: Options
    /// The server's own folder: its socket, its configuration and its log.
    public let folder: String
    /// Environment variables that lead clients to this server, and to no configuration of the user.
    public let environment: [String: String?]

    /// The processes by the names of their programs.
    private let processes = Mutex<[String: ChildProcess]>([:])
    // Reads the monitor in small pieces: an idle null sink resumes with up to 2 s of rendered silence, or is suspended.
    private let keeper = Mutex<ChildProcess?>(nil)

    /// Starts the server type of AQ_SOUND_SERVER, and waits until its sink runs at a short period.
    ///
    /// - Throws: ``HarnessError`` with the server's log if it does not start within `deadlineSeconds`.
    public init(_ options: Options = Options(), deadlineSeconds: Double = 30) throws {
        self.options = options
        kind = try SoundServerKind.chosen()
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
    /// The process number of the running server: of the part with the client connections.
    public var processIdentifier: Int32? {
        processes.withLock { processes in
            programs(of: .frontEnd).first.flatMap { processes[$0]?.processIdentifier }
        }
    }
    /// The process numbers of all its programs.
    public var processIdentifiers: [Int32] { processes.withLock { $0.values.map(\.processIdentifier) } }
    /// The exits of its programs that were not requested: a line each.
    public var endings: [String] {
        processes.withLock { processes in
            processes.filter { !$0.value.isRunning }.map { program, process in
                let ending = process.wait(deadlineSeconds: 1)
                return "\(program) ended with status \(ending.exitStatus), signal \(ending.signal)"
            }
        }
    }
    /// The server's log.
    public var log: String {
        let errors = processes.withLock { $0.values.map(\.standardError) }.joined()
        return String(decoding: SystemFile.contents(ofPath: "\(folder)/log"), as: UTF8.self) + errors
    }

    /// Restarts the programs killed by ``kill(_:)``, on the same socket.
    public func start(deadlineSeconds: Double = 30) throws {
        switch kind {
        case .pulseAudio: try startPulseAudio()
        case .pipeWire: try startPipeWire(deadlineSeconds: deadlineSeconds)
        }
        try waitUntilAccepting(socketPath, "it", deadlineSeconds: deadlineSeconds)
        if try !hasSink { _ = try addSink(options) }
        try waitForDefaultSink(deadlineSeconds: deadlineSeconds)
        guard options.keepsPeriodShort else { return }
        let keeper = try ChildProcess(
            "parec", ["--raw", "--latency-msec=2", "--device=\(options.sinkName).monitor"],
            environment: environment, input: nil, output: SystemFile.openNull())
        self.keeper.withLock { $0 = keeper }
        try waitUntilSettled(deadlineSeconds: deadlineSeconds)
    }

    /// Ends the server as a crash does, by SIGKILL, and waits until it is gone. Its socket file stays.
    public func kill(_ part: Part = .everything) {
        let killed = processes.withLock { processes in
            programs(of: part).compactMap { processes.removeValue(forKey: $0) }
        }
        let all = killed + keeper.withLock { [$0.take()].compactMap(\.self) }
        for process in all { process.signal(SIGKILL) }
        for process in all { process.wait() }
    }

    /// Stops the server until it is continued, so that it hangs. Returns once it is stopped.
    public func setHanging(_ part: Part = .everything, _ isHanging: Bool) {
        let hanging = processes.withLock { processes in programs(of: part).compactMap { processes[$0] } }
        for process in hanging { process.signal(isHanging ? SIGSTOP : SIGCONT) }
        if isHanging {
            _ = HostClock.poll(upToSeconds: 5) { hanging.allSatisfy { $0.isStopped || !$0.isRunning } }
        }
    }

    public func stop() {
        kill()
        // It has only files of one level, except for those that servers make below XDG_CONFIG_HOME.
        if (try? ChildProcess.run("rm", ["-rf", folder])) != nil {
            ProcessGuard.shared.forget(folder: folder)
        }
    }

    // MARK: Shared by the server types

    /// Starts a program of the server, unless it runs.
    func launch(
        _ program: String, _ arguments: [String] = [], environment more: [String: String?] = [:],
        isGroup: Bool = false
    ) throws {
        try processes.withLock { processes in
            if let process = processes[program], process.isRunning { return }
            processes[program] = try ChildProcess(
                program, arguments, environment: environment.merging(more) { $1 }, input: nil, output: nil,
                isGroup: isGroup)
        }
    }

    /// Waits until a part of the server accepts connections at its socket.
    func waitUntilAccepting(_ path: String, _ name: String, deadlineSeconds: Double) throws {
        let isReady = HostClock.poll(upToSeconds: deadlineSeconds) {
            SystemFile.isAccepting(socketPath: path) || !isAlive
        }
        guard isReady else { throw failure("\(name) does not answer after \(deadlineSeconds) s") }
        guard isAlive else { throw failure("\(name) ended") }
    }

    /// Whether all started programs still run.
    private var isAlive: Bool { processes.withLock { $0.values.allSatisfy(\.isRunning) } }

    private func failure(_ reason: String) -> HarnessError {
        HarnessError("cannot start a private \(kind) server: \(reason)\n\(log)")
    }

    /// In starting order.
    private func programs(of part: Part) -> [String] {
        switch (kind, part) {
        case (.pulseAudio, _): ["pulseaudio"]
        case (.pipeWire, .everything): ["dbus-run-session", "pipewire", "wireplumber", "pipewire-pulse"]
        case (.pipeWire, .frontEnd): ["pipewire-pulse"]
        case (.pipeWire, .graph): ["pipewire", "wireplumber"]
        }
    }

    private var hasSink: Bool {
        get throws {
            try control("list", "short", "sinks").split(separator: "\n")
                .contains { $0.split(separator: "\t").dropFirst().first == options.sinkName[...] }
        }
    }

    /// Waits until the server has its sink, which becomes the default as the only one.
    private func waitForDefaultSink(deadlineSeconds: Double) throws {
        let isChosen = HostClock.poll(upToSeconds: deadlineSeconds, every: 0.01) {
            (try? control("get-default-sink")) == "\(options.sinkName)\n" || !isAlive
        }
        guard isChosen, isAlive else { throw failure("it does not make its sink") }
    }

    /// Waits until the keeper has changed the sink to a short period.
    private func waitUntilSettled(deadlineSeconds: Double) throws {
        let keeps = try HostClock.poll(upToSeconds: deadlineSeconds, every: 0.02) {
            try !control("list", "short", "source-outputs").isEmpty
        }
        guard keeps else { throw HarnessError("cannot record \(options.sinkName).monitor\n\(log)") }
        guard options.hasRewinds else { return }
        try dropRenderedAhead(sink: options.sinkName)
    }
}
