// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import Testing
import AQTestSupport

/// The printed programs and settings of the README and the articles. Commands are run by `CommandSoundTests`, and
/// samples by their own tests.
@Suite("Printed programs", .timeLimit(.minutes(20))) struct CodeBlockTests {
    @Test("are quoted from samples or run as printed, all of them") func complete() throws {
        for block in try CodeBlock.all() {
            let isTested: Bool =
                switch block.language {
                case "shell", "": true
                case "make", "cmake": block.file == "Porting"
                case "swift", "c":
                    try isQuoted(block) || Self.isManifest(block)
                default: false
                }
            #expect(isTested, "no test runs this, in \(block.file):\n\(block.text)")
        }
    }

    /// Whether it is part of a sample program; the samples of AudioQueues are quoted completely.
    private func isQuoted(_ block: CodeBlock) throws -> Bool {
        let path = "\(InstalledToolbox.root)/Sources/\(block.module)Samples"
        return try FileManager.default.contentsOfDirectory(atPath: path).contains { file in
            let program = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
                .replacing("// SPDX-License-Identifier: MIT\n\n", with: "")
            return block.module == "AudioQueues" ? program == block.text : program.contains(block.text)
        }
    }

    private static func isManifest(_ block: CodeBlock) -> Bool {
        block.text.contains(".package(name:") || block.text.contains(".package(url:")
    }

    @Test("are manifests with which SwiftPM finds the products, in a checkout of any name") func manifests()
        throws
    {
        let blocks = try CodeBlock.all().filter(Self.isManifest)
        expectEqual(blocks.count, 4)
        for block in blocks {
            let client = try ClientPackage(manifest: block.text)
            let description = try client.package("dump-package")
            #expect(description.contains("\"\(block.module)\""), "\(block.file)")
            // Loads the graph, in which every product must be found. An address cannot be read here.
            if !block.text.contains(".package(url:") { try client.package("show-dependencies") }
        }
    }

    @Test("build a client, in a checkout of any name") func client() throws {
        // The smallest product, since the others take minutes.
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "client",
                dependencies: [.package(name: "AudioQueueServices", path: "../AudioQueueServices")],
                targets: [
                    .executableTarget(
                        name: "client",
                        dependencies: [.product(name: "AQRoundTripAnalysis", package: "AudioQueueServices")])
                ]
            )

            """
        let client = try ClientPackage(manifest: manifest)
        try InstalledToolbox.output(of: "swift", ["build", "--package-path", client.path])
    }

    @Test("are rules of make that build a program") func make() throws {
        let toolbox = try InstalledToolbox.shared.get()
        let folder = try Self.playerFolder("make", of: toolbox)
        let rules = try #require(try CodeBlock.all().first { $0.file == "Porting" && $0.language == "make" })
        try rules.text.write(toFile: "\(folder)/Makefile", atomically: true, encoding: .utf8)
        try InstalledToolbox.output(
            of: "make", ["-s", "-C", folder, "player"], environment: toolbox.buildEnvironment)
        try expectEqual(ChildProcess.run("\(folder)/player").exitStatus, 64)
    }

    @Test(
        "are rules of CMake that build a program",
        .enabled(if: ToolPaths.isInPath("cmake"), "CMake is not installed"))
    func cmake() throws {
        let toolbox = try InstalledToolbox.shared.get()
        let folder = try Self.playerFolder("cmake", of: toolbox)
        let project = try #require(
            try CodeBlock.all().first { $0.file == "Porting" && $0.language == "cmake" })
        try
            "cmake_minimum_required(VERSION 3.16)\nproject(player C)\nadd_executable(player player.c)\n\(project.text)"
            .write(toFile: "\(folder)/CMakeLists.txt", atomically: true, encoding: .utf8)
        try InstalledToolbox.output(
            of: "cmake", ["-S", folder, "-B", "\(folder)/cmake"], environment: toolbox.buildEnvironment)
        try InstalledToolbox.output(
            of: "cmake", ["--build", "\(folder)/cmake"], environment: toolbox.buildEnvironment)
    }

    /// A folder of the installed library with a player's source.
    private static func playerFolder(_ name: String, of toolbox: InstalledToolbox) throws -> String {
        let folder = "\(toolbox.prefix)/printed-\(name)"
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(InstalledToolbox.root)/Sources/AudioToolboxSamples/player.c",
            toPath: "\(folder)/player.c")
        return folder
    }
}
