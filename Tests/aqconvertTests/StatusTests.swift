// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("The exit status of aqconvert")
struct StatusTests {
    private let conversions: ConversionTests
    private var folder: ScratchFolder { conversions.folder }

    init() throws {
        conversions = try ConversionTests()
        _ = try conversions.writeWave("in.wav", frames: 100)
    }

    @Test("is 74 if a file cannot be created or written")
    func unwritable() throws {
        _ = try conversions.writeWave("out.wav", frames: 100)
        try FileManager.default.createDirectory(
            atPath: folder.file("folder.wav"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("circle.wav"), withDestinationPath: "circle.wav")
        for output in ["out.wav", "nowhere/out.wav", "circle.wav"] {
            expectEqual(
                ConvertTool.run([folder.file("in.wav"), folder.file(output)]), .inputOutput, "\(output)")
        }
        // The file is written into it, once the file type is given.
        expectEqual(ConvertTool.run([folder.file("in.wav"), folder.file("folder.wav")]), .usage)
    }

    @Test("is 1 if a file cannot be read or converted")
    func failed() throws {
        expectEqual(ConvertTool.run([folder.file("none.wav"), folder.file("out.wav")]), .failure)
        expectEqual(ConvertTool.run(["-c64", folder.file("in.wav"), folder.file("out.flac")]), .failure)
    }

    @Test("is 64 if no file could be converted that way")
    func usage() throws {
        let (input, output) = (folder.file("in.wav"), folder.file("out.wav"))
        expectEqual(ConvertTool.run(["-d", "aac", input, output]), .usage)
        expectEqual(ConvertTool.run(["-f", "caf", "-O", folder.path, input, input]), .usage)
        expectEqual(ConvertTool.run(["-b", "128", input, output]), .usage)
        expectEqual(ConvertTool.run(["-b", "128", input, folder.file("out.flac")]), .usage)
        expectEqual(ConvertTool.run(["-b", "128", "-d", "alac", input, folder.file("out.m4a")]), .usage)
        expectEqual(folder.names, ["in.wav"])
    }
}
