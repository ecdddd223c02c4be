// SPDX-License-Identifier: MIT

import Foundation

/// A code block of the README or of an article.
struct CodeBlock: Hashable {
    /// The name of its file, without the folder.
    var file: String
    /// The module whose samples it is quoted from.
    var module: String
    /// The language of the fence; empty for the README's commands.
    var language: String
    var text: String

    /// The lines of a command block, without continuations and comments.
    var commands: [String] {
        text.replacing("\\\n", with: " ").split(separator: "\n").map(String.init).filter {
            !$0.hasPrefix("#")
        }
    }

    var programs: Set<String> { Set(commands.compactMap { $0.split(separator: " ").first.map(String.init) }) }

    private static func all(in file: String, of module: String, _ text: String) -> [CodeBlock] {
        text.matches(of: /(?m)^```(\w*)\n((?s:.*?))^```$/).map {
            CodeBlock(
                file: file, module: module, language: String($0.output.1), text: String($0.output.2))
        }
    }

    /// All blocks of the README and of the catalogues.
    static func all() throws -> [CodeBlock] {
        let readme = try String(contentsOfFile: "\(InstalledToolbox.root)/README.md", encoding: .utf8)
        return try all(in: "README", of: "AVFAudio", readme)
            + Article.all().flatMap { all(in: $0.name, of: $0.module, $0.text) }
    }
}
