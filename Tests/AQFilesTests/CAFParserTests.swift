// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

@testable import AQFiles

@Suite("Parts of CAF files")
struct CAFParserTests {
    @Test(
        "integers of packet tables are encoded as published",
        arguments: [
            (127, [0x7F]), (128, [0x81, 0x00]), (300, [0x82, 0x2C]), (1024, [0x88, 0x00]),
            (16383, [0xFF, 0x7F]), (16384, [0x81, 0x80, 0x00]), (0, [0x00]),
        ] as [(Int64, [UInt8])])
    func integers(number: Int64, bytes: [UInt8]) {
        var written: [UInt8] = []
        CAFVariableLength.append(number, to: &written)
        expectEqual(written, bytes)
        expectEqual(CAFVariableLength.read(bytes, at: 0), .number(number, bytes: bytes.count))
        expectEqual(CAFVariableLength.read(Array(bytes.dropLast()), at: 0), .incomplete)
    }

    @Test("integers larger than any packet are invalid, and so are those that never end")
    func excessive() {
        expectEqual(
            CAFVariableLength.read([0x87, 0xFF, 0xFF, 0xFF, 0x7F], at: 0), .number(Int64(Int32.max), bytes: 5)
        )
        expectEqual(CAFVariableLength.read([0x88, 0x80, 0x80, 0x80, 0x00], at: 0), .excessive)
        expectEqual(CAFVariableLength.read([UInt8](repeating: 0xFF, count: 100), at: 0), .excessive)
        expectEqual(CAFVariableLength.read([UInt8](repeating: 0x80, count: 100), at: 0), .excessive)
        expectEqual(CAFVariableLength.read([0x80, 0x80, 0x05], at: 0), .number(5, bytes: 3))
    }

    /// One column or both, depending on the format.
    private static let formats = [(0, 1024), (0, 0), (70, 0)]

    @Test(
        "an index finds every packet and frame, however the table arrives in pieces", arguments: formats,
        [1, 3, 64, 5000])
    func index(columns: (bytes: Int, frames: Int), pieceBytes: Int) {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, bytesPerPacket: columns.bytes, framesPerPacket: columns.frames, channels: 2,
            sampleRate: 44100)
        let sizes = columns.bytes == 0 ? CAFBytes.sizes(1000) : [Int](repeating: columns.bytes, count: 1000)
        let frames =
            columns.frames == 0
            ? CAFBytes.sizes(1000, seed: 9) : [Int](repeating: columns.frames, count: 1000)
        var entries: [UInt8] = []
        for packet in sizes.indices {
            if columns.bytes == 0 { CAFVariableLength.append(Int64(sizes[packet]), to: &entries) }
            if columns.frames == 0 { CAFVariableLength.append(Int64(frames[packet]), to: &entries) }
        }
        var index = CAFPacketIndex(for: format)
        for start in stride(from: 0, to: entries.count, by: pieceBytes) {
            index.append(entries[start...].prefix(pieceBytes), limit: 1000)
        }
        expectEqual(index.count, 1000)
        #expect(!index.isDamaged)
        expectEqual(index.largestBytes, Int64(sizes.max() ?? 0))
        var (byteOffset, frame) = (0 as Int64, 0 as Int64)
        for packet in sizes.indices {
            let place = index.position(of: packet)
            #expect(place.byteOffset == byteOffset && place.frame == frame)
            expectEqual(index.packet(at: place)?.bytes, Int64(sizes[packet]))
            expectEqual(index.packet(atFrame: frame).packet, packet)
            expectEqual(index.packet(atFrame: frame + Int64(frames[packet]) - 1).packet, packet)
            byteOffset += Int64(sizes[packet])
            frame += Int64(frames[packet])
        }
        #expect(index.end.byteOffset == byteOffset && index.end.frame == frame)
        expectEqual(index.packet(atFrame: frame).packet, 1000)
    }

    @Test("an index keeps only the packets that end within the audio")
    func clip() {
        let sizes = CAFBytes.sizes(300)
        var entries: [UInt8] = []
        for size in sizes { CAFVariableLength.append(Int64(size), to: &entries) }
        var whole = CAFPacketIndex(for: CAFBytes.aac)
        whole.append(entries, limit: 300)
        var end = 0
        for packet in 0..<300 {
            for bytes in [end, end + sizes[packet] - 1] {
                var index = whole
                expectEqual(index.clip(toBytes: Int64(bytes)), 300 - packet)
                #expect(index.count == packet && index.end.byteOffset == Int64(end))
                expectEqual(index.position(of: 299), index.end)
            }
            end += sizes[packet]
        }
    }

    @Test("a table with an invalid entry is valid before it")
    func damagedEntry() {
        var index = CAFPacketIndex(for: CAFBytes.aac)
        index.append([5, 6, 7] + [UInt8](repeating: 0xFF, count: 20), limit: 9)
        #expect(index.count == 3 && index.isDamaged)
        index.append([1, 1, 1], limit: 9)
        expectEqual(index.count, 3)
    }

    @Test("a packet table that does not match the number of frames is corrected")
    func frames() {
        func resolved(_ priming: Int64, _ valid: Int64, _ remainder: Int64) -> [Int64] {
            let table = CAFPacketTableHeader(
                packets: 0,
                frames: PacketTable(primingFrames: priming, validFrames: valid, remainderFrames: remainder))
            let (frames, fault) = table.resolved(total: 100)
            return [frames.primingFrames, frames.validFrames, frames.remainderFrames, fault == nil ? 0 : 1]
        }
        expectEqual(resolved(10, 80, 10), [10, 80, 10, 0])
        expectEqual(resolved(0, 0, 0), [0, 100, 0, 0])
        expectEqual(resolved(10, 50, 10), [10, 50, 40, 1])
        expectEqual(resolved(10, 100, 0), [10, 90, 0, 1])
        expectEqual(resolved(200, 100, 0), [100, 0, 0, 1])
        expectEqual(resolved(-1, 101, 0), [0, 100, 0, 1])
        expectEqual(resolved(10, .max, 10), [10, 90, 0, 1])
    }
}
