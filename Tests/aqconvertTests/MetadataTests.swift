// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("Converted metadata")
struct MetadataTests {
    private let folder: ScratchFolder
    private let tags = [
        AudioFileInformation("title", "Überraschung"), AudioFileInformation("artist", "Jemand"),
        AudioFileInformation("track number", "3/12"), AudioFileInformation("recorded date", "2026-11-21"),
        AudioFileInformation("mood", "calm"),
    ]
    private let picture = AudioFileArtwork(
        bytes: [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 3000))
    private let places = [
        AudioFileMarker(framePosition: 100, name: "One", identifier: 1),
        AudioFileMarker(framePosition: 30_000, name: "Two", identifier: 2),
    ]

    init() throws {
        folder = ScratchFolder()
        let writer = try AudioFileWriter.create(
            path: folder.file("in.wav"), type: .wave,
            format: .signedInteger(bits: 16, channels: 2, sampleRate: 44_100))
        try writer.setInformation(tags + [AudioFileInformation("nominal bit rate", "1411200")])
        try writer.setArtwork(picture)
        try writer.setMarkers(places)
        let samples = ConversionTests.samples(44_100, channels: 2)
        try unsafe samples.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
    }

    /// - Returns: The warnings.
    private func convert(_ input: String, _ output: String, _ arguments: [String] = []) throws -> [String] {
        try folder.warnings(arguments + [input, output])
    }

    @Test("tags and pictures are written if the output supports them, and reported otherwise")
    func kinds() throws {
        var lost = ["a.wav": 0, "a.aiff": 0, "a.rf64": 0, "a.flac": 1, "a.caf": 1, "a.w64": 3]
        #if HAVE_MPEG_AUDIO
        lost["a.mp3"] = 1
        #endif
        for (name, count) in lost {
            try expectEqual(convert("in.wav", name).count, count, "\(name)")
            let file = try AudioFile.open(path: folder.file(name))
            guard count < 3 else { continue }
            for text in tags { #expect(file.information.contains(text), "\(text.key) in \(name)") }
            #expect(!file.information.contains { $0.key == "nominal bit rate" })
            expectEqual(file.artwork, (name == "a.caf" ? nil : picture))
        }
        try expectEqual(convert("a.flac", "b.aiff"), [])
        try expectEqual(AudioFile.open(path: folder.file("b.aiff")).artwork, picture)
        try expectEqual(convert("in.wav", "c.wav", ["--no-metadata"]), [])
        let bare = try AudioFile.open(path: folder.file("c.wav"))
        #expect(bare.information.isEmpty && bare.artwork == nil && bare.markers.isEmpty)
    }

    @Test("markers move with the beginning and the rate")
    func markers() throws {
        _ = try convert("in.wav", "a.aiff", ["--start", "500ms", "-d", "I16@22050"])
        let file = try AudioFile.open(path: folder.file("a.aiff"))
        expectEqual(file.markers.map(\.name), ["Two"])
        expectEqual(file.markers.first?.framePosition, (Double(30_000 - 22_050) / 2).rounded())
        _ = try convert("in.wav", "b.wav", ["--end", "500ms"])
        try expectEqual(AudioFile.open(path: folder.file("b.wav")).markers, [places[0]])
    }
}
