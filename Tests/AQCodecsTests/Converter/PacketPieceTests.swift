// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import AQCodecs
import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

/// Packets that are offered once each, before a resampler.
@Suite("Conversion of packets one by one")
struct PacketPieceTests {
    private static let formats = [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatMPEGLayer3]
        .filter { CodecAvailability.encoder(of: $0).isAvailable }

    @Test(
        "every packet is taken, and its frames are returned after a constant delay",
        .enabled(if: !formats.isEmpty, "no encoder is installed"), arguments: formats,
        [8000.0, 16_000, 48_000])
    func packets(formatID: AudioFormatID, outputRate: Double) throws {
        let tone = TonePieces(from: 44_100, to: outputRate, pieceFrames: 44_100, frames: 88_200)
        let float = Format.float(channels: 1, sampleRate: 44_100)
        let perPacket =
            formatID == kAudioFormatMPEG4AAC ? 1024 : formatID == kAudioFormatAppleLossless ? 4096 : 1152
        let encoder = try AudioConverter(
            from: formatID == kAudioFormatAppleLossless
                ? .signedInteger(bits: 16, channels: 1, sampleRate: 44_100) : float,
            to: .encoded(formatID, framesPerPacket: perPacket, channels: 1, sampleRate: 44_100))
        let input = tone.piece(0)
        let source =
            formatID == kAudioFormatAppleLossless
            ? PacketFeed(integers: input.map { Int16($0 * 32_767) }, channels: 1)
            : PacketFeed(floats: input, channels: 1)
        let encoded = try encoder.convertAll(source)
        #expect(encoded.packetSizes.count > 9)

        func decoder() throws -> AudioConverter {
            try AudioConverter(
                from: encoder.outputFormat, to: .float(channels: 1, sampleRate: outputRate),
                magicCookie: encoder.magicCookie)
        }
        func feed(_ turns: [PacketFeed.Turn]) -> PacketFeed {
            PacketFeed(encoded.bytes, sizes: encoded.packetSizes, turns: turns)
        }
        let whole = try decoder().convertAll(feed([.packets(1000)]))
        let turns = encoded.packetSizes.flatMap { _ in [PacketFeed.Turn.packets(1), .noDataNow] }
        let once = feed(turns + [.packets(1)])
        let converter = try decoder()
        var result = Converted()
        var late: [String] = []
        for index in encoded.packetSizes.indices {
            let room = Int((Double(perPacket) * outputRate / 44_100).rounded(.up)) + 16
            let filled = try converter.fillOnce(once, packets: room, into: &result)
            // The last lossless packet is shorter.
            let most = formatID == kAudioFormatAppleLossless ? 44_100 : .max
            let frames = min((index + 1) * perPacket, most) - converter.rateDelayFrames
            // The decoder of MPEG audio holds up to a packet.
            let slack = formatID == kAudioFormatMPEGLayer3 ? Double(perPacket) * outputRate / 44_100 : 1.01
            let behind = Double(frames) * outputRate / 44_100 - Double(result.bytes.count / 4)
            if !(-1.01...slack).contains(behind) || !filled.isWaiting { late.append("\(index): \(behind)") }
        }
        expectEqual(late, [])
        expectEqual(once.requests.count, 2 * encoded.packetSizes.count)
        try converter.fillRest(once, into: &result)
        let isSame = result.bytes == whole.bytes
        #expect(isSame)
    }
}

extension AudioConverter {
    /// Pulls the rest of a stream.
    fileprivate func fillRest(_ feed: PacketFeed, into result: inout Converted) throws {
        while try !fillOnce(feed, packets: 1000, into: &result).isEnd {}
    }
}
#endif
