import CoreAudioTypes
import Testing

@testable import AudioFiles

/// What `make fuzz` has found.
@Suite("Files that fuzzing made")
struct FuzzedFileTests {
    @Test("need no more room for a packet than there are bytes, whatever the table says")
    func clippedTable() throws {
        let bytes =
            CAFBytes.start + CAFBytes.description(CAFBytes.aac) + CAFBytes.table([100, 100, 4_000_000])
            + CAFBytes.data(noise(count: 250))
        let temporary = TemporaryFile(bytes)
        let file = try AudioFile.open(path: temporary.path)
        #expect(try file.countPackets() == 2)
        #expect(file.packetSizeUpperBound <= 250)
    }

    @Test("need no more room for a packet of a stream than is gathered of it")
    func hugeStreamPacket() throws {
        let bytes =
            CAFBytes.start + CAFBytes.description(CAFBytes.aac) + CAFBytes.table([1 << 30])
            + CAFBytes.data([1, 2, 3], promised: 4 + 1 << 30)
        let recorder = StreamRecorder()
        try? recorder.parse(bytes)
        #expect(recorder.stream.isReadyToProducePackets)
        #expect(recorder.finished.upperBound == 16 << 20)
    }

    @Test("have their audio inside them, even if they end in front of it", arguments: 0..<4)
    func cutEditCount(bytes: Int) throws {
        let start =
            CAFBytes.start + CAFBytes.description(CAFBytes.aac) + CAFBytes.table([])
            + CAFBytes.chunk("data", [], bytes: 99)
        let temporary = TemporaryFile(start + [UInt8](repeating: 0, count: bytes))
        let file = try AudioFile.open(path: temporary.path)
        let end = Int64(start.count + bytes)
        #expect(file.dataRange == end..<end)
        #expect(file.chunks.last?.byteCount == Int64(bytes))
    }

    #if HAVE_MPEG_AUDIO
    @Test("tell of no place for the last packet that there can be, with a table of two")
    func packetPastContents() throws {
        var tag = MPEGBytes.packet()
        let fields = Array("Xing".utf8) + [0, 0, 0, 7] + Header.big(UInt32(2)) + Header.big(UInt32(3 * 417))
        tag.replaceSubrange(36..<36 + fields.count + 100, with: fields + (0..<100).map { $0 * 2 })
        let recorder = StreamRecorder()
        try recorder.parse(tag + MPEGBytes.packets(5))
        #expect(recorder.record.packets > 2)
        #expect(try recorder.stream.byteOffset(ofPacket: 1).isEstimated)
        #expect(try recorder.stream.byteOffset(ofPacket: 3).byteOffset == 3 * 417)
        #expect(throws: AudioFileStreamError.self) { try recorder.stream.byteOffset(ofPacket: .max) }
    }
    #endif
}
