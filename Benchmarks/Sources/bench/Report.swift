import BenchKit
import Foundation

/// Writes a record down: JSON, Markdown tables, plots.
struct Report {
    let record: Record

    init(_ record: Record) { self.record = record }

    func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func write(_ data: Data, _ name: String) throws {
            // Whole or not at all: a run of an hour is not lost to a signal at the wrong moment.
            try data.write(to: URL(fileURLWithPath: "\(folder)/\(name)"), options: .atomic)
        }
        try write(record.encoded(), "record.json")
        try write(Data(ReportTables(record).text.utf8), "table.md")
        let summary = ReportSummary(record).text
        if !summary.isEmpty { try write(Data(summary.utf8), "summary.md") }
        if let plot = ReportPlots(record).summary { try write(Data(plot.text.utf8), "summary.svg") }
        for (name, text) in ReportPlots(record).all { try write(Data(text.utf8), "\(name).svg") }
    }
}
