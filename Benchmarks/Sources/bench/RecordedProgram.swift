// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// A program that is recorded from its start to its end.
///
/// The different runs add their duration, the control of the sink's period, and the analysis. The program is killed
/// when the last copy of this value is released.
struct RecordedProgram {
    let name: String
    /// The path of the peer's log; empty for a tool.
    let logPath: String

    private let rig: Rig
    private let child: ChildProcess
    private let player: NoisePlayer?

    /// Begins the recording of a sink that is awake, and starts a command.
    ///
    /// - Parameter noise: Noise that is played for a recorder. It is audible before the command starts.
    /// - Throws: ``BenchError`` if nothing can be recorded, or the noise is not audible.
    init(
        _ name: String, _ words: [String], on rig: Rig, environment more: [String: String?] = [:],
        noise: ReferenceNoise? = nil, logPath: String = ""
    ) throws {
        self.name = name
        self.logPath = logPath
        self.rig = rig
        try rig.beginRecording()
        player = try noise.map { try NoisePlayer($0.samples, on: rig) }
        if noise != nil, !HostClock.poll(upToSeconds: 5, until: { rig.recorder.hasAudio }) {
            throw BenchError("the noise to be recorded is not audible")
        }
        // A random time, so that starts are not in step with the sink's period.
        rig.wait(seconds: Double.random(in: 0.001...0.02))
        child = try ChildProcess(
            words[0], Array(words.dropFirst()), environment: rig.environment().merging(more) { $1 })
    }

    /// Starts a peer.
    ///
    /// - Parameter arguments: Returns the command line for the path of the log.
    init(
        _ peer: PeerProgram, on rig: Rig, environment: [String: String?] = [:], noise: ReferenceNoise? = nil,
        arguments: (_ logPath: String) -> [String]
    ) throws {
        let logPath = "\(rig.folder)/\(peer.name).log"
        for path in [logPath, "\(logPath).f32"] { try? FileManager.default.removeItem(atPath: path) }
        try self.init(
            peer.name, [peer.path] + arguments(logPath), on: rig, environment: environment, noise: noise,
            logPath: logPath)
    }

    /// The peak memory of the process so far in bytes; 0 after its end.
    var peakResidentBytes: Int { ProcessSample(process: child.processIdentifier).peakResidentBytes }

    func signal(_ number: Int32) { child.signal(number) }

    /// Waits until the program is audible.
    ///
    /// - Throws: ``BenchError`` with the program's last message if it ends before it is audible, or is silent for 10 s.
    func waitUntilAudible() throws {
        _ = HostClock.poll(upToSeconds: 10) { rig.recorder.hasAudio || !child.isRunning }
        guard rig.recorder.hasAudio else {
            child.signal(SIGKILL)
            throw BenchError("cannot hear \(name): \(PeerRun.reason(child.wait(deadlineSeconds: 5)))")
        }
    }

    /// Waits for a time, or until the program ends.
    func wait(seconds: Double) {
        _ = HostClock.poll(upToSeconds: seconds, every: 0.02) { !child.isRunning }
    }

    /// Waits for the end of the program, and stops the noise.
    ///
    /// - Parameter statuses: The exit statuses of success.
    /// - Throws: ``BenchError`` with the program's last message if the program failed or did not end in time.
    @discardableResult
    func end(upToSeconds seconds: Double, statuses: [Int32] = [0]) throws -> ChildProcess.Result {
        let ending = child.wait(deadlineSeconds: seconds)
        player?.stop()
        guard statuses.contains(ending.exitStatus), !ending.isTimedOut else {
            throw BenchError("\(name) failed: \(PeerRun.reason(ending))")
        }
        return ending
    }

    /// Reads the peer's log.
    ///
    /// - Throws: ``BenchError`` if the log is incomplete.
    func log() throws -> PeerLog {
        let log = try PeerLog(text: String(contentsOfFile: logPath, encoding: .utf8))
        guard log.isComplete else { throw BenchError("the log of \(name) lacks its end") }
        return log
    }
}
