// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("Converting folders")
struct FolderTests {
    private let conversions: ConversionTests
    private var folder: ScratchFolder { conversions.folder }

    init() throws {
        conversions = try ConversionTests()
        for name in ["in", "in/disc 1", "in/disc 1/.hidden", "in/empty"] { try make(name) }
        _ = try conversions.writeWave("in/a.wav", frames: 100)
        _ = try conversions.writeWave("in/disc 1/a.wav", frames: 200)
        _ = try conversions.writeWave("in/disc 1/.hidden/b.wav", frames: 200)
        try Data("text".utf8).write(to: URL(fileURLWithPath: folder.file("in/cover.jpg")))
    }

    private func make(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file(name), withIntermediateDirectories: false)
    }

    private var allNames: [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).sorted()
    }

    private func made(in output: String) -> [String] { allNames.filter { $0.hasPrefix(output) } }

    private func run(_ arguments: String...) -> Int32 { ConvertTool.run(arguments).rawValue }

    @Test("all audio files below a folder are converted, into the same folders")
    func recursion() throws {
        expectEqual(run("--quiet", "-f", "caf", folder.file("in"), "-O", folder.file("new/out")), 0)
        expectEqual(
            made(in: "new"), ["new", "new/out", "new/out/a.caf", "new/out/disc 1", "new/out/disc 1/a.caf"])
        try expectEqual(conversions.read("new/out/disc 1/a.caf").samples.count, 400)
    }

    @Test("an output below the input is not converted again, and circular links end")
    func outputInside() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("in/disc 1/up"), withDestinationPath: "..")
        for _ in 0..<2 {
            expectEqual(run("-y", "--quiet", "-f", "wav", folder.file("in"), "-O", folder.file("in/out")), 0)
        }
        expectEqual(
            made(in: "in/out").filter { $0.hasSuffix("wav") }, ["in/out/a.wav", "in/out/disc 1/a.wav"])
    }

    @Test("a folder without audio is an error, and files beside folders are converted")
    func mixed() throws {
        expectEqual(run("--quiet", "-f", "caf", folder.file("in/empty"), "-O", folder.file("out")), 1)
        #expect(made(in: "out").isEmpty)
        _ = try conversions.writeWave("b.wav", frames: 100)
        expectEqual(
            run("--quiet", "-f", "caf", folder.file("b.wav"), folder.file("in"), "-O", folder.file("out")), 0)
        expectEqual(made(in: "out/"), ["out/a.caf", "out/b.caf", "out/disc 1", "out/disc 1/a.caf"])
        expectEqual(run("--quiet", "-f", "caf", folder.file("in"), folder.file("in/disc 1"), "-O", "x"), 64)
    }

    @Test("an output that is a folder, or ends in a slash, receives the file")
    func folderAsOutput() throws {
        try make("there")
        expectEqual(run("--quiet", "-f", "caf", folder.file("in/a.wav"), folder.file("there")), 0)
        expectEqual(run("--quiet", "-f", "caf", folder.file("in/a.wav"), folder.file("there") + "/"), 74)
        expectEqual(run("--quiet", "-f", "caf", folder.file("in/a.wav"), "-o", folder.file("new") + "/"), 0)
        expectEqual(made(in: "there"), ["there", "there/a.caf"])
        expectEqual(made(in: "new"), ["new", "new/a.caf"])
    }

    @Test("no folder is made for an unreadable input, and a file instead of a folder is an error")
    func noFolder() throws {
        expectEqual(run("--quiet", "-f", "caf", folder.file("none.wav"), "-O", folder.file("new")), 1)
        #expect(made(in: "new").isEmpty)
        expectEqual(
            run("--quiet", "-f", "caf", folder.file("in/a.wav"), "-O", folder.file("in/cover.jpg")), 74)
    }
}
