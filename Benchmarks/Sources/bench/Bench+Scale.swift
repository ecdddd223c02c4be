import BenchKit
import Foundation
import SoundHarness

/// Many streams in one process.
extension Bench {
    private static let playersOfMany = [PeerProgram.ours, "libpulse", "cubeb"]
    /// PulseAudio mixes no more, and never takes from the others.
    private static let streamsOfOneSink = 32

    mutating func scale(on rig: Rig) {
        let numbers = options.effort == .quick ? [1, 10, 50] : [1, 10, 50, 100, 200, 250]
        let seconds = options.seconds ?? (options.effort == .full ? 60 : options.effort == .quick ? 4 : 5)
        let setting = options.settings?.first ?? BufferSetting(buffers: 3, frames: 960)
        let runs = peers.filter { Self.playersOfMany.contains($0.name) }.flatMap { peer in
            numbers.map { (peer: peer, streams: $0) }
        }
        say("\n## Many streams in one process, \(setting), \(seconds) s")
        say(
            "peer        streams  gaps  streams-with  unheard  cpu%  cpu%/stream  srv%  csw/s    MB  MB/stream  threads"
        )
        defer { try? rig.removeSinks() }
        for (peer, streams) in order.interleaved(runs, repeats: options.repeats ?? 1) {
            var measured = run("scale", peer, setting, seconds: seconds, more: ["--scale", String(streams)])
            measured.signal = "sine"
            measured.sinks = (streams + Self.streamsOfOneSink - 1) / Self.streamsOfOneSink
            do { try rig.makeSinks(measured.sinks, seconds: seconds + 10) } catch {
                say("cannot make \(measured.sinks) sinks: \(error)")
                return
            }
            let result = ScaleResult.measured(measured, streams: streams, on: rig)
            say(result.line)
            record.scales.append(result)
        }
    }
}

/// What one run of many streams was measured at.
struct ScaleResult: Codable {
    var peer: String
    var server: String
    var setting: BufferSetting
    var streams: Int
    var seconds: Double
    var failure: String?
    /// Spans in which one stream or more was not what it should be, and how many streams at most.
    var gaps = 0
    var streamsWithGaps = 0
    /// Streams that were never heard.
    var unheardStreams = 0
    var underruns = 0
    var longestIntervalMilliseconds = 0.0
    var cost: OutputResult.Cost?

    static func measured(_ run: PeerRun, streams: Int, on rig: Rig) -> ScaleResult {
        var result = ScaleResult(
            peer: run.peer.name, server: rig.kind.rawValue, setting: run.setting, streams: streams,
            seconds: run.seconds)
        do {
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

    /// Looks at what each sink was heard to play of the streams that were dealt to it.
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
            // All play by then: a second to settle, and less than a queue's length before they end.
            let first = Int(clock.frame(atNanoseconds: started + 1e9))
            let end = Int(clock.frame(atNanoseconds: stop - 0.1e9))
            guard let departures = bank.departures(in: capture.samples, range: first..<max(first, end)) else {
                throw BenchError("\(peer) played too short")
            }
            gaps += departures.spans
            streamsWithGaps += departures.streams
            unheardStreams += departures.unheard
        }
    }

    var line: String {
        let name = OutputTable.pad(peer, 12) + String(format: "%7d", streams)
        guard failure == nil, let cost else { return name + "  " + (failure ?? "nothing was measured") }
        let count = Double(streams)
        return name
            + String(
                format: "%6d%14d%9d%6.2f%13.3f", gaps, streamsWithGaps, unheardStreams, cost.processorPercent,
                cost.processorPercent / count)
            + String(format: "%6.1f%7.0f", cost.serverProcessorPercent ?? 0, cost.voluntarySwitchesPerSecond)
            + String(format: "%6.1f%11.3f%9d", cost.peakMegabytes, cost.peakMegabytes / count, cost.threads)
    }
}
