import BenchKit
import Foundation

/// Everything that was measured, as record.json holds it.
struct Record: Codable {
    struct Machine: Codable {
        var processor: String
        var cores: Int
        var kernel: String
        var date: String
        var commit: String
    }

    var machine: Machine
    var arguments: [String]
    /// The servers' own names and versions, by kind.
    var servers: [String: String] = [:]
    var outputs: [OutputResult] = []
    var scales: [ScaleResult] = []
    var inputs: [InputResult] = []
    var starts: [StartResult] = []
    var tools: [ToolResult] = []
    var conversions: [ConversionResult] = []
}

extension Record.Machine {
    /// This machine, now, at this project's commit.
    static var current: Record.Machine {
        let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
            .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
        return Record.Machine(
            processor: model ?? "unknown", cores: ProcessInfo.processInfo.activeProcessorCount,
            kernel: kernel.trimmingCharacters(in: .whitespacesAndNewlines),
            date: Date().formatted(.iso8601), commit: Self.commit)
    }

    private static var commit: String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        let answer = try? HarnessCommand.output("git", ["-C", folder, "describe", "--always", "--dirty"])
        return answer ?? "unknown"
    }
}
