import BenchKit
import Foundation
import SoundHarness

/// One run of a peer that plays, recorded and measured.
struct PeerRun {
    var measure: String
    var peer: PeerProgram
    var setting: BufferSetting
    var seconds: Double
    var isLoaded = false
    var moreArguments: [String] = []
    /// The latency goal that ours is asked for by them.
    var goal: String?
    var signal = "noise"
    /// Over how many sinks streams are dealt.
    var sinks = 1

    /// What happened, before anybody has thought about it.
    struct Outcome {
        /// Of the first sink.
        var capture: MonitorRecorder.Capture
        /// Of every sink; empty where there is but one.
        var captures: [MonitorRecorder.Capture] = []
        var log: PeerLog
        var ending: ChildProcess.Result
        /// What the machine did meanwhile; nil where nobody could watch.
        var stalls: [MachineStall]?
        /// Processor seconds of the server per second, in percent, in the steady part; nil where it was too short.
        var serverProcessorPercent: Double?
        /// The largest that the peer was, shortly before its end.
        var peakResidentBytes: Int
    }

    /// Runs it and measures; a failure is in the result.
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

    /// Plays for as long as was asked, on a sink whose period is the peer's choice once it is heard.
    func run(on rig: Rig) throws -> Outcome {
        let witness = StallWitness()
        let program = try HeardProgram(peer, on: rig) {
            peer.arguments(
                setting: setting, seconds: seconds, signal: signal, log: $0,
                sinks: Array(rig.sinkNames.prefix(sinks)), more: moreArguments)
        }
        try program.waitUntilHeard()
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

    /// Waits until shortly before the peer ends; what the server uses meanwhile, in percent, and how large the peer
    /// was.
    private func watch(_ program: HeardProgram, on rig: Rig) -> (serverPercent: Double?, peakBytes: Int) {
        // The end is rendered in short periods again: nothing would be heard of it for up to 2 s.
        let whole = max(0, seconds - 0.2)
        let settling = min(1, whole / 2)
        rig.wait(seconds: settling)
        let start = HostClock.now
        let before = rig.serverProcessorSeconds
        // Once more later, and now: a peer that was heard late ends before this does.
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
            // Without what the peer wrote down for us; one that ended early cannot be asked any more.
            peakMegabytes: outcome.peakResidentBytes == 0
                ? .nan
                : Double(
                    outcome.peakResidentBytes - (outcome.log.notes["log_bytes"].flatMap(Int.init) ?? 0))
                    / 1e6,
            threads: outcome.log.notes["threads"].flatMap(Int.init) ?? 0)
    }
}
