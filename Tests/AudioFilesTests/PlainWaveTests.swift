import CoreAudioTypes
import Testing

@testable import AudioFiles

/// WAVE files that are read without libsndfile, against what that makes of them.
@Suite("Plain WAVE files")
struct PlainWaveTests {
    private static let data = noise(count: 720)
    private static let title = chunk(
        "LIST", Array("INFO".utf8) + chunk("INAM", Array("A title\0".utf8)))
    private static let marker = chunk(
        "cue ",
        Header.little(UInt32(1)) + Header.little(UInt32(7)) + Header.little(UInt32(3)) + Array("data".utf8)
            + [UInt8](repeating: 0, count: 8) + Header.little(UInt32(3)))

    struct Layout: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: [UInt8] = []
        var after: [UInt8] = []
    }

    private static let layouts = [
        Layout(testDescription: "nothing else"),
        Layout(testDescription: "a title before", before: title),
        Layout(testDescription: "a title and a marker behind", after: title + marker),
        Layout(
            testDescription: "an odd chunk on either side", before: chunk("junk", [1]),
            after: chunk("junk", [1, 2, 3])),
        Layout(
            testDescription: "a list that libsndfile must not be shown",
            after: chunk("LIST", Array("what".utf8) + title)),
    ]

    private static func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        Array(type.utf8) + Header.little(UInt32(contents.count)) + contents
            + (contents.count & 1 == 1 ? [0] : [])
    }

    /// A file with chunks around its sound, whose outermost length is right.
    private static func wave(
        tag: UInt16 = 1, channels: UInt16 = 2, bits: UInt16 = 16, data: [UInt8] = data, _ layout: Layout
    ) -> [UInt8] {
        var file = Header.wave(tag: tag, channels: channels, bits: bits, data: data)
        file.insert(contentsOf: layout.before, at: 36)
        file += (data.count & 1 == 1 ? [0] : []) + layout.after
        file.replaceSubrange(4..<8, with: Header.little(UInt32(file.count - 8)))
        return file
    }

    private func plain(_ bytes: [UInt8]) throws -> (PlainWave, OpenFile)? {
        let saved = TemporaryFile(bytes)
        let file = try OpenFile(path: FilePath(saved.path))
        return PlainWave(file: file, head: Array(bytes.prefix(512))).map { ($0, file) }
    }

    @Test(
        "come out as libsndfile reads them",
        arguments: [(1, 8), (1, 16), (1, 24), (1, 32), (3, 32), (3, 64)] as [(UInt16, UInt16)], layouts)
    func sameAsLibrary(coding: (tag: UInt16, bits: UInt16), layout: Layout) throws {
        for channels in [1, 2, 3, 6] as [UInt16] {
            let frameBytes = Int(channels * coding.bits / 8)
            let data = Array(Self.data.prefix(Self.data.count / frameBytes * frameBytes))
            let bytes = Self.wave(
                tag: coding.tag, channels: channels, bits: coding.bits, data: data, layout)
            let (wave, file) = try #require(try plain(bytes))
            let ours = PlainWaveReader(file: file, wave)
            let saved = TemporaryFile(bytes)
            let library = try SndFileReader(file: OpenFile(path: FilePath(saved.path)), isPipe: false)
            #expect(String(describing: ours.format) == String(describing: library.format))
            #expect(ours.containerName == library.containerName)
            #expect(ours.isLossy == library.isLossy)
            #expect(ours.channelLabels == library.channelLabels)
            #expect(ours.packetTable == library.packetTable)
            #expect(ours.packetSizeUpperBound == library.packetSizeUpperBound)
            #expect(ours.averageBitRate == library.averageBitRate)
            #expect(ours.dataRange == library.dataRange)
            #expect(ours.chunks == library.chunks)
            #expect(ours.information == library.information)
            #expect(ours.tags == library.tags)
            #expect(ours.markers == library.markers)
            #expect(ours.warnings.all == library.warnings.all)
            #expect(try ours.byteOffset(ofPacket: 2) == library.byteOffset(ofPacket: 2))
            #expect(try read(ours) == data)
            #expect(try read(library) == data)
        }
    }

    private func read(_ reader: any PacketReader) throws -> [UInt8] {
        let frameBytes = Int(reader.format.mBytesPerFrame)
        var bytes: [UInt8] = []
        // No whole number of frames of most formats.
        var room = [UInt64](repeating: 0, count: 13)
        while true {
            let got = try unsafe room.withUnsafeMutableBytes { room in
                let none = unsafe UnsafeMutableBufferPointer<AudioStreamPacketDescription>(
                    start: nil, count: 0)
                return try unsafe reader.readPackets(
                    from: Int64(bytes.count / frameBytes), into: room, descriptions: none)
            }
            guard got.packets > 0 else { return bytes }
            unsafe room.withUnsafeBytes { unsafe bytes.append(contentsOf: $0.prefix(got.bytes)) }
        }
    }

    @Test("have a title and markers")
    func beside() throws {
        let saved = TemporaryFile(
            Self.wave(Layout(testDescription: "", before: Self.title, after: Self.marker)))
        let file = try AudioFile.open(path: saved.path)
        #expect(file.tags.title == "A title")
        #expect(file.markers.map(\.framePosition) == [3])
        #expect(file.warnings.isEmpty)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout [UInt8]) -> Void

        init(_ testDescription: String, _ change: @escaping @Sendable (inout [UInt8]) -> Void) {
            self.testDescription = testDescription
            self.change = change
        }

        /// Another number or mark at a place.
        init(_ testDescription: String, at place: Int, _ bytes: [UInt8]) {
            self.init(testDescription) { $0.replaceSubrange(place..<place + bytes.count, with: bytes) }
        }

        /// Something behind the sound, which the outermost length counts.
        init(_ testDescription: String, behind bytes: [UInt8]) {
            self.init(testDescription) { file in
                file += bytes
                file.replaceSubrange(4..<8, with: Header.little(UInt32(file.count - 8)))
            }
        }
    }

    @Test(
        "are those alone whose header leaves nothing open",
        arguments: [
            Fault("A-law", at: 20, Header.little(UInt16(6))),
            Fault("a format with extensions", at: 20, Header.little(UInt16(0xFFFE))),
            Fault("no channels", at: 22, Header.little(UInt16(0))),
            Fault("a rate of 0", at: 24, Header.little(UInt32(0))),
            Fault("frames of another size", at: 32, Header.little(UInt16(6))),
            Fault("bits that are no bytes", at: 34, Header.little(UInt16(12))),
            Fault("big-endian numbers", at: 0, Array("RIFX".utf8)),
            Fault("another kind of RIFF", at: 8, Array("AVI ".utf8)),
            Fault("an outermost length that is too short", at: 4, Header.little(UInt32(748))),
            Fault("more sound than there is", at: 40, Header.little(UInt32(724))),
            Fault("no sound", at: 40, Header.little(UInt32(0))),
            Fault("a piece of a frame", at: 40, Header.little(UInt32(718))),
            Fault("the largest length", at: 40, Header.little(UInt32.max)),
            Fault("sound before the format", at: 12, Array("what".utf8)),
            Fault("less format than there must be", at: 16, Header.little(UInt32(8))),
            Fault("a header that ends early") { $0.removeLast($0.count - 40) },
            Fault("a second format", behind: chunk("fmt ", Array(Header.wave(data: [])[20..<36]))),
            Fault("a chunk past the end", behind: Array("junk".utf8) + Header.little(UInt32(9)) + [0, 0]),
            Fault("bytes behind the chunks", behind: [0, 0, 0]),
        ])
    func declined(fault: Fault) throws {
        var bytes = Self.wave(Layout(testDescription: ""))
        #expect(try plain(bytes) != nil)
        fault.change(&bytes)
        #expect(try plain(bytes) == nil)
    }

    @Test("that end early give what there is, and a warning")
    func cut() throws {
        let saved = TemporaryFile(Self.wave(Layout(testDescription: "")))
        let file = try AudioFile.open(path: saved.path)
        saved.cut(to: 44 + 402)
        #expect(try Contents(of: file).bytes == Array(Self.data.prefix(400)))
        #expect(file.warnings == ["the audio ends at frame 100 of 180"])
    }
}
