import BenchKit
import Foundation

/// Writes a record down: JSON, a Markdown table, plots.
struct Report {
    let record: Record

    init(_ record: Record) { self.record = record }

    func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        try encoder.encode(record).write(to: URL(fileURLWithPath: "\(folder)/record.json"))
        try Data(ReportTables(record).text.utf8).write(to: URL(fileURLWithPath: "\(folder)/table.md"))
        for (name, plot) in ReportPlots(record).all {
            try Data(plot.text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).svg"))
        }
    }
}
