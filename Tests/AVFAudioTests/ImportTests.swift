// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQTestSupport
import AQTestTraits
import Testing

/// Type checks programs that import the modules in every combination. One start of the compiler checks all of them: names
/// are looked up by the imports of a file, and with `MemberImportVisibility` so are members.
@Suite("Imports", .waiting, .timeLimit(.minutes(20))) struct ImportTests {
    private static let modules = [
        "AVFoundation", "AVFAudio", "AudioToolbox", "CoreMedia", "CoreAudio", "Foundation", "CoreFoundation",
    ]

    /// Every combination that has a module of this package.
    private static let combinations: [[String]] = (1..<1 << modules.count).map { bits in
        modules.indices.filter { bits >> $0 & 1 == 1 }.map { modules[$0] }
    }.filter { !$0.allSatisfy { $0.hasSuffix("Foundation") && $0 != "AVFoundation" } }

    /// Others, which programs are seen to have.
    private static let others: [[String]] = [
        ["Glibc", "AVFoundation"], ["Glibc", "CoreFoundation", "AudioToolbox"],
        ["Dispatch", "AVFAudio", "os"],
        ["AudioUnit"], ["AudioUnit", "CoreFoundation"], ["OSLog", "AVFoundation", "CoreFoundation"],
        ["os.log", "CoreAudioTypes", "AVFoundation"], ["CoreFoundation", "AVFoundation"],
        ["struct Foundation.URL", "AVFoundation", "CoreFoundation"],
        [
            "typealias AudioToolbox.CFURL", "typealias AudioToolbox.CFString", "AVFoundation",
            "CoreFoundation",
        ],
        ["class AVFoundation.AVAudioPlayer", "AudioToolbox", "CoreFoundation"],
    ]

    private let folder = ScratchFolder()

    /// Type checks sources as one module against the modules of this build.
    ///
    /// - Returns: The lines with errors.
    private func errors(in sources: [String], languageMode: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        var arguments = [
            "-typecheck", "-parse-as-library", "-wmo", "-swift-version", languageMode, "-module-name",
            "Client",
            "-enable-upcoming-feature", "MemberImportVisibility", "-module-cache-path", folder.file("cache"),
            "-I", "\(ToolPaths.binaryFolder)/Modules",
        ]
        // The modules of C are found by the maps in the sources; system libraries add folders of headers.
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(root)/Sources").sorted() {
            let target = "\(root)/Sources/\(name)"
            let isPublished = FileManager.default.fileExists(atPath: "\(target)/include/module.modulemap")
            let map = isPublished ? "\(target)/include/module.modulemap" : "\(target)/module.modulemap"
            guard FileManager.default.fileExists(atPath: map) else { continue }
            arguments += ["-Xcc", "-fmodule-map-file=\(map)"]
            if isPublished { arguments += ["-I", "\(target)/include"] }
        }
        let libraries = ["libpulse", "sndfile", "flac", "vorbisenc", "opus", "libmpg123", "libpng"]
        for library in libraries {
            let flags = try ChildProcess.run("pkg-config", ["--cflags-only-I", library], deadlineSeconds: 60)
            for flag in flags.standardOutput.split(whereSeparator: \.isWhitespace) {
                arguments += ["-Xcc", String(flag)]
            }
        }
        for (number, source) in sources.enumerated() {
            let path = folder.file("file\(number).swift")
            try source.write(toFile: path, atomically: false, encoding: .utf8)
            arguments.append(path)
        }
        let result = try ChildProcess.run("swiftc", arguments, deadlineSeconds: 240)
        let lines = (result.standardError + result.standardOutput).split(separator: "\n").map(String.init)
        if result.exitStatus == 0 { return [] }
        let found = lines.filter { $0.contains(": error: ") }
        return found.isEmpty ? lines : found
    }

    @Test("common idioms compile with every combination of modules", arguments: ["5", "6"])
    func idioms(languageMode: String) throws {
        let all = Self.combinations + Self.others
        expectEqual(Self.combinations.count, 124)
        let sources = all.enumerated().map { number, modules in
            modules.map { "import \($0)\n" }.joined()
                + ImportIdioms.text.replacing("NUMBER", with: String(number))
        }
        let errors = try errors(in: sources, languageMode: languageMode)
        #expect(errors.isEmpty, "\(errors.prefix(20).joined(separator: "\n"))")
    }

    @Test("messages and the names of Foundation come with os and OSLog", arguments: ["5", "6"])
    func messages(languageMode: String) throws {
        let log = """
            let log1 = OSLog(subsystem: "a", category: "b")
            func write1(_ time: AVAudioTime) {
                os_log("at %@", log: log1, type: .info, time)
                Logger(subsystem: "a", category: "b").info("text")
            }
            """
        let text = """
            import OSLog

            func write2() { Logger().notice("\\(URL(fileURLWithPath: "/")) \\(Date())") }
            """
        let sources = ["import os.log\nimport AVFoundation\n" + log, text]
        let errors = try errors(in: sources, languageMode: languageMode)
        #expect(errors.isEmpty, "\(errors.prefix(20).joined(separator: "\n"))")
    }

    @Test("each product for Swift programs has all modules that they import") func products() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let result = try ChildProcess.run(
            "swift",
            ["package", "--package-path", root, "--scratch-path", folder.file("scratch"), "dump-package"],
            deadlineSeconds: 120)
        struct Package: Decodable {
            struct Product: Decodable {
                var name: String
                var targets: [String]
            }
            var products: [Product]
        }
        let package = try JSONDecoder().decode(Package.self, from: Data(result.standardOutput.utf8))
        // Modules without which an import would find the empty module of a module map.
        let modules: Set = [
            "AVFAudio", "AVFoundation", "AudioToolbox", "AudioUnit", "CoreAudio", "CoreAudioTypes",
            "CoreMedia",
            "OSLog", "os",
        ]
        for name in ["AVFoundation", "AudioToolbox"] {
            let product = try #require(package.products.first { $0.name == name })
            expectEqual(Set(product.targets), modules, "\(name)")
        }
    }
}
