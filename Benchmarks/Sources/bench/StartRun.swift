import BenchKit
import Foundation
import SoundHarness

/// How long starting, stopping, pausing and resuming take to be heard, over several runs. In milliseconds.
struct StartResult: Codable {
    var peer: String
    var server: String
    var setting: BufferSetting
    var failure: String?
    var processToSound: Summary?
    var createToSound: Summary?
    var startToSound: Summary?
    var stopToSilence: Summary?
    var pauseToSilence: Summary?
    var resumeToSound: Summary?
    /// The server's period while the stream began.
    var sinkPeriod = 0.0

    static let header =
        "peer          setting  exec..sound   p99  create..sound  start..sound   p99  stop..silence  "
        + "pause..silence  resume..sound"

    var line: String {
        let name = OutputTable.pad(peer, 13) + OutputTable.pad(setting.description, 8)
        if let failure { return name + "  " + failure }
        func number(_ value: Double?, _ width: Int) -> String {
            let text = value.map { String(format: "%.1f", $0) } ?? "-"
            return String(repeating: " ", count: max(1, width - text.count)) + text
        }
        return name + number(processToSound?.median, 12) + number(processToSound?.percentile99, 7)
            + number(createToSound?.median, 14) + number(startToSound?.median, 14)
            + number(startToSound?.percentile99, 7) + number(stopToSilence?.median, 14)
            + number(pauseToSilence?.median, 16) + number(resumeToSound?.median, 15)
    }
}

/// The times of one run, by what they are, in milliseconds.
struct StartRun {
    var peer: PeerProgram
    var setting: BufferSetting
    /// Whether it pauses and goes on again, which takes longer.
    var pauses: Bool

    /// A silence within the sound is a pause when it is at least this long.
    private static let pauseFrames = Rig.sampleRate / 10

    func times(on rig: Rig) throws -> [String: Double] {
        let logPath = "\(rig.folder)/\(peer.name)-start.log"
        try? FileManager.default.removeItem(atPath: logPath)
        try rig.beginRecording()
        // Within the server's period, which it should not be in step with.
        rig.wait(seconds: Double.random(in: 0.001...0.02))
        let child = try ChildProcess(
            peer.path,
            peer.arguments(
                setting: setting, seconds: pauses ? 4 : 0.7, log: logPath, more: pauses ? ["--events"] : []),
            environment: rig.environment())
        let ending = child.wait(deadlineSeconds: 20)
        guard ending.exitStatus == 0 else {
            throw BenchError("\(peer.name) failed: \(PeerRun.reason(ending))")
        }
        let capture = rig.endRecording()
        let log = try PeerLog(text: String(contentsOfFile: logPath, encoding: .utf8))
        guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)),
            let spans = SoundSpans(capture.samples, silenceFrames: Self.pauseFrames)
        else { throw BenchError("\(peer.name) was not heard") }
        func time(_ frame: Int) -> Double { clock.nanoseconds(ofFrame: Double(frame)) }

        var times = ["period": clock.burstFrames * 1000 / Double(Rig.sampleRate)]
        func take(_ name: String, from event: String, to heard: Double?) {
            guard let begin = log.events[event], let heard else { return }
            times[name] = (heard - begin) / 1e6
        }
        take("process", from: "exec", to: time(spans.first))
        take("create", from: "create", to: time(spans.first))
        take("start", from: "start", to: time(spans.first))
        take("stop", from: "stop", to: time(spans.end))
        if pauses, let pause = spans.silences.first {
            take("pause", from: "pause", to: time(pause.lowerBound))
            take("resume", from: "resume", to: time(pause.upperBound))
        }
        return times
    }
}
