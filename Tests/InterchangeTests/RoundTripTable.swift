// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness
import Synchronization

/// Collects the results of round trips, and writes them as a Markdown table after each row.
final class RoundTripTable: Sendable {
    static let shared = RoundTripTable()

    private let rows = Mutex<[String: [Outcome]]>([:])

    /// Adds the row of an encoding; the file is named by `AQ_INTERCHANGE_TABLE`.
    func add(_ encoding: Encoding, _ outcomes: [Outcome]) throws {
        try rows.withLock { rows in
            rows[encoding.name] = outcomes
            guard let path = Environment.value("AQ_INTERCHANGE_TABLE") else { return }
            try Data(Self.text(rows).utf8).write(to: URL(fileURLWithPath: path))
        }
    }

    private static func text(_ rows: [String: [Outcome]]) -> String {
        var lines = [
            "| Container | Codec | Run | Refused by name | Frames | Exact | dB here | dB peer | Worst | Read by |",
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        var failures: [String] = []
        var faults: [String] = []
        for encoding in Encoding.all {
            guard let outcomes = rows[encoding.name] else { continue }
            lines.append(line(encoding, outcomes))
            for outcome in outcomes {
                let place = "- \(encoding.name), \(outcome.layout)"
                failures += outcome.failures.map { "\(place): \($0)" }
                faults += outcome.foreignFaults.map { "\(place): \($0)" }
            }
        }
        lines += ["", "Failures: \(failures.count)", ""] + failures
        lines += ["", "Faults of others: \(faults.count)", ""] + faults
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ encoding: Encoding, _ outcomes: [Outcome]) -> String {
        let done = outcomes.filter { !$0.isRefused }
        func share(_ test: (Outcome) -> Bool) -> String { "\(done.counted(test))/\(done.count)" }
        let margins = done.compactMap { outcome in
            outcome.signalToNoise.flatMap { ours in
                outcome.peerSignalToNoise.map { ours == $0 ? 0 : ours - $0 }
            }
        }
        let readers = ["ffprobe", "ffmpeg"] + encoding.readers.map(\.rawValue)
        let cells = [
            encoding.container, encoding.codecName, "\(outcomes.count)", "\(outcomes.counted(\.isRefused))",
            share(\.hasExactFrames) + (encoding.tellsTrims ? "" : " (whole packets)"),
            encoding.isLossless ? share(\.isExactHere) + ", ffmpeg " + share(\.isExactThere) : "lossy",
            summary(done.compactMap(\.signalToNoise)), summary(done.compactMap(\.peerSignalToNoise)),
            margins.min().map { ($0 > 0 ? "+" : "") + decimal($0) } ?? "",
            readers.map { reader in "\(reader) \(share { $0.readers.contains(reader) })" }
                .joined(separator: ", "),
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    /// The least and the median.
    private static func summary(_ values: [Double]) -> String {
        let sorted = values.sorted()
        guard let least = sorted.first else { return "" }
        return decimal(least) + " / " + decimal(sorted[sorted.count / 2])
    }
}

extension Encoding {
    /// The codec, with the depth it keeps.
    var codecName: String { ["alac", "flac"].contains(data) ? "\(data), \(source.bits) bits" : data }
    var name: String { "\(codecName) in \(container)" }
}
