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
        try encoder.encode(record).write(to: URL(fileURLWithPath: "\(folder)/record.json"))
    }
}
