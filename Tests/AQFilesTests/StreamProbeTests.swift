// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import AQMPEGAudio
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("Offsets at which streams of packets begin")
struct StreamProbeTests {
    private func kind(_ bytes: [UInt8]) throws -> (kind: StreamProbe.Kind, byteOffset: Int64)? {
        let saved = TemporaryFile(bytes)
        return try StreamProbe.search(OpenFile(path: FilePath(saved.path)), from: 0, to: Int64(bytes.count))
    }

    private static func random(_ count: Int, _ generator: inout SplitMix) -> [UInt8] {
        (0..<count / 8).flatMap { _ in little(generator.next()) }
    }

    /// A frame with any header and with noise as audio.
    private static func frame(_ bits: UInt32, bytes: Int? = nil, _ generator: inout SplitMix) -> [UInt8] {
        let length = bytes ?? MPEGFrameHeader(bits: bits)?.packetBytes ?? 0
        return big(bits) + Array(random(length + 8, &generator).prefix(max(length - 4, 0)))
    }

    @Test("raw samples and noise are not streams, whatever headers are in them")
    func falsePositives() throws {
        var generator = SplitMix(30)
        var found: [String] = []
        for round in someCases(4, of: 0..<15) {
            if try kind(Self.random(100_000, &generator)) != nil { found.append("noise \(round)") }
            // Samples of 16 bits, of any amplitude and period, in both orders.
            let amplitude = 1 << (round % 15)
            let period = 1 + round * 7 % 200
            let samples = (0..<20_000).map { place -> Int16 in
                let noise = Int.random(in: -amplitude...amplitude, using: &generator)
                let ramp = place % period * 2 * amplitude / period - amplitude
                return Int16(clamping: round % 3 == 0 ? noise : round % 3 == 1 ? ramp : ramp + noise / 8)
            }
            if try kind(samples.flatMap { little($0) }) != nil { found.append("little \(round)") }
            if try kind(samples.flatMap { big($0) }) != nil { found.append("big \(round)") }
        }
        expectEqual(found, [])
    }

    @Test("every version, layer, bit rate and sample rate is found, also after garbage")
    func everyHeader() throws {
        var generator = SplitMix(31)
        var missed: [UInt32] = []
        for version in [0, 2, 3] as [UInt32] {
            for layer in 1...3 as ClosedRange<UInt32> {
                for rates in someCases(13, of: 0..<45 as Range<UInt32>) {
                    let bits =
                        0xFFE0_0000 | version << 19 | layer << 17 | 1 << 16 | (rates / 3 + 0) << 12
                        | rates % 3 << 10
                    guard let header = MPEGFrameHeader(bits: bits), !header.isFreeFormat else { continue }
                    let stream = (0..<5).flatMap { _ in Self.frame(bits, &generator) }
                    let junk = Self.random(Int(rates) * 1400, &generator)
                    let (plain, behind) = (try kind(stream), try kind(junk + stream))
                    if plain?.byteOffset != 0 || plain?.kind != .mpegAudio { missed.append(bits) }
                    if behind?.byteOffset != Int64(junk.count) { missed.append(bits) }
                }
            }
        }
        expectEqual(missed, [])
    }

    @Test("streams of one packet, of variable rate and of free format are found from their first packet on")
    func unusual() throws {
        var generator = SplitMix(32)
        for bits in [0xFFFB_9000, 0xFFFD_A000, 0xFFFF_C000, 0xFFF3_80C0] as [UInt32] {
            let saved = TemporaryFile(Self.frame(bits, &generator))
            try expectEqual(AudioFile.open(path: saved.path).countPackets(), 1)
        }
        let variable = (0..<50).flatMap { _ in
            Self.frame(0xFFFB_0000 | UInt32.random(in: 1...14, using: &generator) << 12, &generator)
        }
        let saved = TemporaryFile(variable)
        try expectEqual(AudioFile.open(path: saved.path).countPackets(), 50)
        // Free format, whose length varies with the padding.
        for (bits, bytes, padding) in [(0xFFFF_0000, 500, 4), (0xFFFD_0000, 700, 1), (0xFFFB_0000, 900, 1)]
            as [(UInt32, Int, Int)]
        {
            let stream = (0..<30).flatMap { number -> [UInt8] in
                let isPadded = number % 3 != 1
                return (isPadded ? big(bits | 0x200) : big(bits))
                    + [UInt8](repeating: 0x55, count: bytes - 4 + (isPadded ? padding : 0))
            }
            let saved = TemporaryFile(stream)
            let file = try AudioFile.open(path: saved.path)
            try expectEqual(file.countPackets(), 30)
            #expect(file.warnings.isEmpty)
            try expectEqual(FilledPipe(stream, pieceBytes: 1000).open().isSeekable, false)
        }
    }

