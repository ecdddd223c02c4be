// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("Hostile streams")
struct StreamHostileTests {
    private static let inputs: [(name: String, bytes: [UInt8])] =
        PacketSubject.all.map { ($0.name, $0.bytes) } + [
            ("WAVE", Header.wave(data: noise(count: 4000))), ("AIFF", Header.aiff(data: noise(count: 4000))),
            ("RF64", Header.rf64(data: noise(count: 4000), dataBytes: 4000, frames: 1000)),
        ]

    @Test(
        "survives a stream cut at any byte of its header, and returns the packets before",
        arguments: 0..<inputs.count)
    func cut(input: Int) {
        let whole = StreamRecord(Self.inputs[input].bytes, pieceBytes: .max)
        let bytes = Self.inputs[input].bytes
        let audio = Int(whole.dataOffset ?? 0) + 300
        for count in stride(from: 0, to: min(audio, bytes.count), by: audio > 3000 ? 7 : 1) {
            let record = StreamRecord(Array(bytes.prefix(count)), pieceBytes: 100)
            #expect(record.packets <= whole.packets)
            #expect(record.failure != nil || record.properties.contains(.readyToProducePackets))
            #expect(whole.bytes.starts(with: record.bytes))
        }
    }

    @Test("handles wrong bytes anywhere, and the same in pieces of any size", arguments: 0..<inputs.count)
    func mutated(input: Int) {
        let bytes = Self.inputs[input].bytes
        var random = SplitMix(UInt64(input) &+ 0x5EED)
        let whole = StreamRecord(bytes, pieceBytes: .max)
        let header = min(max(Int(whole.dataOffset ?? 0), 64), bytes.count)
        let interesting: [UInt8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF]
        for _ in someCases(15, of: 0..<60) {
            var mutant = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let range = random.chance(4) ? bytes.count : header
                let place = Int.random(in: 0..<range, using: &random)
                mutant[place] =
                    random.chance(2)
                    ? interesting.randomElement(using: &random) ?? 0 : .random(in: 0...255, using: &random)
            }
            if random.chance(4) { mutant.removeLast(Int.random(in: 0..<mutant.count, using: &random)) }
            if random.chance(8) {
                let start = Int.random(in: 0..<mutant.count + 1, using: &random)
                mutant.insert(contentsOf: noise(count: 100), at: start)
            }
            let clock = ContinuousClock()
            let start = clock.now
            let record = StreamRecord(mutant, pieceBytes: .max)
            #expect(clock.now - start < .seconds(5))
            // The output is part of the input.
            #expect(record.bytes.count <= mutant.count)
            #expect(record.packets <= mutant.count + 100_000)
            let pieces = StreamRecord(mutant, pieceBytes: Int.random(in: 1...3000, using: &random))
            expectEqual(pieces.difference(from: record), nil)
        }
    }

    @Test("refuses noise, and endless input without packets")
    func noiseOnly() {
        for seed in 1..<20 as Range<UInt32> {
            let record = StreamRecord(noise(count: 30_000, seed: seed), pieceBytes: 999)
            #expect(record.failure != nil || record.packets < 10)
        }
        let zeros = [UInt8](repeating: 0, count: 3 << 20)
        expectEqual(StreamRecord(zeros, pieceBytes: 65536).failure?.code, .unsupportedFileType)
        // Empty chunks without end.
        let chunks =
            CAFBytes.start + CAFBytes.description(CAFBytes.aac)
            + (0..<10_000).flatMap { _ in CAFBytes.chunk("free", []) }
        expectEqual(StreamRecord(chunks, pieceBytes: 65536).failure?.code, .invalidFile)
    }

    @Test("reports the same for a part without an end, in pieces of any size")
    func endlessPart() throws {
        var movie = Array(MP4File().bytes[..<28])
        movie += [0, 0, 0, 0] + Array("free".utf8) + noise(count: 40_000)
        let whole = StreamRecord(movie, pieceBytes: .max)
        expectEqual(whole.failure?.code, .invalidFile)
        expectEqual(StreamRecord(movie, pieceBytes: 7), whole)
    }

    @Test("does not collect a packet as large as a header says, nor tags without end")
    func memory() throws {
        let format = AudioStreamBasicDescription.encoded(
            0x5144_4D32, bytesPerPacket: 1 << 30, framesPerPacket: 64, channels: 2,
            sampleRate: 44100)
        let huge = CAFBytes.start + CAFBytes.description(format) + CAFBytes.data([1, 2, 3], promised: -1)
        expectEqual(StreamRecord(huge, pieceBytes: 7).failure?.code, .unsupportedDataFormat)

        let text = [0, 0, 0, 1, 0x61, 0] + [UInt8](repeating: 0x62, count: 1 << 20) + [0]
        let recorder = StreamRecorder()
        try recorder.parse(CAFBytes.start + CAFBytes.description(CAFBytes.aac))
        for _ in 0..<40 { try recorder.parse(CAFBytes.chunk("info", text)) }
        try recorder.parse(CAFBytes.table([3]) + CAFBytes.data([1, 2, 3]))
        expectEqual(recorder.record.packets, 1)
        #expect(recorder.stream.information.count < 17)
    }

    @Test("does not read samples in an undeclared part of a container")
    func unknownAlignment() {
        var wave = Header.wave(bits: 24, data: noise(count: 48))
        wave.replaceSubrange(32..<34, with: little(UInt16(8)))
        expectEqual(StreamRecord(wave, pieceBytes: 7).failure?.code, .unsupportedDataFormat)
    }
}
