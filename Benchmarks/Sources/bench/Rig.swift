// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// A private sound server with a null sink, and a recorder at its monitor.
final class Rig {
    static let sinkName = "bench"
    static let sampleRate = 48000

    let server: PulseServer
    private(set) var recorder: MonitorRecorder
    private let recorderSeconds: Double
    /// The folder for the logs of the programs under test.
    let folder: String

    /// The fixed period of the sinks; nil if the programs under test determine it.
    private let periodMilliseconds: Double?

    /// - Parameter seconds: The length of the longest recording.
    init(kind: SoundServerKind, seconds: Double, periodMilliseconds: Double? = nil) throws {
        self.periodMilliseconds = periodMilliseconds
        unsafe setenv(SoundServerKind.variable, kind.rawValue, 1)
        unsafe unsetenv("PULSE_LATENCY_MSEC")
        var options = PulseServer.Options()
        options.sinkName = Self.sinkName
        options.sampleRate = Self.sampleRate
        // PulseAudio's monitor has exact times only without rewinds. On PipeWire this option only selects between long
        // and short periods.
        options.hasRewinds = kind == .pipeWire
        options.keepsPeriodShort = false
        server = try PulseServer(options)
        recorder = try MonitorRecorder(
            server, sink: Self.sinkName, seconds: seconds, periodMilliseconds: periodMilliseconds)
        recorderSeconds = seconds
        folder = server.folder
        waitUntilAwake()
    }

    /// Waits until the sink has played the audio that it rendered before its period was short.
    private func waitUntilAwake() { wait(seconds: 2.2) }

    // MARK: The server's end

    /// Whether the server has ended, or has ended a recording.
    var isLost: Bool { recorders.contains { !$0.isRunning } }

    /// The reason why the server ended, and the last lines of its log.
    var lossReason: String {
        let ending = server.endings.first ?? "it runs, and has ended the recording"
        let words = server.log.split(separator: "\n").suffix(5).joined(separator: "; ")
        return words.isEmpty ? ending : "\(ending); its log ends: \(words)"
    }

    /// Starts the server again with the same address and one sink.
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

    /// A text such as "PulseAudio 16.1"; for PipeWire, the name that its PulseAudio server reports.
    var serverVersion: String {
        let lines = ((try? server.control("info")) ?? "").split(separator: "\n")
        func value(_ key: String) -> String {
            lines.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) } ?? ""
        }
        return value("Server Name: ") + " " + value("Server Version: ")
    }

    /// The processor time that the server has used so far, in seconds.
    var serverProcessorSeconds: Double {
        server.processIdentifiers.reduce(0) { $0 + ProcessSample(process: $1).processorSeconds }
    }

    /// Returns the environment of a program under test, with the current time as its start.
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

    /// Whether recordings begin with the shortest period. A start is audible up to one period late.
    var isBrisk = false

    /// Begins a recording on a sink that is awake, so that a stream that starts now is audible at once.
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

    /// Keeps the sinks' periods short, or allows the periods that the streams request.
    func setLively(_ isLively: Bool) throws {
        for recorder in recorders { try recorder.setLively(isLively) }
    }

    // MARK: More sinks

    private var moreRecorders: [MonitorRecorder] = []
    private var moreSinks: [Int] = []
    private var recorders: [MonitorRecorder] { [recorder] + moreRecorders }
    /// The names of the sinks, beginning with the first.
    var sinkNames: [String] { recorders.map(\.sink) }

    /// Makes sinks until there are `number`, each with a recorder.
    func makeSinks(_ number: Int, seconds: Double) throws {
        while recorders.count < number {
            var options = server.options
            options.sinkName = "\(Self.sinkName)\(recorders.count + 1)"
            moreSinks.append(try server.addSink(options))
            moreRecorders.append(
                try MonitorRecorder(
                    server, sink: options.sinkName, seconds: seconds, periodMilliseconds: periodMilliseconds))
        }
        // Waits until the sinks have played the audio that they rendered before their periods were short.
        if number > 1 { wait(seconds: 0.2) }
    }

    /// Removes all sinks but the first.
    func removeSinks() throws {
        moreRecorders = []
        for sink in moreSinks { try server.unloadModule(sink) }
        moreSinks = []
    }

    /// Returns the recording of each sink.
    func captures() -> [MonitorRecorder.Capture] { recorders.map { $0.capture() } }

    // MARK: Ends

    /// Returns the recording after everything that was played has arrived in it.
    func endRecording(quietSeconds: Double = 0.25) -> MonitorRecorder.Capture {
        let quietFrames = Int(quietSeconds * Double(Self.sampleRate))
        _ = HostClock.poll(upToSeconds: 5) {
            recorder.frames - recorder.framesToLastSound > quietFrames || !recorder.isRunning
        }
        return recorder.capture()
    }
}
