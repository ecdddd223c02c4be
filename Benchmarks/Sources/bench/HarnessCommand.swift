// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// Runs other programs for their output.
enum HarnessCommand {
    /// Returns the standard output of a program without surrounding whitespace.
    ///
    /// - Throws: ``BenchError`` if the program fails.
    static func output(_ program: String, _ arguments: [String]) throws -> String {
        let result = try ChildProcess.run(program, arguments)
        guard result.exitStatus == 0 else { throw BenchError("\(program) failed: \(result.standardError)") }
        return result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
