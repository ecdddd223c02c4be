import BenchKit
import Foundation
import SoundHarness

/// Many streams in one process.
extension Bench {
    private static let playersOfMany = [PeerProgram.ours, "libpulse", "cubeb"]

    mutating func scale(on rig: Rig) {
        let numbers = options.effort == .quick ? [1, 10, 50] : [1, 10, 50, 100, 200, 250]
        let seconds = options.seconds ?? (options.effort == .full ? 60 : 5)
        let setting = options.settings?.first ?? BufferSetting(buffers: 3, frames: 960)
        let runs = peers.filter { Self.playersOfMany.contains($0.name) }.flatMap { peer in
            numbers.map { (peer: peer, streams: $0) }
        }
        print("\n## Many streams in one process, \(setting), \(seconds) s")
        print(
            "peer        streams  gaps  streams-with  unheard  cpu%  cpu%/stream  srv%  csw/s    MB  MB/stream  threads"
        )
        for (peer, streams) in order.interleaved(runs, repeats: options.repeats ?? 1) {
            var measured = run("scale", peer, setting, seconds: seconds, more: ["--scale", String(streams)])
            measured.signal = "sine"
            let result = ScaleResult.measured(measured, streams: streams, on: rig)
            print(result.line)
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
    /// Streams that the server never mixed: PulseAudio 16 mixes the first 32 of a sink and drops the rest.
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
            let bank = SineBank(
                streams: streams, amplitude: Double(outcome.log.amplitude), sampleRate: Rig.sampleRate,
                firstHertz: outcome.log.notes["sine_hz"].flatMap(Int.init) ?? 500,
                stepHertz: outcome.log.notes["sine_hz_step"].flatMap(Int.init) ?? 40)
            guard
                let clock = ArrivalClock(outcome.capture.fragments, sampleRate: Double(Rig.sampleRate)),
                let started = outcome.log.events["started"], let stop = outcome.log.events["stop"]
            else { throw BenchError("\(run.peer.name) did not say when it played") }
            // All play by then: a second to settle, and less than a queue's length before they end.
            let first = Int(clock.frame(atNanoseconds: started + 1e9))
            let end = Int(clock.frame(atNanoseconds: stop - 0.1e9))
            guard
                let departures = bank.departures(in: outcome.capture.samples, range: first..<max(first, end))
            else { throw BenchError("\(run.peer.name) played too short") }
            result.gaps = departures.spans
            result.streamsWithGaps = departures.streams
            result.unheardStreams = departures.unheard
        } catch {
            result.failure = "\(error)"
        }
        return result
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
