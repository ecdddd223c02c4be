import BenchKit
import Foundation
import SoundHarness

/// A private sound server with a null sink, and a recorder at its monitor.
final class Rig {
    static let sinkName = "bench"
    static let sampleRate = 48000

    let server: PulseServer
    private(set) var recorder: MonitorRecorder
    private let recorderSeconds: Double
    /// Where logs of the programs under test go.
    let folder: String

    /// How long the sinks' periods are held; nil leaves them to the programs under test.
    private let periodMilliseconds: Double?

    /// - Parameter seconds: How long a recording is at most.
    init(kind: SoundServerKind, seconds: Double, periodMilliseconds: Double? = nil) throws {
        self.periodMilliseconds = periodMilliseconds
        unsafe setenv(SoundServerKind.variable, kind.rawValue, 1)
        unsafe unsetenv("PULSE_LATENCY_MSEC")
        var options = PulseServer.Options()
        options.sinkName = Self.sinkName
        options.sampleRate = Self.sampleRate
        // PulseAudio's monitor tells the time only where nothing is held back; PipeWire has but the choice
        // between long periods and short ones.
        options.hasRewinds = kind == .pipeWire
        options.keepsPeriodShort = false
        server = try PulseServer(options)
        recorder = try MonitorRecorder(
            server, sink: Self.sinkName, seconds: seconds, periodMilliseconds: periodMilliseconds)
        recorderSeconds = seconds
        folder = server.folder
        waitUntilAwake()
    }

    /// What the sink rendered ahead while it had no recorder must have been played.
    private func waitUntilAwake() { wait(seconds: 2.2) }

    // MARK: The server's end

    /// Whether the server has ended, or has ended a recording.
    var isLost: Bool { recorders.contains { !$0.isRunning } }

    /// How the server ended, and what it wrote last.
    var lossReason: String {
        let ending = server.endings.first ?? "it runs, and has ended the recording"
        let words = server.log.split(separator: "\n").suffix(5).joined(separator: "; ")
        return words.isEmpty ? ending : "\(ending); its log ends: \(words)"
    }

    /// Starts the server again where the last one was, with one sink.
    func restart() throws {
        moreRecorders = []
        moreSinks = []
        server.kill()
        try server.start()
        recorder = try MonitorRecorder(
            server, sink: Self.sinkName, seconds: recorderSeconds, periodMilliseconds: periodMilliseconds)
        waitUntilAwake()
    }

    var kind: SoundServerKind { server.kind }

    /// "PulseAudio 16.1", or "PipeWire 1.0.5" by the name that its server gives itself.
    var serverVersion: String {
        let lines = ((try? server.control("info")) ?? "").split(separator: "\n")
        func value(_ key: String) -> String {
            lines.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) } ?? ""
        }
        return value("Server Name: ") + " " + value("Server Version: ")
    }

    /// Processor seconds that the server has used so far.
    var serverProcessorSeconds: Double {
        server.processIdentifiers.reduce(0) { $0 + ProcessSample(process: $1).processorSeconds }
    }

    /// The environment of a program under test, which is started just after.
    func environment() -> [String: String?] {
        var environment = server.environment
        environment["SDL_AUDIODRIVER"] = "pulse"
        environment["ALSOFT_DRIVERS"] = "pulse"
        environment["SDL_VIDEODRIVER"] = "dummy"
        environment["AQ_BENCH_T0"] = String(HostClock.now)
        return environment
    }

    func wait(seconds: Double) {
        _ = HostClock.poll(upToSeconds: seconds, every: min(0.02, seconds)) { false }
    }

    /// Whether recordings begin with the shortest periods: a program is heard, or hears, up to a period after it could be.
    var isBrisk = false

    /// Begins a recording on a sink that is awake; a stream that starts now is heard at once.
    func beginRecording() throws {
        for recorder in recorders {
            guard recorder.isRunning else {
                throw BenchError("cannot record: the server has ended the recording")
            }
            try recorder.setLively(true, isBrisk: isBrisk)
            recorder.clear()
            guard HostClock.poll(upToSeconds: 5, until: { recorder.frames > 0 }) else {
                throw BenchError("cannot record: nothing comes from the monitor of \(recorder.sink)")
            }
        }
        for recorder in recorders { recorder.clear() }
    }

    /// Lets the sinks' periods be what the streams ask for, or keeps them short.
    func setLively(_ isLively: Bool) throws {
        for recorder in recorders { try recorder.setLively(isLively) }
    }

    // MARK: More sinks

    private var moreRecorders: [MonitorRecorder] = []
    private var moreSinks: [Int] = []
    private var recorders: [MonitorRecorder] { [recorder] + moreRecorders }
    /// The sinks' names, the first one's first.
    var sinkNames: [String] { recorders.map(\.sink) }

    /// Makes so many sinks that there are `number`, each with a recorder.
    func makeSinks(_ number: Int, seconds: Double) throws {
        while recorders.count < number {
            var options = server.options
            options.sinkName = "\(Self.sinkName)\(recorders.count + 1)"
            moreSinks.append(try server.addSink(options))
            moreRecorders.append(
                try MonitorRecorder(
                    server, sink: options.sinkName, seconds: seconds, periodMilliseconds: periodMilliseconds))
        }
        // What they rendered ahead before they had a recorder must have been played.
        if number > 1 { wait(seconds: 0.2) }
    }

    /// Removes all sinks but the first.
    func removeSinks() throws {
        moreRecorders = []
        for sink in moreSinks { try server.unloadModule(sink) }
        moreSinks = []
    }

    /// What was recorded of each sink.
    func captures() -> [MonitorRecorder.Capture] { recorders.map { $0.capture() } }

    // MARK: Ends

    /// What was recorded, once everything that was played is in it.
    func endRecording(quietSeconds: Double = 0.25) -> MonitorRecorder.Capture {
        let quietFrames = Int(quietSeconds * Double(Self.sampleRate))
        _ = HostClock.poll(upToSeconds: 5) {
            recorder.frames - recorder.framesToLastSound > quietFrames || !recorder.isRunning
        }
        return recorder.capture()
    }
}
