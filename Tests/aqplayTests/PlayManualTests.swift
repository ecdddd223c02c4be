// SPDX-License-Identifier: MIT

import AQFiles
import Testing
import AQToolSupport

@testable import aqplay

@Suite("The manual of aqplay")
struct PlayManualTests {
    @Test("has examples that the tool accepts", arguments: PlayOptions.manual.examples)
    func examples(example: Manual.Example) throws {
        let command = example.command.split(separator: "|").map {
            $0.split(separator: " ").map { FilePath(String($0)) }
        }
        .first { $0.first == "aqplay" }
        _ = try PlayOptions.parse(try #require(command?.dropFirst().map { $0 }))
    }

    @Test("offers only values that the tool accepts")
    func words() throws {
        for option in PlayOptions.parser.groups.flatMap(\.options) {
            guard case .words(let words) = option.kind else { continue }
            for word in words {
                #expect(throws: Never.self, "--\(option.long)=\(word.text)") {
                    try PlayOptions.parse(["--\(option.long)=\(word.text)"].map { FilePath($0) } + ["a.wav"])
                }
            }
        }
    }
}
