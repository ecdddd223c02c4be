// SPDX-License-Identifier: MIT

import Foundation

struct Article {
    /// Code that an article quotes from a sample program.
    struct Excerpt {
        var program: String
        var code: String
    }

    /// The module whose catalogue contains it.
    var module: String
    /// As used in links.
    var name: String
    var text: String

    /// The code blocks after a line that ends with a program's name and a colon.
    var excerpts: [Excerpt] {
        var excerpts: [Excerpt] = []
        var announced: String?
        var block: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block, let announced {
                    excerpts.append(Excerpt(program: announced, code: block.joined(separator: "\n")))
                }
                if block != nil { announced = nil }
                block = block == nil ? [] : nil
            } else if block != nil {
                block?.append(line)
            } else if !line.isEmpty {
                announced = line.firstMatch(of: /`(\w+\.(?:c|swift))`:$/).map { String($0.output.1) }
            }
        }
        return excerpts
    }

    var links: [String] { text.matches(of: /<doc:([\w\-]+)>/).map { String($0.output.1) } }

    /// The names in it with the prefixes of the published interface.
    var publishedNames: [String] {
        text.matches(of: /`(k?(?:(?:Ext)?Audio|CM)\w*)/).map { String($0.output.1) }
    }
}

extension Article {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let sources = root.appending(path: "Sources")
    static let samples = sources.appending(path: "AudioToolboxSamples")
    static let classSamples = sources.appending(path: "AVFAudioSamples")

    static let modules = ["AudioQueues", "AudioToolbox"]

    static func all() throws -> [Article] { try modules.flatMap(all(of:)) }

    static func all(of module: String) throws -> [Article] {
        let catalogue = sources.appending(path: "\(module)/\(module).docc").path(percentEncoded: false)
        return try FileManager.default.subpathsOfDirectory(atPath: catalogue)
            .filter { $0.hasSuffix(".md") }
            .map { path in
                Article(
                    module: module,
                    name: URL(filePath: path).deletingPathExtension().lastPathComponent,
                    text: try String(contentsOfFile: "\(catalogue)/\(path)", encoding: .utf8))
            }
    }

    static func named(_ name: String) throws -> Article? { try all().first { $0.name == name } }
}
