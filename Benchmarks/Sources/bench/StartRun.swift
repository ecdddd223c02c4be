// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The times until start, stop, pause and resume are audible, over several runs, in milliseconds.
struct StartResult: Codable {
    var peer: String
    var server: String
    var setting: BufferSetting
    var failure: String?
    var processToSound: Summary?
    var createToSound: Summary?
    /// The time from the start call of a primed stream at rest, in milliseconds and in periods of the sink.
    var startToSound: Summary?
    var startInPeriods: Summary?
    var stopToSilence: Summary?
    var pauseToSilence: Summary?
    var resumeToSound: Summary?
    /// The sink's period at the start of the primed stream.
    var sinkPeriod = 0.0

    static let header =
        "peer          setting  exec..sound   p99  create..sound  primed start..sound   p99    max  sink  "
        + "stop..silence  pause..silence  resume..sound"

    var line: String {
        let name = OutputTable.pad(peer, 13) + OutputTable.pad(setting.description, 8)
        if let failure { return name + "  " + failure }
        func number(_ value: Double?, _ width: Int) -> String {
            let text = value.map { String(format: "%.1f", $0) } ?? "-"
            return String(repeating: " ", count: max(1, width - text.count)) + text
        }
        return name + number(processToSound?.median, 12) + number(processToSound?.percentile99, 7)
            + number(createToSound?.median, 15) + number(startToSound?.median, 21)
            + number(startToSound?.percentile99, 6) + number(startToSound?.largest, 7)
            + number(sinkPeriod, 6) + number(stopToSilence?.median, 15)
            + number(pauseToSilence?.median, 16) + number(resumeToSound?.median, 15)
    }
}

/// One run that measures starts and stops.
struct StartRun {
    enum Kind {
        /// Starts as soon as the stream exists.
        case cold
        /// Starts a stream that is primed and has been idle.
        case primed
        /// Pauses and resumes, which takes longer.
        case pausing

        /// The time for which a stream is idle before its start.
        static let restSeconds = 0.4

        var playSeconds: Double { self == .pausing ? 4 : 0.7 }

        var arguments: [String] {
            switch self {
            case .cold: []
            case .primed: ["--start-delay", String(Self.restSeconds)]
            case .pausing: ["--events"]
            }
        }
    }

    var peer: PeerProgram
    var setting: BufferSetting
    var kind: Kind

    /// The shortest silence that counts as a pause.
    private static let pauseFrames = Rig.sampleRate / 10

    /// Returns the times in milliseconds, by name.
    ///
    /// - Throws: ``BenchError`` if the peer failed, or was not audible.
    func times(on rig: Rig) throws -> [String: Double] {
        let program = try RecordedProgram(peer, on: rig) {
            peer.arguments(setting: setting, seconds: kind.playSeconds, log: $0, more: kind.arguments)
        }
        try program.end(upToSeconds: 20)
        let capture = rig.endRecording()
        let log = try program.log()
        guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)),
            let spans = SoundSpans(capture.samples, silenceFrames: Self.pauseFrames)
        else { throw BenchError("\(peer.name) was not audible") }
        func time(_ frame: Int) -> Double { clock.nanoseconds(ofFrame: Double(frame)) }
        func milliseconds(from event: String, to audible: Double) -> Double? {
            log.events[event].map { (audible - $0) / 1e6 }
        }

        var times: [String: Double] = [:]
        times["stop"] = milliseconds(from: "stop", to: time(spans.end))
        switch kind {
        case .cold:
            times["process"] = milliseconds(from: "exec", to: time(spans.first))
            times["create"] = milliseconds(from: "create", to: time(spans.first))
        case .primed:
            // The period before the first frame: afterwards, the stream determines it.
            let before = capture.fragments.filter { $0.endFrame <= spans.first }
            let period = ArrivalClock(before, sampleRate: Double(Rig.sampleRate)).map {
                $0.burstFrames * 1000 / Double(Rig.sampleRate)
            }
            times["start"] = milliseconds(from: "start", to: time(spans.first))
            times["period"] = period
            if let period, period > 0 { times["periods"] = times["start"].map { $0 / period } }
        case .pausing:
            guard let pause = spans.silences.first else { break }
            times["pause"] = milliseconds(from: "pause", to: time(pause.lowerBound))
            times["resume"] = milliseconds(from: "resume", to: time(pause.upperBound))
        }
        return times
    }
}
