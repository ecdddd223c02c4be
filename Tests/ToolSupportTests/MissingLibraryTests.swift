// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

/// Tools whose loader finds an empty file in place of a library that is loaded when needed.
@Suite("Without a library, a tool")
struct MissingLibraryTests {
    struct Use: Sendable, CustomTestStringConvertible {
        /// The beginning of the library's file name.
        var library: String
        var package: String
        var tool: String
        var arguments: [String]

        var testDescription: String { "\(tool) \(arguments.joined(separator: " "))" }
    }

    private static let uses = [
        Use(
            library: "libavcodec.so.", package: "libavcodec", tool: "aqconvert",
            arguments: ["-d", "alac", "tune.wav", "OUT.m4a"]),
        Use(
            library: "libavcodec.so.", package: "libavcodec", tool: "aqrecord",
            arguments: ["-q", "-d", "virtual", "--seconds=1", "--m4a=OUT.m4a"]),
        Use(
            library: "libsoxr.so.", package: "libsoxr0", tool: "aqconvert",
            arguments: ["-d", "@22050", "tune.wav", "OUT.wav"]),
        Use(
            library: "libSoundTouch.so.", package: "libsoundtouch1", tool: "aqplay",
            arguments: ["-q", "-d", "virtual", "--speed=2", "tune.wav"]),
        Use(
            library: "libebur128.so.", package: "libebur128-1", tool: "aqinfo",
            arguments: ["--loudness", "tune.wav"]),
        Use(
            library: "libpng16.so.", package: "libpng16-16", tool: "aqinfo",
            arguments: ["--waveform=OUT.png", "tune.wav"]),
        Use(
            library: "libcurl", package: "libcurl4", tool: "aqinfo",
            arguments: ["http://127.0.0.1:1/song.mp3"]),
        Use(
            library: "libcurl", package: "libcurl4", tool: "aqplay",
            arguments: ["-q", "-d", "virtual", "http://127.0.0.1:1/song.mp3"]),
    ]

    /// The file names by which the libraries may be loaded.
    private static let files = [
        "libavcodec.so.57", "libavcodec.so.58", "libavcodec.so.59", "libavcodec.so.60", "libavcodec.so.61",
        "libavcodec.so.62", "libsoxr.so.0", "libSoundTouch.so.1", "libebur128.so.1", "libpng16.so.16",
        "libcurl.so.4", "libcurl-gnutls.so.4",
    ]

    @Test("starts, fails at the function that needs it, and names the package to install", arguments: uses)
    func missing(use: Use) throws {
        let folder = ScratchFolder()
        for file in Self.files where file.hasPrefix(use.library) { try folder.write([], to: file) }
        let arguments = use.arguments.map {
            $0.replacing("OUT", with: folder.file("out")).replacing(
                "tune.wav", with: ToolPaths.fixture("tune.wav"))
        }
        let result = try ChildProcess.run(
            try ToolPaths.tool(use.tool), arguments, environment: ["LD_LIBRARY_PATH": folder.path])
        #expect(result.exitStatus == 1)
        #expect(result.standardError.contains("type: apt install \(use.package)"), "\(result.standardError)")
        // One line for each file, and no file is left.
        #expect(result.standardError.split(separator: "\n").count == 1, "\(result.standardError)")
        #expect(access(folder.file("out.m4a"), F_OK) != 0 && access(folder.file("out.wav"), F_OK) != 0)
    }

    @Test("does what does not need it", arguments: Set(uses.map(\.library)).sorted())
    func unneeded(library: String) throws {
        let folder = ScratchFolder()
        for file in Self.files where file.hasPrefix(library) { try folder.write([], to: file) }
        for tool in InstalledTools.names {
            let result = try ChildProcess.run(
                try ToolPaths.tool(tool), ["--version"], environment: ["LD_LIBRARY_PATH": folder.path])
            #expect(result.exitStatus == 0, "\(tool): \(result.standardError)")
        }
    }
}
