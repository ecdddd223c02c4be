import BenchKit
import Foundation
import SoundHarness

/// A program that a rig listens to, from the recording's beginning to its end: as every run is set up.
///
/// What a run adds is how long it lasts, whose choice the sink's period is meanwhile, and what is made of it. The
/// program is killed when nobody holds this any more.
struct HeardProgram {
    let name: String
    /// Where it writes down what it did; empty for one that does not.
    let logPath: String

    private let rig: Rig
    private let child: ChildProcess
    private let player: NoisePlayer?

    /// Starts a command while a recording of a sink that is awake has begun.
    ///
    /// - Parameter noise: What is played meanwhile, for a program that records; it is heard by then.
    /// - Throws: ``BenchError`` when nothing can be recorded, or the noise is not heard.
    init(
        _ name: String, _ words: [String], on rig: Rig, environment more: [String: String?] = [:],
        noise: ReferenceNoise? = nil, logPath: String = ""
    ) throws {
        self.name = name
        self.logPath = logPath
        self.rig = rig
        try rig.beginRecording()
        player = try noise.map { try NoisePlayer($0.samples, on: rig) }
        if noise != nil, !HostClock.poll(upToSeconds: 5, until: { rig.recorder.hasHeardSound }) {
            throw BenchError("the noise to be recorded is not heard")
        }
        // Anywhere within the sink's period, which it should not be in step with.
        rig.wait(seconds: Double.random(in: 0.001...0.02))
        child = try ChildProcess(
            words[0], Array(words.dropFirst()), environment: rig.environment().merging(more) { $1 })
    }

    /// Starts one of the programs under test.
    ///
    /// - Parameter arguments: Its command line, told where its log goes.
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

    /// The largest that it was so far; 0 once it has ended.
    var peakResidentBytes: Int { ProcessSample(process: child.processIdentifier).peakResidentBytes }

    func signal(_ number: Int32) { child.signal(number) }

    /// - Throws: ``BenchError`` with what it said, when it ends unheard or is silent for 10 s.
    func waitUntilHeard() throws {
        _ = HostClock.poll(upToSeconds: 10) { rig.recorder.hasHeardSound || !child.isRunning }
        guard rig.recorder.hasHeardSound else {
            child.signal(SIGKILL)
            throw BenchError("cannot hear \(name): \(PeerRun.reason(child.wait(deadlineSeconds: 5)))")
        }
    }

    /// Waits so long, or until it ends.
    func wait(seconds: Double) {
        _ = HostClock.poll(upToSeconds: seconds, every: 0.02) { !child.isRunning }
    }

    /// Waits for its end, and ends the noise.
    ///
    /// - Parameter statuses: The exit statuses of one that did as it was told.
    /// - Throws: ``BenchError`` with what it said, when it failed or did not end.
    @discardableResult
    func end(upToSeconds seconds: Double, statuses: [Int32] = [0]) throws -> ChildProcess.Result {
        let ending = child.wait(deadlineSeconds: seconds)
        player?.stop()
        guard statuses.contains(ending.exitStatus), !ending.isTimedOut else {
            throw BenchError("\(name) failed: \(PeerRun.reason(ending))")
        }
        return ending
    }

    /// What it wrote down.
    ///
    /// - Throws: ``BenchError`` when it is not whole.
    func log() throws -> PeerLog {
        let log = try PeerLog(text: String(contentsOfFile: logPath, encoding: .utf8))
        guard log.isComplete else { throw BenchError("the log of \(name) lacks its end") }
        return log
    }
}
