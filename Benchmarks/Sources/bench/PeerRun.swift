// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// One run of a peer that plays, with its recording and analysis.
struct PeerRun {
    var measure: String
    var peer: PeerProgram
    var setting: BufferSetting
    var seconds: Double
    var isLoaded = false
    var moreArguments: [String] = []
    /// The latency goal that `moreArguments` requests; nil if they request none.
    var goal: String?
    var signal = "noise"
    /// The number of sinks over which the streams are distributed.
    var sinks = 1

    /// The data of a run before its analysis.
    struct Outcome {
        /// The recording of the first sink.
        var capture: MonitorRecorder.Capture
        /// The recordings of all sinks; empty if there is only one.
        var captures: [MonitorRecorder.Capture] = []
        var log: PeerLog
        var ending: ChildProcess.Result
        /// The stalls of the machine during the run; nil if they could not be detected.
        var stalls: [MachineStall]?
        /// The server's processor time as a share of the steady part, in percent; nil if that part was too short.
        var serverProcessorPercent: Double?
        /// The peak memory of the peer in bytes, shortly before its end.
        var peakResidentBytes: Int
    }

    /// Makes the run and analyses it. A failure is stored in the result.
    func measured(on rig: Rig) -> OutputResult {
        var result = OutputResult(
            measure: measure, peer: peer.name, server: rig.kind.rawValue, setting: setting, seconds: seconds,
            isLoaded: isLoaded)
        result.goal = goal
        do {
            let outcome = try run(on: rig)
            result.recorderHoles = outcome.capture.holes
            result.cost = Self.cost(outcome)
            let analysis = OutputAnalysis(
                samples: outcome.capture.samples, fragments: outcome.capture.fragments,
                sampleRate: Double(Rig.sampleRate), stalls: outcome.stalls)
            try analysis.fill(&result, from: outcome.log)
        } catch {
            result.failure = "\(error)"
        }
        return result
    }

    /// Plays for the requested time. As soon as the peer is audible, it determines the sink's period.
    func run(on rig: Rig) throws -> Outcome {
        let witness = StallWitness()
        let program = try RecordedProgram(peer, on: rig) {
            peer.arguments(
                setting: setting, seconds: seconds, signal: signal, log: $0,
                sinks: Array(rig.sinkNames.prefix(sinks)), more: moreArguments)
        }
        try program.waitUntilAudible()
        try rig.setLively(false)
        let (serverPercent, peakBytes) = watch(program, on: rig)
        try rig.setLively(true)
        let ending = try program.end(upToSeconds: 15)
        let capture = rig.endRecording()
        let stalls = witness?.end()
        let log = try program.log()
        return Outcome(
            capture: capture, captures: sinks > 1 ? rig.captures() : [], log: log, ending: ending,
            stalls: stalls, serverProcessorPercent: serverPercent,
            peakResidentBytes: peakBytes)
    }

    /// Waits until shortly before the end of the peer. Returns the server's processor time in percent, and the peer's
    /// peak memory in bytes.
    private func watch(_ program: RecordedProgram, on rig: Rig) -> (serverPercent: Double?, peakBytes: Int) {
        // The end is rendered with short periods, because with long ones it could be audible 2 s late.
        let whole = max(0, seconds - 0.2)
        let settling = min(1, whole / 2)
        rig.wait(seconds: settling)
        let start = HostClock.now
        let before = rig.serverProcessorSeconds
        // Read here and again later, because a peer that was audible late ends before the second reading.
        let peakBytes = program.peakResidentBytes
        program.wait(seconds: whole - settling)
        let elapsed = HostClock.seconds(from: start, to: HostClock.now)
        let percent = elapsed > 0.5 ? (rig.serverProcessorSeconds - before) / elapsed * 100 : nil
        return (percent, max(peakBytes, program.peakResidentBytes))
    }

    static func reason(_ ending: ChildProcess.Result) -> String {
        let words = ending.standardError.split(separator: "\n").last.map(String.init) ?? "it said nothing"
        return "\(words) (exit status \(ending.exitStatus))"
    }

    static func cost(_ outcome: Outcome) -> OutputResult.Cost? {
        guard let steady = outcome.log.usages["steady"], let last = outcome.log.usages["last"] else {
            return nil
        }
        let used = last.since(steady)
        let seconds = used.atNanoseconds / 1e9
        guard seconds > 0.2 else { return nil }
        return OutputResult.Cost(
            processorPercent: used.processorSeconds / seconds * 100,
            serverProcessorPercent: outcome.serverProcessorPercent,
            voluntarySwitchesPerSecond: Double(used.voluntarySwitches) / seconds,
            involuntarySwitchesPerSecond: Double(used.involuntarySwitches) / seconds,
            // Without the memory of the peer's log. The memory of a peer that ended early cannot be read.
            peakMegabytes: outcome.peakResidentBytes == 0
                ? .nan
                : Double(
                    outcome.peakResidentBytes - (outcome.log.notes["log_bytes"].flatMap(Int.init) ?? 0))
                    / 1e6,
            threads: outcome.log.notes["threads"].flatMap(Int.init) ?? 0)
    }
}
