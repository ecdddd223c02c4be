// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("Hostile CAF files")
struct CAFHostileTests {
    /// Small files with every chunk type, so that many changes affect a used field.
    private static let seeds: [[UInt8]] = {
        let sizes = CAFBytes.sizes(20)
        let audio = noise(count: sizes.reduce(0, +))
        let start = CAFBytes.start + CAFBytes.description(CAFBytes.aac)
        let details =
            CAFBytes.chunk("chan", CAFChannelLayout.bytes(of: [2, 1]))
            + CAFBytes.chunk("info", CAFInformation.bytes(of: [AudioFileInformation("title", "x")]))
            + CAFBytes.chunk(
                "strg", big(UInt32(1)) + big(UInt32(1)) + big(UInt64(0)) + [65, 0])
            + CAFBytes.chunk(
                "regn",
                big(UInt64(1)) + big(UInt64(1)) + big(UInt32(1)) + noise(count: 28))
            + CAFBytes.chunk("mark", big(UInt64(1)) + noise(count: 28))
        let table = CAFBytes.table(sizes, priming: 100, valid: 20_000, remainder: 380)
        var both = CAFBytes.aac
        both.mFramesPerPacket = 0
        return [
            start + CAFBytes.chunk("kuki", noise(count: 39)) + details + table + CAFBytes.data(audio),
            start + CAFBytes.data(audio) + table + details,
            CAFBytes.start + CAFBytes.description(both) + CAFBytes.table(sizes + sizes, packets: 20)
                + CAFBytes.data(audio),
            Header.caf(data: audio),
        ]
    }()

    private static let dangerous: [UInt8] = [0, 1, 0x7F, 0x80, 0x81, 0xFE, 0xFF]

    @Test("are refused or read without a trap", arguments: 0..<4, someCases(1, of: [UInt64](1...4)))
    func mutated(kind: Int, seed: UInt64) throws {
        var generator = TestGenerator(seed: seed << 8 | UInt64(kind))
        let whole = Self.seeds[kind]
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0...generator.next(below: 4) {
                let place = generator.next(below: bytes.count)
                switch generator.next(below: 6) {
                case 0: bytes.removeSubrange(place...)
                case 1: bytes.removeSubrange(place..<min(place + 1 + generator.next(below: 9), bytes.count))
                case 2: bytes.insert(contentsOf: noise(count: 1 + generator.next(below: 9)), at: place)
                case 3:
                    // Eight bytes that overflow when they are added.
                    let value = [Int64.max, Int64.min, -1, -2, 1 << 40, 0][generator.next(below: 6)]
                    let field = big(value)
                    let end = min(place + 8, bytes.count)
                    bytes.replaceSubrange(place..<end, with: field.prefix(end - place))
                case 4: bytes[place] ^= 1 << UInt8(generator.next(below: 8))
                default: bytes[place] = Self.dangerous[generator.next(below: Self.dangerous.count)]
                }
                if bytes.isEmpty { break }
            }
            try check(bytes)
        }
    }

    @Test("are read without a trap if any field has its largest value", arguments: 0..<4)
    func fields(kind: Int) throws {
        let whole = Self.seeds[kind]
        for place in someCases(60, of: Array(stride(from: 8 + kind, to: min(whole.count, 700), by: 3))) {
            for value in [0, 0x7F, 0xFF] as [UInt8] {
                for width in [1, 4, 8] {
                    var bytes = whole
                    for byte in place..<min(place + width, bytes.count) { bytes[byte] = value }
                    try check(bytes)
                }
            }
        }
    }

    /// Reads and seeks everything.
    private func check(_ bytes: [UInt8]) throws {
        let saved = TemporaryFile(bytes)
        guard let file = try? AudioFile.open(path: saved.path) else { return }
        #expect(file.warnings.count < 50)
        guard file.packetSizeUpperBound <= 1 << 20 else { return }
        let contents = try Contents(of: file, roomBytes: max((file.packetSizeUpperBound + 7) / 8 * 8, 4096))
        #expect(contents.bytes.count <= bytes.count)
        // The memory of an empty packet table is limited by the file too.
        #expect(contents.packets <= bytes.count)
        _ = (file.markers, file.regions, file.information, file.tags, file.averageBitRate, file.channelLabels)
        let frames = max(file.frameCount ?? 0, 0)
        for frame in [0, 1, frames / 2, frames - 1, frames] where 0...frames ~= frame {
            let point = try file.seekPoint(forFrame: frame)
            #expect(point.framesToDiscard >= 0)
            #expect(point.packet >= 0)
        }
    }

    @Test("limit the time and the memory of a reader")
    func expensive() throws {
        // Names that all refer to one text, endless chunks, and a table of empty packets.
        var strings = big(UInt32(100_000))
        for name in 0..<100_000 as Range<UInt32> { strings += big(name) + big(UInt64(0)) }
        strings += [UInt8](repeating: 65, count: 100_000)
        let start = CAFBytes.start + CAFBytes.description(CAFBytes.aac)
        let empty = [UInt8](CAFBytes.chunk("free", []))
        let table = CAFBytes.table([Int](repeating: 0, count: 300_000))
        for bytes in [
            start + CAFBytes.chunk("strg", strings) + CAFBytes.table([1]) + CAFBytes.data([1]),
            start + CAFBytes.table([1]) + CAFBytes.data([1])
                + [[UInt8]](repeating: empty, count: 20_000).joined(),
            start + table + CAFBytes.data([1]),
        ] {
            let saved = TemporaryFile(bytes)
            let began = ContinuousClock.now
            let file = try AudioFile.open(path: saved.path)
            _ = (file.markers, file.chunks)
            #expect(ContinuousClock.now - began < .seconds(5))
            #expect(file.chunks.count <= 4096)
        }
    }
}
