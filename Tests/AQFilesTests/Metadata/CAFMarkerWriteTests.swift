// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQFiles

/// Markers and regions that are written to CAF files.
@Suite("Markers and regions of CAF files") struct CAFMarkerWriteTests {
    private let folder = ScratchFolder()

    private static let markers = [
        AudioFileMarker(framePosition: 12.5, name: "verse", identifier: 3, type: 0x7062_6567, channel: 2),
        AudioFileMarker(framePosition: 1e12, name: "größer", identifier: 4),
        AudioFileMarker(framePosition: 0, identifier: 5),
    ]
    private static let regions = [
        AudioFileRegion(
            identifier: 7, name: "loop", flags: 3,
            markers: [
                AudioFileMarker(framePosition: 1, identifier: 1, type: 0x7262_6567),
                AudioFileMarker(framePosition: 9, name: "its end", identifier: 2, type: 0x7265_6E64),
            ]),
        AudioFileRegion(identifier: 8),
    ]

    /// Writes them to a file of PCM, or of packets.
    private func write(
        _ markers: [AudioFileMarker], _ regions: [AudioFileRegion], isPCM: Bool
    ) throws -> AudioFile {
        let format: AudioStreamBasicDescription =
            isPCM
            ? try AudioFileType.caf.pcmFormat(sampleRate: 44100, channels: 2, bits: 16, isFloat: false)
            : .encoded(kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)
        let writer = try AudioFileWriter.create(
            path: folder.file("new"), type: .caf, format: format, options: .overwrite)
        try writer.setRegions(regions)
        try writer.setMarkers(markers)
        try writer.setInformation([AudioFileInformation("title", "with places")])
        let made = MadePackets(sizes: [100, 200])
        if isPCM { try writer.append(noise(count: 400)) } else { try made.append(0..<2, to: writer) }
        #expect(throws: AudioFileError.self) { try writer.setRegions([]) }
        try writer.close()
        let file = try AudioFile.open(path: folder.file("new"))
        #expect(file.warnings.isEmpty)
        expectEqual(file.information, [AudioFileInformation("title", "with places")])
        try expectEqual(Contents(of: file).bytes, (isPCM ? noise(count: 400) : made.bytes))
        return file
    }

    @Test("are read as they were written", arguments: [true, false])
    func comeBack(isPCM: Bool) throws {
        let file = try write(Self.markers, Self.regions, isPCM: isPCM)
        expectEqual(file.markers, Self.markers)
        expectEqual(file.regions, Self.regions)
        let none = try write([], [], isPCM: isPCM)
        #expect(none.markers.isEmpty && none.regions.isEmpty)
        #expect(!none.chunks.contains { ["mark", "regn", "strg"].contains("\($0.type)") })
    }

    @Test("are renumbered if one would get the name of another")
    func renumber() throws {
        var markers = Self.markers
        for index in markers.indices { markers[index].identifier = 1 }
        let file = try write(markers, Self.regions, isPCM: true)
        expectEqual(file.markers.map(\.name), ["verse", "größer", ""])
        expectEqual(file.regions.map(\.name), ["loop", ""])
        expectEqual(file.regions[0].markers.map(\.name), ["", "its end"])
        expectEqual(file.markers.map(\.framePosition), Self.markers.map(\.framePosition))
    }

    @Test("regions are kept only by CAF", arguments: AudioFileType.containers)
    func otherKinds(type: AudioFileType) throws {
        let format = try type.pcmFormat(sampleRate: 44100, channels: 1, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
        if type == .caf {
            try writer.setRegions(Self.regions)
        } else {
            let error = try #require(throws: AudioFileError.self) { try writer.setRegions(Self.regions) }
            expectEqual(error.code, .unsupported)
        }
        try writer.append(noise(count: 100))
        try writer.close()
        try expectEqual(Contents(of: AudioFile.open(path: writer.path)).bytes, noise(count: 100))
    }
}
