// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport

@Suite("Metadata of CAF files beside samples")
struct CAFWriteTests {
    /// The chunks of a CAF file, in order.
    private func chunks(_ path: String) -> [(name: String, contents: [UInt8])] {
        let all = bytes(ofFile: path)
        var offset = 8
        var chunks: [(String, [UInt8])] = []
        while offset + 12 <= all.count {
            let length = all[offset + 4..<offset + 12].reduce(0) { $0 << 8 | Int($1) }
            let contents = all[(offset + 12)...].prefix(length)
            chunks.append((String(decoding: all[offset..<offset + 4], as: UTF8.self), Array(contents)))
            offset += 12 + length
        }
        expectEqual(offset, all.count)
        return chunks
    }

    private func create(
        _ folder: ScratchFolder, channels: Int, labels: [AudioChannelLabel]? = nil
    ) throws -> AudioFileWriter {
        let format = try AudioFileType.caf.pcmFormat(
            sampleRate: 44100, channels: channels, bits: 16, isFloat: false)
        return try AudioFileWriter.create(
            path: folder.file("new"), type: .caf, format: format, channelLabels: labels)
    }

    @Test("a layout: none if it is the default, else by tag if there is one")
    func layouts() throws {
        let left = kAudioChannelLabel_Left
        let expected: [([AudioChannelLabel], [UInt8]?)] = [
            ([kAudioChannelLabel_Mono], nil), ([left, kAudioChannelLabel_Right], nil),
            (ChannelLabels.defaults(channels: 6), [0, 121, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0]),
            (ChannelLabels.discrete(channels: 12), [0, 147, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0]),
            (
                [kAudioChannelLabel_Right, left],
                [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
                    + [0, 0, 0, 2] + [UInt8](repeating: 0, count: 16)
                    + [0, 0, 0, 1] + [UInt8](repeating: 0, count: 16)
            ),
        ]
        for (labels, contents) in expected {
            let folder = ScratchFolder()
            let writer = try create(folder, channels: labels.count, labels: labels)
            try writer.append(noise(count: 4 * labels.count))
            try writer.close()
            expectEqual(chunks(writer.path.description).first { $0.name == "chan" }?.contents, contents)
            try expectEqual(AudioFile.open(path: writer.path).frameCount, 2)
        }
    }

    @Test("a magic cookie comes before the samples, and can be replaced until the first")
    func cookie() throws {
        let folder = ScratchFolder()
        let writer = try create(folder, channels: 2)
        try writer.setMagicCookie([UInt8](repeating: 9, count: 100))
        try writer.setMagicCookie([5, 6, 7])
        try writer.append(noise(count: 40))
        let error = #expect(throws: AudioFileError.self) { try writer.setMagicCookie([1]) }
        expectEqual(error?.code, .unsupported)
        try writer.append(noise(count: 40))
        try writer.close()
        let chunks = chunks(writer.path.description)
        expectEqual(chunks.map(\.name), ["desc", "kuki", "data"])
        expectEqual(chunks[1].contents, [5, 6, 7])
        expectEqual(chunks[2].contents, [0, 0, 0, 0] + noise(count: 40) + noise(count: 40))
    }

    @Test("a header longer than 64 KiB is refused")
    func largeHeaders() throws {
        let folder = ScratchFolder()
        let writer = try create(folder, channels: 2)
        #expect(throws: AudioFileError.self) {
            try writer.setMagicCookie([UInt8](repeating: 9, count: 70_000))
        }
        try writer.append(noise(count: 40))
        try writer.close()
        try expectEqual(AudioFile.open(path: writer.path).frameCount, 10)
        expectEqual(chunks(writer.path.description).map(\.name), ["desc", "data"])
    }

    @Test("the length field of the audio never crosses a page")
    func lengthInOnePage() throws {
        for cookieBytes in 4000...4050 {
            let folder = ScratchFolder()
            let writer = try create(folder, channels: 2)
            try writer.setMagicCookie([UInt8](repeating: 9, count: cookieBytes))
            try writer.append(noise(count: 40))
            try writer.close()
            let file = try AudioFile.open(path: writer.path)
            let length = try #require(file.chunks.first { $0.type.description == "'data'" }).offset + 4
            expectEqual(length / 4096, (length + 7) / 4096)
            expectEqual(file.magicCookie.count, cookieBytes)
            try expectEqual(Contents(of: file).bytes, noise(count: 40))
        }
    }

    @Test("a packet table follows the samples")
    func packetTable() throws {
        let folder = ScratchFolder()
        let writer = try create(folder, channels: 2)
        try writer.append(noise(count: 40))
        #expect(throws: AudioFileError.self) {
            try writer.setPacketTable(PacketTable(primingFrames: -1, validFrames: 0, remainderFrames: 0))
        }
        try writer.setPacketTable(PacketTable(primingFrames: 2, validFrames: 7, remainderFrames: 1))
        // It belonged to the previous file.
        try writer.append(noise(count: 4))
        try writer.close()
        let chunks = chunks(writer.path.description)
        expectEqual(chunks.map(\.name), ["desc", "data", "pakt"])
        expectEqual(chunks[1].contents.count, 4 + 44)
        let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 1]
        expectEqual(chunks[2].contents, counts)
        try expectEqual(
            Contents(of: AudioFile.open(path: writer.path)).bytes, noise(count: 40) + noise(count: 4))
    }
}
