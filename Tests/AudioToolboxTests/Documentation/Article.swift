import Foundation

/// An article of the DocC catalogue.
struct Article {
    /// Code that an article quotes from a sample program.
    struct Excerpt {
        var program: String
        var code: String
    }

    /// As in links to it.
    var name: String
    var text: String

    /// The code blocks that are announced by a line which ends with the name of a program and a colon.
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

    /// The articles that it links to.
    var links: [String] { text.matches(of: /<doc:(\w+)>/).map { String($0.output.1) } }

    /// What it tells of under names that begin as those of the published interface do.
    var publishedNames: [String] {
        text.matches(of: /`(k?(?:Ext)?Audio\w*)/).map { String($0.output.1) }
    }
}

extension Article {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The package's sources.
    static let sources = root.appending(path: "Sources")
    static let samples = sources.appending(path: "AudioToolboxSamples")

    /// All articles of the catalogue.
    static func all() throws -> [Article] {
        let catalogue = sources.appending(path: "AudioToolbox/AudioToolbox.docc")
        return try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
            .map { url in
                Article(
                    name: url.deletingPathExtension().lastPathComponent,
                    text: try String(contentsOf: url, encoding: .utf8))
            }
    }

    static func named(_ name: String) throws -> Article? { try all().first { $0.name == name } }
}
