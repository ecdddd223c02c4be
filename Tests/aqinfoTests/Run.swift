// SPDX-License-Identifier: MIT

import AQFiles
import Foundation
import Synchronization
import AQToolSupport

@testable import aqinfo

/// One run of the tool with its output.
struct Run {
    let status: ExitStatus
    let output: String
    let imageBytes: [UInt8]
    let complaints: [String]

    /// - Parameters:
    ///   - outputFailure: The `errno` that writing to standard output gives.
    init(
        _ arguments: [String], columns: Int = 80, isUTF8: Bool = false, outputFailure: Int32 = 0
    ) {
        self.init(
            arguments.map { FilePath($0) }, columns: columns, isUTF8: isUTF8, outputFailure: outputFailure)
    }

    init(
        _ arguments: [FilePath], columns: Int = 80, isUTF8: Bool = false, outputFailure: Int32 = 0
    ) {
        var output = ""
        var image: [UInt8] = []
        let complaints = Mutex<[String]>([])
        let surroundings = Surroundings(
            write: { text in
                output += text
                return outputFailure
            },
            writeBytes: { bytes in
                image += bytes
                return outputFailure
            },
            complain: { complaint in complaints.withLock { $0.append(complaint) } }, columns: columns,
            isUTF8: isUTF8)
        status = InfoTool.run(arguments, surroundings)
        (self.output, imageBytes, self.complaints) = (output, image, complaints.withLock { $0 })
    }

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// The text after a name in the report, or nil.
    func field(_ name: String) -> String? {
        lines.first { $0.hasPrefix("  \(name) ") }
            .map { $0.dropFirst(2 + name.count).trimmingCharacters(in: .whitespaces) }
    }

    func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(output.utf8)) }

    func jsonObject() throws -> [String: Any] { try json() as? [String: Any] ?? [:] }
}
