// SPDX-License-Identifier: MIT

import AQSoundHarness

/// The result of playing the tune, as one line, and the first fault.
struct Measurement {
    /// A text such as "measured 5.50 s of audio, 0 gaps, peak -3.1 dB, first audio after 12 ms (private server, null
    /// sink)".
    let line: String
    let fault: String?

    /// The permitted difference in length, in seconds.
    private static let toleranceSeconds = 0.02

    init(_ recording: Recording, startHostTime: UInt64, expectedSeconds: Double, device: String) {
        guard let firstFrame = recording.firstSoundFrame(),
            let firstHostTime = recording.hostTime(ofFrame: firstFrame)
        else {
            line = "measured no audio (\(device))"
            fault = "no audio arrived at the sink's monitor: is the sink muted?"
            return
        }
        let seconds = recording.seconds(ofFrames: recording.soundFrames())
        let gaps = recording.gaps()
        let firstMilliseconds = HostClock.seconds(from: startHostTime, to: firstHostTime) * 1000
        let peak = Self.text(Recording.decibels(recording.peak), decimals: 1)
        line =
            "measured \(Self.text(seconds, decimals: 2)) s of audio, \(gaps.count) gap\(gaps.count == 1 ? "" : "s"), "
            + "peak \(peak) dB, first audio after \(Self.text(firstMilliseconds, decimals: 0)) ms (\(device))"
        if let gap = gaps.first {
            let start = recording.seconds(ofFrames: gap.startFrame - firstFrame)
            let length = recording.seconds(ofFrames: gap.frames) * 1000
            fault =
                "the audio has gaps: the first one, of \(Self.text(length, decimals: 1)) ms, "
                + "after \(Self.text(start, decimals: 3)) s"
        } else if abs(seconds - expectedSeconds) > Self.toleranceSeconds {
            fault =
                "the tune is \(Self.text(expectedSeconds, decimals: 3)) s long, "
                + "but \(Self.text(seconds, decimals: 3)) s were measured"
        } else {
            fault = nil
        }
    }

    private static func text(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % scale)
        return "\(sign)\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count)
            + fraction
    }
}
