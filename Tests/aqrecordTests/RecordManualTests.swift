// SPDX-License-Identifier: MIT

import AQFiles
import Testing
import AQToolSupport

@testable import aqrecord

@Suite("The manual of aqrecord")
struct RecordManualTests {
    @Test("has examples that the tool accepts", arguments: RecordOptions.manual.examples)
    func examples(example: Manual.Example) throws {
        let command = example.command.split(separator: "|").map {
            $0.split(separator: " ").map { FilePath(String($0)) }
        }
        .first { $0.first == "aqrecord" }
        _ = try RecordOptions.parse(try #require(command?.dropFirst().map { $0 }))
    }

    @Test("offers only values that the tool accepts")
    func words() throws {
        for option in RecordOptions.parser.groups.flatMap(\.options) {
            guard case .words(let words) = option.kind else { continue }
            for word in words {
                // Not every file type can contain every codec.
                let isAccepted = AudioFileType.allCases.compactMap(\.pathExtensions.first).contains { name in
                    let arguments = ["--\(option.long)=\(word.text)"] + ["a.\(name)"]
                    return (try? RecordOptions.parse(arguments.map { FilePath($0) })) != nil
                }
                #expect(isAccepted, "--\(option.long)=\(word.text)")
            }
        }
    }
}
