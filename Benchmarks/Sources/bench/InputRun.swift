// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The results of a peer that records, alone or in full duplex. Times are in milliseconds.
struct InputResult: Codable {
    var measure: String
    var peer: String
    var server: String
    var setting: BufferSetting
    var seconds: Double
    var isLoaded: Bool
    var failure: String?
    var notes: [String: String] = [:]
    /// The time from the moment when a frame passes the monitor to the entry of its callback, for first and last
    /// frames.
    var oldest: Summary?
    var newest: Summary?
    var predictionError: Summary?
    /// The time from the callback that plays a frame to the callback that records it.
    var roundTrip: Summary?
    var interval: Summary?
    var gaps = 0
    var overruns = 0
    var sinkPeriod = 0.0

    static let header =
        "peer          setting  callback to callback: median    p99    max   "
        + "first frame: median    p99  last frame: median  pred.err  gaps  interval   sink"

    var line: String {
        let name = OutputTable.pad(peer, 13) + OutputTable.pad(setting.description, 8)
        if let failure { return name + "  " + failure }
        func number(_ value: Double?, _ width: Int) -> String {
            let text = value.map { String(format: "%.2f", $0) } ?? "-"
            return String(repeating: " ", count: max(1, width - text.count)) + text
        }
        return name + number(roundTrip?.median, 31) + number(roundTrip?.percentile99, 7)
            + number(roundTrip?.largest, 7) + number(oldest?.median, 22) + number(oldest?.percentile99, 7)
            + number(newest?.median, 20) + number(predictionError?.median, 10) + String(format: "%6d", gaps)
            + number(interval?.median, 10) + number(sinkPeriod, 7)
    }
}

/// One run of a peer that records, alone or in full duplex.
struct InputRun {
    var peer: PeerProgram
    var setting: BufferSetting
    var seconds: Double
    var isDuplex: Bool
    var isLoaded: Bool

    func measured(on rig: Rig) -> InputResult {
        var result = InputResult(
            measure: isDuplex ? "duplex" : "input", peer: peer.name, server: rig.kind.rawValue,
            setting: setting,
            seconds: seconds, isLoaded: isLoaded)
        do { try run(on: rig, &result) } catch { result.failure = "\(error)" }
        return result
    }

    private func run(on rig: Rig, _ result: inout InputResult) throws {
        // The noise begins before the run and ends after it.
        let frames = Int((seconds + 15) * Double(Rig.sampleRate))
        let noise = ReferenceNoise(stream: 0, frames: frames, amplitude: 0.25)
        let program = try RecordedProgram(peer, on: rig, noise: isDuplex ? nil : noise) {
            peer.arguments(
                mode: isDuplex ? "duplex" : "input", setting: setting, seconds: seconds, log: $0,
                more: ["--input-device", "\(Rig.sinkName).monitor"])
        }
        try program.waitUntilAudible()
        rig.wait(seconds: 0.3)
        try rig.setLively(false)
        program.wait(seconds: max(0, seconds - 0.5))
        try rig.setLively(true)
        try program.end(upToSeconds: 15)
        let capture = rig.endRecording()
        let log = try program.log()
        let recorded = try Self.samples(path: "\(program.logPath).f32")
        try analyse(capture, log, recorded, noise, &result)
    }

    private func analyse(
        _ capture: MonitorRecorder.Capture, _ log: PeerLog, _ recorded: [Float], _ noise: ReferenceNoise,
        _ result: inout InputResult
    ) throws {
        guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)) else {
            throw BenchError("nothing was recorded")
        }
        let analysis = try InputAnalysis(samples: recorded, callbacks: log.inputs, noise: noise)
        let audible = Aligner.align(capture.samples, to: noise)
        let ages = analysis.ages(audible: audible, clock: clock, leavingOut: 1)
        result.oldest = Summary(ages.oldest)?.scaled(by: 1e-6)
        result.newest = Summary(ages.newest)?.scaled(by: 1e-6)
        result.predictionError = Summary(ages.predictionErrors)?.scaled(by: 1e-6)
        if isDuplex {
            result.roundTrip = Summary(analysis.roundTrips(of: log.outputs, leavingOut: 1))?.scaled(by: 1e-6)
        }
        guard (isDuplex ? result.roundTrip : result.oldest) != nil else {
            throw BenchError("nothing could be measured: it ended early, or its sound was not recorded")
        }
        let entries = log.inputs.map(\.entryNanoseconds)
        if let first = entries.first, let last = entries.last {
            result.interval = Summary(OutputAnalysis.intervals(log.inputs, in: first...max(first, last)))
        }
        result.gaps = analysis.gaps.count
        result.overruns = log.underruns
        result.notes = log.notes
        result.sinkPeriod = clock.burstFrames * 1000 / Double(Rig.sampleRate)
    }

    private static func samples(path: String) throws -> [Float] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    }
}
