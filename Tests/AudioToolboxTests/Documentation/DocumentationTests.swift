// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import Testing

/// Compares the DocC catalogues with the sources.
@Suite("The documentation")
struct DocumentationTests {
    @Test("quotes the sample programs word for word")
    func excerptsAreInThePrograms() throws {
        var quoted: Set<String> = []
        for article in try Article.all() {
            for excerpt in article.excerpts {
                quoted.insert(excerpt.program)
                let program = try String(
                    contentsOf: Article.samples.appending(path: excerpt.program), encoding: .utf8)
                #expect(
                    program.contains(excerpt.code),
                    "\(article.name) quotes \(excerpt.program) other than it is:\n\(excerpt.code)")
            }
        }
        #expect(quoted.isSuperset(of: ["player.c", "ClassicPlayer.swift", "Radio.swift"]))
    }

    @Test("describes each sample program, and none that does not exist")
    func samplesAreListed() throws {
        let article = try #require(try Article.named("SamplePrograms"))
        let listed = article.text.matches(of: /\n\| `([^`]+)` \|/).map { String($0.output.1) }
        let files = try [Article.samples, Article.classSamples].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        }
        expectEqual(listed.sorted(), files.sorted())
    }

    @Test("names only what the headers and modules of this package declare")
    func namesAreDeclared() throws {
        let headers = try [
            "CAQAudioToolbox", "CAQAudioQueueTypes", "CAQCoreAudio", "CAQCoreAudioTypes", "CAQCoreMedia",
        ]
        .map(Self.headers(of:)).joined()
        let modules = try FileManager.default.contentsOfDirectory(
            atPath: Article.sources.path(percentEncoded: false))
        let tests = try Self.testFiles()
        for article in try Article.all(of: "AudioToolbox") {
            for name in article.publishedNames where !modules.contains(name) && !tests.contains(name) {
                #expect(headers.contains(name), "\(article.name) names \(name)")
            }
        }
        #expect(headers.contains("AudioQueueNewOutput"))
    }

    @Test("is linked from its front page, and has no broken link", arguments: Article.modules)
    func linksAreWhole(module: String) throws {
        let articles = try Article.all(of: module)
        let names = Set(articles.map(\.name))
        for article in articles {
            #expect(names.isSuperset(of: article.links), "of \(article.name)")
        }
        var reached: Set = [module]
        var isComplete = false
        while !isComplete {
            let linked = reached.union(articles.filter { reached.contains($0.name) }.flatMap(\.links))
            isComplete = linked == reached
            reached = linked
        }
        expectEqual(names, reached)
    }

    @Test("has decisions of 40 lines at most") func decisionsAreShort() throws {
        let decisions = try Article.all(of: "AudioQueues").filter { $0.name.first?.isNumber == true }
        #expect(!decisions.isEmpty)
        for decision in decisions {
            #expect(decision.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 41)
        }
    }

    /// The names of the files that hold tests of the published API.
    private static func testFiles() throws -> Set<String> {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
        return Set(files.map { URL(filePath: $0).deletingPathExtension().lastPathComponent })
    }

    /// The declarations of a C module's headers, concatenated.
    private static func headers(of module: String) throws -> String {
        let folder = Article.sources.appending(path: "\(module)/include")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "h" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
            .joined()
    }
}
