// SPDX-License-Identifier: MIT

import AQExpectations
import AQNetworkInput
import Testing
import AQTestSupport

@Suite("ICY")
struct IcyTests {
    /// The bytes of metadata after its length byte, padded.
    private static func block(_ text: [UInt8]) -> [UInt8] {
        let units = (text.count + 15) / 16
        return [UInt8(units)] + text + [UInt8](repeating: 0, count: units * 16 - text.count)
    }

    private static func title(_ text: [UInt8]) -> String? { IcyMetadata(text[...]).title }
    private static func title(_ text: String) -> String? { title(Array(text.utf8)) }

    /// Joins audio, and lists metadata.
    private struct Received: Equatable {
        var audio: [UInt8] = []
        var titles: [String?] = []
        var offsets: [Int64] = []

        mutating func take(_ elements: [IcyDemultiplexer.Element]) {
            for element in elements {
                switch element {
                case .audio(let bytes): audio += bytes
                case .metadata(let metadata, let offset):
                    expectEqual(offset, Int64(audio.count))
                    titles.append(metadata.title)
                    offsets.append(offset)
                }
            }
        }
    }

    @Test("pieces of any size give the same audio and metadata, at the same positions")
    func pieces() {
        let audio = (0..<100).map { UInt8($0) }
        let blocks = [Array("StreamTitle='One';".utf8), [], Array(repeating: 0xFF, count: 4080)]
        var body: [UInt8] = []
        for (index, block) in blocks.enumerated() {
            body += audio[index * 30..<index * 30 + 30] + Self.block(block)
        }
        body += audio[90...]
        for size in Array(1...64) + Array(stride(from: 65, through: body.count, by: 97)) + [body.count] {
            var (demultiplexer, received) = (IcyDemultiplexer(metadataInterval: 30), Received())
            for start in stride(from: 0, to: body.count, by: size) {
                received.take(demultiplexer.separate(body[start..<min(start + size, body.count)]))
            }
            expectEqual(received, Received(audio: audio, titles: ["One", nil], offsets: [30, 90]))
            expectEqual(demultiplexer.audioBytes, 100)
        }
    }

    @Test("without an interval everything is audio", arguments: [0, -1, Int.min])
    func noInterval(interval: Int) {
        var demultiplexer = IcyDemultiplexer(metadataInterval: interval)
        expectEqual(demultiplexer.separate([1, 0, 2]), [.audio([1, 0, 2])])
        expectEqual(demultiplexer.separate([]), [])
        expectEqual(demultiplexer.audioBytes, 3)
    }

    @Test("an interval that never ends is audio")
    func endlessInterval() {
        var demultiplexer = IcyDemultiplexer(metadataInterval: .max)
        expectEqual(demultiplexer.separate([1, 0, 2]), [.audio([1, 0, 2])])
    }

    @Test(
        "a title ends at a quote and semicolon",
        arguments: [
            ("StreamTitle='A - B';StreamUrl='http://h';", "A - B"), ("StreamTitle='';", ""),
            ("StreamTitle='Don't stop 'til';StreamUrl='';", "Don't stop 'til"),
            ("StreamTitle='a;b=c';", "a;b=c"),
            ("StreamUrl='x';StreamTitle='A';", "A"), ("StreamTitle='A'", "A"), ("StreamTitle='A", "A"),
            ("StreamTitle='A';StreamTitle='B';", "A"), (" StreamTitle='A';", "A"),
            ("x='1';StreamTitle='  a  ';", "a"),
        ])
    func titles(block: String, expected: String) {
        expectEqual(Self.title(block), expected)
    }

    @Test(
        "garbage has no title",
        arguments: [
            "", "StreamTitle", "StreamTitle=A;", "='", "';", "Title='A';", "aStreamTitle='A';", "=''='';",
        ])
    func garbage(block: String) {
        expectEqual(Self.title(block), nil)
    }

    @Test("text is UTF-8, else Windows-1252, also if the block cuts it")
    func encodings() {
        let start = Array("StreamTitle='".utf8)
        expectEqual(Self.title(start + "Bj\u{F6}rk ’".utf8 + "';".utf8), "Björk ’")
        expectEqual(Self.title(start + [0x42, 0x6A, 0xF6, 0x80, 0x81, 0x27, 0x3B]), "Bjö€\u{FFFD}")
        expectEqual(Self.title(start + [0x42, 0xC3, 0xB6, 0xE2, 0x80]), "Bö")
        expectEqual(Self.title(start + [0x42, 0xC3, 0xB6, 0x27, 0xE2, 0x80]), "Bö'")
    }

    @Test("control characters are removed, and the text ends at a zero")
    func controls() {
        expectEqual(Self.title("StreamTitle='\u{1B}]0;a\u{7}b\u{9B}c\r\nd\u{200F}';"), "]0;abc d")
        expectEqual(Self.title("StreamTitle='a\u{0}b';"), "a")
    }

    @Test("the address is returned as text")
    func address() {
        expectEqual(
            IcyMetadata(Array("StreamTitle='a';StreamUrl='&artist=b';".utf8)[...]).address, "&artist=b")
    }
}
