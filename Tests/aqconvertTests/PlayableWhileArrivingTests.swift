// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

/// Files whose tables come before their audio, so that they can be played as they arrive.
@Suite(
    "Converting to files that can be played as they arrive",
    .enabled(
        if: CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable,
        "no ALAC encoder is installed"))
struct PlayableWhileArrivingTests {
    private let conversions: ConversionTests

    init() throws { conversions = try ConversionTests() }

    private func order(_ name: String) throws -> [String] {
        let file = try AudioFile.open(path: conversions.folder.file(name))
        #expect(file.warnings.isEmpty)
        return file.chunks.filter { $0.depth == 0 }.map(\.type.description)
    }

    private func expectTableFirst(_ name: String) throws {
        let order = try order(name)
        let table = try #require(order.firstIndex { $0 == "'pakt'" || $0 == "'moov'" })
        let sound = try #require(order.firstIndex { $0 == "'data'" || $0 == "'mdat'" })
        #expect(table < sound, "\(name): \(order)")
    }

    @Test(
        "the table comes first, for encoded audio and for copied packets",
        arguments: [("m4a", "aac"), ("m4a", "alac"), ("caf", "aac"), ("caf", "alac"), ("caf", "ima4")])
    func tableFirst(pathExtension: String, codec: String) throws {
        // Another rate has another number of packets.
        _ = try conversions.writeWave("in.wav", frames: 100_000, rate: 32_000)
        let (name, copy) = ("out.\(pathExtension)", "copy.\(codec == "ima4" ? "caf" : "m4a")")
        let steps = [["in.wav", "-d", "\(codec)@48000"], ["in.wav", "-d", codec, "--start=1", "--end=2"]]
        for arguments in steps {
            let input = conversions.folder.file(arguments[0])
            let status = ConvertTool.run(
                [input, conversions.folder.file(name), "--overwrite"] + arguments.dropFirst())
            expectEqual(status, .success)
            try expectTableFirst(name)
        }
        expectEqual(conversions.convert(name, copy, "--overwrite"), 0)
        try expectTableFirst(copy)
        try expectEqual(conversions.read(copy).samples, conversions.read(name).samples)
    }
}
