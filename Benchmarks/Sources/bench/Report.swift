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
        let plots = ReportPlots(record)
        let texts = [
            ("table.md", ReportTables(record).text), ("summary.md", summary.isEmpty ? nil : summary),
            ("summary.svg", plots.summary?.text),
        ]
        for (name, text) in texts + plots.all {
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
