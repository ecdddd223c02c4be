// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS && HAVE_MPEG_AUDIO
import AQExpectations
import AQFiles
import CoreAudioTypes
import Foundation
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("Damage in converted files")
struct ConversionDamageTests {
    private let conversions: ConversionTests
    private var folder: ScratchFolder { conversions.folder }

    init() throws { conversions = try ConversionTests() }

    /// A file whose packet 5 is zeros, like a bad sector.
    private func writeDamaged(_ codec: String, in container: String) throws -> String {
        _ = try conversions.writeWave("in.wav", frames: 44_100)
        let name = "damaged.\(container)"
        try #require(ConvertTool.run(["-d", codec, folder.file("in.wav"), folder.file(name)]) == .success)
        let file = try AudioFile.open(path: folder.file(name))
        let start = Int(try #require(try file.byteOffset(ofPacket: 5)))
        let end = Int(try #require(try file.byteOffset(ofPacket: 6)))
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.file(name))))
        for place in start..<end { bytes[place] = 0 }
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
        return name
    }

    @Test(
        "packets that became silence are a warning, and with --strict an error that keeps the old output",
        arguments: [("alac", "m4a"), ("alac", "caf"), ("aac", "m4a"), ("aac", "caf"), ("mp3", "caf")])
    func lostPackets(codec: String, container: String) throws {
        let name = try writeDamaged(codec, in: container)
        try expectEqual(
            folder.warnings(name, "out.wav"), ["1 packet is damaged and was replaced by silence"])
        let before = try Data(contentsOf: URL(filePath: folder.file("out.wav")))
        let strict = ["--quiet", "--strict", "-y"]
        expectEqual(ConvertTool.run(strict + [folder.file(name), folder.file("out.wav")]), .failure)
        try expectEqual(Data(contentsOf: URL(filePath: folder.file("out.wav"))), before)
        expectEqual(folder.names, [name, "in.wav", "out.wav"].sorted())
        expectEqual(ConvertTool.run(strict + [folder.file("in.wav"), folder.file("out.wav")]), .success)
    }

    @Test("a copy of packets equals its source, including damage, without a warning")
    func copies() throws {
        let name = try writeDamaged("alac", in: "m4a")
        try expectEqual(folder.warnings("--strict", name, "copy.caf"), [])
        try expectEqual(folder.warnings(name, "a.wav"), folder.warnings("copy.caf", "b.wav"))
        try expectEqual(
            Data(contentsOf: URL(filePath: folder.file("a.wav"))),
            Data(contentsOf: URL(filePath: folder.file("b.wav"))))
    }

    @Test("a header that contradicts the audio is a warning, and with --strict an error")
    func cutFile() throws {
        _ = try conversions.writeWave("in.wav", frames: 44_100)
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.wav")))
        bytes.removeLast(10_000)
        try bytes.write(to: URL(filePath: folder.file("in.wav")))
        try expectEqual(folder.warnings("in.wav", "out.caf").count, 1)
        expectEqual(
            ConvertTool.run(["--strict", folder.file("in.wav"), folder.file("strict.caf")]), .failure)
        expectEqual(folder.names, ["in.wav", "out.caf"])
    }

    @Test(
        "packets without bytes end the conversion before their silence exceeds the audio",
        arguments: [("alac", 4096), ("aac ", 1024), (".mp3", 1152)])
    func emptyPackets(codec: String, frames: Int) throws {
        var writer = CAFBytes(codec: codec, framesPerPacket: frames)
        writer.packets = 20_000
        try Data(writer.bytes).write(to: URL(filePath: folder.file("in.caf")))
        expectEqual(ConvertTool.run([folder.file("in.caf"), folder.file("out.wav")]), .failure)
        expectEqual(folder.names, ["in.caf"])
        // A few are allowed.
        writer.packets = 100
        try Data(writer.bytes).write(to: URL(filePath: folder.file("in.caf")))
        try expectEqual(
            folder.warnings("in.caf", "out.wav"), ["100 packets are damaged and were replaced by silence"])
    }
}

/// A CAF file of packets without bytes.
private struct CAFBytes {
    var codec: String
    var framesPerPacket: Int
    var packets = 0

    var bytes: [UInt8] {
        func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
            Array(type.utf8) + big(Int64(contents.count)) + contents
        }
        let rate = big((44_100.0).bitPattern)
        let flags: UInt32 = codec == "alac" ? 1 : 0
        let description =
            rate + Array(codec.utf8) + big(flags) + big(UInt32(0))
            + big(UInt32(framesPerPacket))
            + big(UInt32(2)) + big(UInt32(0))
        let table =
            big(Int64(packets)) + big(Int64(packets * framesPerPacket)) + big(Int32(0))
            + big(Int32(0))
            + [UInt8](repeating: 0, count: packets)
        return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("pakt", table)
            + chunk("data", [0, 0, 0, 0])
    }
}
#endif
