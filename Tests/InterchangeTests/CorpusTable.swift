// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness
import Synchronization

/// Collects the results of a corpus's files, and writes them as a Markdown table after each row.
final class CorpusTable: Sendable {
    static let shared = CorpusTable()

    private let verdicts = Mutex<[String: CorpusVerdict]>([:])

    /// Adds a row; the file is named by `AQ_CORPUS_TABLE`.
    func add(_ verdict: CorpusVerdict) throws {
        try verdicts.withLock { verdicts in
            verdicts[verdict.row.name] = verdict
            guard let path = Environment.value("AQ_CORPUS_TABLE") else { return }
            var lines = [
                "| File | Kind | Frames, manifest | Frames, here | Samples | Warnings | Verdict |",
                "| --- | --- | --- | --- | --- | --- | --- |",
            ]
            for row in CorpusManifest.rows {
                guard let verdict = verdicts[row.name] else { continue }
                let cells = [
                    row.name, "\(row["container"]) \(row["codec"])",
                    row["frames"].isEmpty ? row["frames_source"] : row["frames"],
                    verdict.frames.map(String.init) ?? "–", verdict.finding,
                    verdict.warnings.joined(separator: "; "),
                    verdict.failures.isEmpty ? "right" : "WRONG: " + verdict.failures.joined(separator: "; "),
                ]
                lines.append(
                    "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
            }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
        }
    }
}
