// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing

@testable import AQMPEGAudio

@Suite("MPEG framer")
struct MPEGFramerTests {
    private func frame(_ bytes: [UInt8]) throws -> (MPEGFramer, [MPEGPacket]) {
        let file = TemporaryBytes(bytes)
        let framer = try #require(MPEGFramer(window: file.window()))
        var packets: [MPEGPacket] = []
        while let packet = framer.next() { packets.append(packet) }
        return withExtendedLifetime(file) { (framer, packets) }
    }

    @Test("finds every packet at its offset")
    func plain() throws {
        let (framer, packets) = try frame(SilentStream.packets(500))
        expectEqual(packets.map(\.byteOffset), (0..<500).map { $0 * 417 })
        #expect(packets.allSatisfy { $0.bytes == 417 && $0.skippedBytes == 0 })
        #expect(framer.isAtEnd)
        expectEqual(framer.next(), nil)
    }

    @Test("skips garbage and reports its size")
    func garbage() throws {
        let text = [UInt8](repeating: 0x41, count: 5000)
        let bytes = text + SilentStream.packets(10) + text + SilentStream.packets(10) + text
        let (framer, packets) = try frame(bytes)
        expectEqual(packets.count, 20)
        expectEqual(framer.streamByteOffset, 5000)
        expectEqual(packets[10].byteOffset, 5000 + 4170 + 5000)
        expectEqual(packets[10].skippedBytes, 5000)
        expectEqual(framer.byteOffset, Int64(bytes.count - 5000))
    }

    @Test("finds no packets in noise, and those after it")
    func noise() throws {
        var generator = SplitMix(7)
        let noise = (0..<500_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let packets = try frame(SilentStream.packets(5) + noise + SilentStream.packets(5)).1
        // With so many false headers in noise, one or two may be followed by another at the stated offset.
        #expect(10...13 ~= packets.count)
        expectEqual(packets.last?.byteOffset, Int64(9 * 417 + noise.count))
    }

    @Test("skips a frame of the reserved version")
    func reservedVersion() throws {
        let strange = [0xFF, 0xEB] + SilentStream.packet().dropFirst(2)
        let packets = try frame(SilentStream.packets(5) + strange + SilentStream.packets(5)).1
        expectEqual(packets.count, 10)
    }

    @Test("recognises an information tag")
    func info() throws {
        let (framer, packets) = try frame(
            SilentStream.infoPacket(packets: 3, bytes: 4 * 417, delay: 576, padding: 600)
                + SilentStream.packets(3))
        expectEqual(framer.infoTag?.packets, 3)
        expectEqual(packets.map(\.byteOffset), [417, 834, 1251])
    }

    @Test("drops an incomplete last packet")
    func truncated() throws {
        let bytes = [UInt8](SilentStream.packets(5).dropLast(17))
        try expectEqual(frame(bytes).1.count, 4)
    }

    @Test("continues through a change of rate and of channels")
    func change() throws {
        let bytes =
            SilentStream.packets(4) + SilentStream.packets(4, SilentStream.layer3At48)
            + SilentStream.packets(4, SilentStream.layer3 | 0xC0)
        let packets = try frame(bytes).1
        expectEqual(packets.map(\.header.sampleRate), [44100, 48000, 44100].flatMap { [$0, $0, $0, $0] })
        expectEqual(packets.last?.header.channels, 1)
    }

    @Test("skips an ID3 tag of any size without loading it", arguments: [100, 3 << 20])
    func tag(contents: Int) throws {
        let size = synchsafe(contents)
        let bytes =
            [0x49, 0x44, 0x33, 3, 0, 0] + size + [UInt8](repeating: 0, count: contents)
            + SilentStream.packets(4)
        let (framer, packets) = try frame(bytes)
        expectEqual(framer.streamByteOffset, Int64(contents) + 10)
        expectEqual(packets.count, 4)
    }

    @Test("survives a large tag of any bytes")
    func hostileTag() throws {
        var generator = SplitMix(7)
        for _ in 0..<20 {
            var contents = [UInt8](repeating: 0, count: 300 << 10)
            for place in 0..<5000 { contents[place] = UInt8.random(in: 0...0x7F, using: &generator) }
            contents.replaceSubrange(0..<4, with: "TIT2".utf8)
            let size = synchsafe(contents.count)
            let version = UInt8.random(in: 2...4, using: &generator)
            let flags = UInt8.random(in: 0...255, using: &generator) & 0xEF
            let packets = try frame(
                [0x49, 0x44, 0x33, version, 0, flags] + size + contents + SilentStream.packets(4)
            ).1
            expectEqual(packets.count, 4)
        }
    }

    @Test(
        "finds nothing in empty input",
        arguments: [
            [], [0xFF], [UInt8](repeating: 0, count: 5000), Array("ID3".utf8),
            [UInt8](SilentStream.packet().dropLast()),
        ]
            as [[UInt8]])
    func nothing(bytes: [UInt8]) throws {
        let file = TemporaryBytes(bytes)
        #expect(MPEGFramer(window: file.window()) == nil)
    }

    @Test("keeps the error of a file that cannot be read")
    func unreadable() {
        let window = ByteWindow(descriptor: -1, end: 1000)
        #expect(MPEGFramer(window: window) == nil)
        expectEqual(window.failure?.errorNumber, EBADF)
    }
}
#endif
