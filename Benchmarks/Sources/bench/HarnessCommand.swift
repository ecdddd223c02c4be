import BenchKit
import Foundation
import SoundHarness

/// What other programs print.
enum HarnessCommand {
    /// - Throws: ``BenchError`` when it fails.
    static func output(_ program: String, _ arguments: [String]) throws -> String {
        let result = try ChildProcess.run(program, arguments)
        guard result.exitStatus == 0 else { throw BenchError("\(program) failed: \(result.standardError)") }
        return result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
