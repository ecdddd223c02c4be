// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQFiles
import CoreAudioTypes
import Foundation
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("Converting into pipes")
struct PipedConversionTests {
    private let conversions: ConversionTests
    private var folder: ScratchFolder { conversions.folder }

    init() throws { conversions = try ConversionTests() }

    /// Converts into a pipe, and saves its output.
    private func pipe(_ input: String, to name: String) throws -> AudioFile {
        let path = folder.file("pipe.\(name)")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        // With both ends open, opening does not wait; the pipe holds everything written here.
        let reader = unsafe open(path, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        try #require(fcntl(reader, 1031, 1 << 20) >= 1 << 20)
        expectEqual(ConvertTool.run([folder.file(input), path]), .success)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
        try Data(bytes.prefix(max(0, count))).write(to: URL(fileURLWithPath: folder.file(name)))
        return try AudioFile.open(path: folder.file(name))
    }

    @Test(
        "AAC is as long as the encoded audio",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable, "no AAC encoder is installed"
        ))
    func advancedAudioCoding() throws {
        _ = try conversions.writeWave("in.wav", frames: 50_000)
        try expectEqual(pipe("in.wav", to: "out.m4a").frameCount, 50_000)
        try expectEqual(conversions.read("out.m4a").samples.count, 100_000)
    }

    @Test("a copied MP3 has its trims")
    func gapless() throws {
        _ = try conversions.writeWave("in.wav", frames: 50_000)
        expectEqual(conversions.convert("in.wav", "in.mp3"), 0)
        let table = try #require(try AudioFile.open(path: folder.file("in.mp3")).packetTable)
        try expectEqual(pipe("in.mp3", to: "out.mp3").packetTable, table)
    }

    @Test("MP3 that is encoded into a pipe lacks its length, which is reported")
    func encoded() throws {
        _ = try conversions.writeWave("in.wav", frames: 50_000)
        let path = folder.file("pipe.mp3")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let reader = unsafe open(path, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        let reported = try #require(try warnings("in.wav", path).first)
        #expect(reported.hasPrefix("MP3 in a pipe cannot state its valid frames"))
        try expectEqual(warnings("in.wav", folder.file("out.mp3")), [])
        // A file with the trims is copied completely.
        try expectEqual(warnings("out.mp3", path), [])
    }

    private func warnings(_ input: String, _ output: String) throws -> [String] {
        guard case .convert(let options) = try ConvertOptions.parse([folder.file(input), output]) else {
            return []
        }
        return try Conversion(
            input: FilePath(folder.file(input)), output: FilePath(output), type: .mp3, options: options,
            isCancelled: { false }
        ).run().warnings
    }
}