    @Test("AAC begins after garbage, also after a tag and garbage")
    func junkBeforeAAC() throws {
        var generator = SplitMix(33)
        let stream = try ADTSBytes.stream(0..<20)
        for junk in [[0], Self.random(40_000, &generator)] {
            for tag in [
                [], ADTSBytes.tag(title: "Song"), ADTSBytes.tag(title: "A") + ADTSBytes.tag(title: "B"),
            ] {
                let saved = TemporaryFile(tag + junk + stream)
                let file = try AudioFile.open(path: saved.path)
                expectEqual(file.containerName, "AAC in an ADTS stream")
                try expectEqual(file.countPackets(), 20)
                try expectEqual(
                    Contents(of: FilledPipe(tag + junk + stream, pieceBytes: 1000).open()).packets, 20)
            }
        }
    }

    @Test("a known but unsupported type is refused by its name")
    func names() throws {
        let packet = [UInt8](repeating: 0x33, count: 97)
        var loas: [UInt8] = []
        for _ in 0..<20 { loas += [0x56, 0xE0, 97] + packet }
        func mark(_ mark: [UInt8]) -> [UInt8] { mark + packet }
        func mark(_ text: String) -> [UInt8] { Array(text.utf8) + packet }
        let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82]
        let cases: [([UInt8], String)] = [
            // Sample rate and length, then the version of the stream.
            (mark([0x0B, 0x77, 0x12, 0x34, 0x14, 0x40, 0x43, 0xE0]), "AC-3"),
            (mark([0x0B, 0x77, 0x01, 0xFF, 0x3F, 0x80, 0, 0]), "E-AC-3"),
            (mark([0xAC, 0x40, 0x01, 0x50, 0x20, 0, 0, 0]), "AC-4"),
            (mark([0xAC, 0x41, 0xFF, 0xFF, 0x00, 0x01, 0x50, 0]), "AC-4"),
            (mark([0, 0, 0, 0, 0xF8, 0x72, 0x6F, 0xBA]), "Dolby TrueHD"),
            (mark([0x7F, 0xFE, 0x80, 0x01]), "DTS"), (mark([0xFF, 0x1F, 0x00, 0xE8]), "DTS"),
            (mark("FRM8\0\0\0\0\0\0\u{1}\0DSD "), "DSDIFF"), (mark("DSD \u{1C}\0\0\0"), "DSF"),
            (mark(".RMF\0\0\0\u{12}"), "RealMedia"), (mark([0x2E, 0x72, 0x61, 0xFD, 0, 4]), "RealAudio"),
            (mark("qoaf\0\0\u{10}\0"), "QOA"), (mark("MAC \u{96}\u{F}"), "Monkey's Audio"),
            (mark("TTA1\u{1}\0"), "True Audio"), (mark("MPCKSH"), "Musepack"), (mark("MP+\u{7}"), "Musepack"),
            (mark("OFR \u{C}\0\0\0"), "OptimFROG"), (mark("tBaK\u{1}"), "TAK"),
            (mark("ajkg\u{2}"), "Shorten"),
            (mark(matroska + [0x84] + Array("webm".utf8)), "WebM"),
            (mark(matroska + [0x88] + Array("matroska".utf8)), "Matroska"),
            (mark([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]), "ASF"),
            (mark("RIFF\u{64}\0\0\0AVI LIST"), "AVI"), (mark("FLV\u{1}\u{4}\0\0\0\u{9}"), "Flash Video"),
            (mark("MThd\0\0\0\u{6}"), "MIDI"), (mark("RIFF\u{64}\0\0\0RMIDdata"), "MIDI"),
            (mark([0, 0, 1, 0xBA, 0x44, 0]), "MPEG program stream"),
            (loas, "LOAS"), (Array("ADIF".utf8) + packet, "ADIF"), (Array("wvpk".utf8) + packet, "WavPack"),
            (ADTSBytes.tag(title: "Song") + Array("wvpk".utf8) + packet, "WavPack"),
        ]
        for (bytes, name) in cases {
            let saved = TemporaryFile(bytes)
            let error = try #require(throws: AudioFileError.self) { try AudioFile.open(path: saved.path) }
            #expect(error.message.contains(name) && error.message.hasSuffix("is not supported"))
            let piped = try #require(throws: AudioFileError.self) {
                try FilledPipe(bytes, pieceBytes: 50).open()
            }
            #expect(piped.message.contains(name) && piped.message.hasSuffix("is not supported"))
        }
    }
}
#endif
