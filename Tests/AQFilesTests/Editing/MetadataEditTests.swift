// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQFiles

/// Tags and markers of existing files.
@Suite("Changing the metadata of files") struct MetadataEditTests {
    private let folder = ScratchFolder()

    private static let kinds: [AudioFileType] = [.wave, .rf64, .aiff, .aiffC, .caf]
    private static let markers = [
        AudioFileMarker(framePosition: 12, name: "verse", identifier: 3),
        AudioFileMarker(framePosition: 90, name: "a", identifier: 4),
    ]

    private func makeFile(_ type: AudioFileType) throws -> (path: String, sound: [UInt8]) {
        let path = folder.file("sound")
        let format = try type.pcmFormat(sampleRate: 48000, channels: 1, bits: 24, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format, options: .overwrite)
        try writer.setInformation([
            AudioFileInformation("title", "before"), AudioFileInformation("genre", "old"),
        ])
        // Without a picture, WAVE has no ID3 tag beside its tags.
        if hasPicture(type) { try writer.setArtwork(Self.picture) }
        let sound = noise(count: 3003)
        try writer.append(sound)
        try writer.close()
        return (path, sound)
    }

    private func hasPicture(_ type: AudioFileType) -> Bool { type != .caf && type != .wave }

    private static let picture = AudioFileArtwork(
        bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + noise(count: 100), mimeType: "image/png")

    @Test("tags and markers are replaced, repeatedly", arguments: kinds)
    func replaces(type: AudioFileType) throws {
        let (path, sound) = try makeFile(type)
        let editor = try AudioFileEditor.open(path: path)
        for title in ["short", "a title that is longer than any before", "x"] {
            let tags = [AudioFileInformation("artist", "somebody"), AudioFileInformation("title", title)]
            try editor.setInformation(tags)
            try editor.setMarkers(Self.markers)
            let file = try AudioFile.open(path: path)
            #expect(file.warnings.isEmpty)
            expectEqual(file.information.sorted { $0.key < $1.key }, tags)
            expectEqual(file.markers, Self.markers)
            expectEqual(file.artwork?.bytes, (hasPicture(type) ? Self.picture.bytes : nil))
            try expectEqual(Contents(of: file).bytes, sound)
        }
        try editor.setMarkers([])
        try editor.setInformation([])
        let file = try AudioFile.open(path: path)
        #expect(file.markers.isEmpty && file.information.isEmpty)
        #expect(!file.chunks.contains { ["cue ", "MARK", "mark", "strg", "NAME"].contains("\($0.type)") })
    }

    @Test("regions of a CAF file keep their names when its markers change, and vice versa")
    func keepsNames() throws {
        let (path, sound) = try makeFile(.caf)
        let editor = try AudioFileEditor.open(path: path)
        let region = AudioFileRegion(
            identifier: 9, name: "loop", flags: 1, markers: [AudioFileMarker(framePosition: 3)])
        try editor.setRegions([region])
        try editor.setMarkers(Self.markers)
        try expectEqual(AudioFile.open(path: path).regions, [region])
        try editor.setRegions([region, region])
        let file = try AudioFile.open(path: path)
        expectEqual(file.markers.map(\.name), ["verse", "a"])
        expectEqual(file.regions.map(\.name), ["loop", "loop"])
        try expectEqual(Contents(of: file).bytes, sound)
    }

    @Test("unsupported metadata is refused, and changes nothing")
    func refuses() throws {
        let (path, _) = try makeFile(.wave)
        let before = bytes(ofFile: path)
        let editor = try AudioFileEditor.open(path: path)
        let error = try #require(throws: AudioFileError.self) {
            try editor.setRegions([AudioFileRegion(identifier: 1)])
        }
        expectEqual(error.code, .unsupported)
        expectFile(path, holds: before)
    }
}
