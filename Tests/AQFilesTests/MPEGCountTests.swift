// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import AQFiles
import Testing

@Suite("MPEG audio that is shorter than its tag says")
struct MPEGCountTests {
    /// A tag that counts ten packets, and some packets after it.
    private func stream(
        _ packets: Int, counted: UInt32 = 10, bytes: Int = 11 * 417, name: String = "Info"
    ) -> [UInt8] {
        MPEGBytes.info(packets: counted, bytes: UInt32(bytes), name: name) + MPEGBytes.packets(packets)
    }

    private func warnings(_ bytes: [UInt8]) throws -> [String] {
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        _ = try Contents(of: file)
        return file.warnings
    }

    private func pipedWarnings(_ bytes: [UInt8]) throws -> [String] {
        let file = try FilledPipe(bytes, pieceBytes: 1000).open()
        _ = try Contents(of: file)
        return file.warnings
    }

    @Test("a cut between two packets is reported", arguments: ["Info", "Xing"])
    func cut(name: String) throws {
        let fault = "the \(name) tag counts 10 packets, but 7 are there"
        try expectEqual(warnings(stream(7, name: name)), [fault])
        try expectEqual(pipedWarnings(stream(7, name: name)), [fault])
        try expectEqual(
            warnings(stream(9, name: name)), ["the \(name) tag counts 10 packets, but 9 are there"])
        try expectEqual(
            warnings(stream(1, bytes: 0, name: name)),
            [
                "the \(name) tag counts 10 packets, but 1 is there"
            ])
        // The length is known to be wrong before reading.
        let saved = TemporaryFile(stream(7, name: name))
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.frameCount, Int64(7 * 1152 - 1105))
        expectEqual(file.warnings, [fault])
    }

    @Test("tags with other counts, and bytes after the packets, are not reported")
    func whole() throws {
        let text = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let id3 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10)
        for bytes in [
            stream(10), stream(10) + text, id3 + stream(10), id3 + stream(10, bytes: 11 * 417 + 20) + text,
            // The tag's own packet is counted; the bytes are absent, or those of the tag at the end.
            stream(10, counted: 11), stream(10, counted: 11, bytes: 0),
            stream(10, counted: 11, bytes: 11 * 417 + 128) + text, stream(10, bytes: 11 * 417 + 128) + text,
            // All bytes are there.
            stream(10, counted: 20), stream(12),
        ] {
            #expect(try warnings(bytes).isEmpty)
            #expect(try pipedWarnings(bytes).isEmpty)
        }
    }
}
#endif
