// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The measure of many streams in one process.
extension Bench {
    /// The largest number of streams that PulseAudio mixes in a sink. Further streams stall.
    private static let streamsOfOneSink = 32

    mutating func scale(on rig: Rig) throws {
        let plan = schedule.streams
        let setting = options.settings?.first ?? BufferSetting(buffers: 3, frames: 960)
        say("\n## Many streams in one process, \(setting), \(plan.seconds) s")
        say(
            "peer        streams  gaps  streams-with  inaudible  cpu%  cpu%/stream  srv%  csw/s    MB  MB/stream  threads"
        )
        let runs = peers.filter { schedule.isScaled($0.traits) }.flatMap { peer in
            plan.numbers.filter { $0 <= peer.traits.mostStreams }.map { (peer: peer, streams: $0) }
        }
        defer { try? rig.removeSinks() }
        for run in order.interleaved(runs, repeats: options.repeats ?? 1) {
            try scale(run.peer, setting, streams: run.streams, seconds: plan.seconds, on: rig)
        }
        if let longest = plan.longest, let ours = peers.first(where: \.traits.isOurs) {
            try scale(ours, setting, streams: longest.number, seconds: longest.seconds, on: rig)
        }
    }

    private mutating func scale(
        _ peer: PeerProgram, _ setting: BufferSetting, streams: Int, seconds: Double, on rig: Rig
    ) throws {
        // A single stream also plays a sine and keeps no log, so that it is comparable with many streams.
        var run = run(
            .scale, peer, setting, seconds: seconds,
            more: streams > 1 ? ["--scale", String(streams)] : ["--aggregate"])
        run.signal = "sine"
        run.sinks = (streams + Self.streamsOfOneSink - 1) / Self.streamsOfOneSink
        let recorderSeconds = schedule.longestSeconds + 10
        let result = try make("\(peer.name), \(streams) streams", on: rig) {
            ScaleResult.measured(run, streams: streams, recorderSeconds: recorderSeconds, on: rig)
        }
        say(result.line)
        record.scales.append(result)
    }
}

/// The results of one run with many streams.
struct ScaleResult: Codable {
    var peer: String
    var server: String
    var setting: BufferSetting
    var streams: Int
    var seconds: Double
    var failure: String?
    /// Spans in which a stream differs from its sine, and the largest number of streams that differ.
    var gaps = 0
    var streamsWithGaps = 0
    /// Streams that were silent.
    var inaudibleStreams = 0
    var underruns = 0
    var longestIntervalMilliseconds = 0.0
    var cost: OutputResult.Cost?

    /// Makes the missing sinks and one run. A failure is stored in the result.
    static func measured(
        _ run: PeerRun, streams: Int, recorderSeconds: Double, on rig: Rig
    ) -> ScaleResult {
        var result = ScaleResult(
            peer: run.peer.name, server: rig.kind.rawValue, setting: run.setting, streams: streams,
            seconds: run.seconds)
        do {
            try rig.makeSinks(run.sinks, seconds: recorderSeconds)
            let outcome = try run.run(on: rig)
            result.cost = PeerRun.cost(outcome)
            result.underruns = outcome.log.underruns
            result.longestIntervalMilliseconds =
                (outcome.log.lanes.map(\.longestIntervalNanoseconds).max() ?? 0) / 1e6
            try result.findGaps(outcome, sinks: run.sinks)
        } catch {
            result.failure = "\(error)"
        }
        return result
    }

    /// Compares the recording of each sink with the streams that were played on it.
    private mutating func findGaps(_ outcome: PeerRun.Outcome, sinks: Int) throws {
        guard let started = outcome.log.events["started"], let stop = outcome.log.events["stop"] else {
            throw BenchError("\(peer) did not say when it played")
        }
        let captures = outcome.captures.isEmpty ? [outcome.capture] : outcome.captures
        for (sink, capture) in captures.prefix(sinks).enumerated() {
            let bank = SineBank(
                streams: Array(stride(from: sink, to: streams, by: sinks)),
                amplitude: Double(outcome.log.amplitude), sampleRate: Rig.sampleRate,
                firstHertz: outcome.log.notes["sine_hz"].flatMap(Int.init) ?? 500,
                stepHertz: outcome.log.notes["sine_hz_step"].flatMap(Int.init) ?? 40)
            guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)) else {
                throw BenchError("nothing was recorded")
            }
            // The range in which all streams play, from a second after the start, so that they are steady.
            let first = Int(clock.frame(atNanoseconds: started + 1e9))
            let end = Int(clock.frame(atNanoseconds: stop - 0.1e9))
            guard let departures = bank.departures(in: capture.samples, range: first..<max(first, end)) else {
                throw BenchError("\(peer) played too short")
            }
            gaps += departures.spans
            streamsWithGaps += departures.streams
            inaudibleStreams += departures.inaudible
        }
    }

    var line: String {
        let name = OutputTable.pad(peer, 12) + String(format: "%7d", streams)
        guard failure == nil, let cost else { return name + "  " + (failure ?? "nothing was measured") }
        let count = Double(streams)
        return name
            + String(
                format: "%6d%14d%9d%6.2f%13.3f", gaps, streamsWithGaps, inaudibleStreams,
                cost.processorPercent,
                cost.processorPercent / count)
            + String(
                format: "%6.1f%7.0f", cost.serverProcessorPercent ?? .nan, cost.voluntarySwitchesPerSecond)
            + String(format: "%6.1f%11.3f%9d", cost.peakMegabytes, cost.peakMegabytes / count, cost.threads)
    }
}
