// SPDX-License-Identifier: MIT

import BenchKit
import Foundation

/// Writes the record and its report: JSON, Markdown tables and plots.
struct Report {
    let record: Record

    init(_ record: Record) { self.record = record }

    /// Writes all files, each atomically, so that a signal does not destroy the results of a long run. Files of an
    /// earlier record are removed if this record has no data for them.
    func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write(record.encoded(), to: "\(folder)/record.json")
        let summary = ReportSummary(record).text
        try write(
            [("table.md", ReportTables(record).text), ("summary.md", summary.isEmpty ? nil : summary)],
            to: folder)
        try writePlots(to: folder)
    }

    /// Writes only the plots.
    func writePlots(to folder: String) throws {
        let plots = ReportPlots(record)
        try write([("summary.svg", plots.summary?.text)] + plots.all, to: folder)
    }

    private func write(_ files: [(name: String, text: String?)], to folder: String) throws {
        for (name, text) in files {
            let path = "\(folder)/\(name)"
            if let text {
                try write(Data(text.utf8), to: path)
            } else if FileManager.default.fileExists(atPath: path) {
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }

    private func write(_ data: Data, to path: String) throws {
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
