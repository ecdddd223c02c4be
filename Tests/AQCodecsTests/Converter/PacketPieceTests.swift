// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

/// A tone of a second in packets.
private struct EncodedTone {
    let format: AudioStreamBasicDescription
    let cookie: [UInt8]
    let bytes: [UInt8]
    let sizes: [Int]
    /// The number of frames in a packet, and that in all packets if the last one is shorter.
    let framesPerPacket: Int
    var frames = Int.max

    private static func tone(_ rate: Double) -> [Float] {
        TonePieces(from: rate, to: 48_000, pieceFrames: Int(rate), frames: Int(rate)).piece(0)
    }

    init(opusAt rate: Double) throws {
        let stream = try OpusStream(Self.tone(rate), channels: 1, sampleRate: rate)
        format = stream.format
        cookie = stream.cookie
        bytes = stream.packets.flatMap { $0 }
        sizes = stream.packets.map(\.count)
        framesPerPacket = Int(rate) / 50
    }

    init(_ formatID: AudioFormatID, framesPerPacket: Int) throws {
        let isLossless = formatID == kAudioFormatAppleLossless
        let encoder = try AudioConverter(
            from: isLossless
                ? .signedInteger(bits: 16, channels: 1, sampleRate: 44_100)
                : .float(channels: 1, sampleRate: 44_100),
            to: .encoded(formatID, framesPerPacket: framesPerPacket, channels: 1, sampleRate: 44_100))
        let input = Self.tone(44_100)
        let encoded = try encoder.convertAll(
            isLossless
                ? PacketFeed(integers: input.map { Int16($0 * 32_767) }, channels: 1)
                : PacketFeed(floats: input, channels: 1))
        format = encoder.outputFormat
        cookie = encoder.magicCookie
        bytes = encoded.bytes
        sizes = encoded.packetSizes
        self.framesPerPacket = framesPerPacket
        if isLossless { frames = input.count }
    }

    func decoder(to outputRate: Double) throws -> AudioConverter {
        try AudioConverter(
            from: format, to: .float(channels: 1, sampleRate: outputRate), magicCookie: cookie)
    }

    func feed(_ turns: [PacketFeed.Turn]) -> PacketFeed { PacketFeed(bytes, sizes: sizes, turns: turns) }
}

/// Packets that are offered once each, before a resampler.
@Suite("Conversion of packets one by one")
struct PacketPieceTests {
    #if HAVE_AV_CODECS
    private static let formats = [
        (kAudioFormatMPEG4AAC, 1024), (kAudioFormatAppleLossless, 4096), (kAudioFormatMPEGLayer3, 1152),
    ]

    @Test(
        "every packet is taken, and its frames are returned after a constant delay", arguments: formats,
        TonePieces.rates)
    func packets(format: (AudioFormatID, Int), outputRate: Double) throws {
        guard CodecAvailability.encoder(of: format.0).isAvailable else { return }
        try check(EncodedTone(format.0, framesPerPacket: format.1), outputRate)
    }
    #endif

    @Test(
        "every packet of Opus is taken, and its frames are returned after a constant delay",
        arguments: [8000.0, 12_000, 16_000, 24_000, 48_000], TonePieces.rates)
    func opusPackets(inputRate: Double, outputRate: Double) throws {
        try check(EncodedTone(opusAt: inputRate), outputRate)
    }

    private func check(_ tone: EncodedTone, _ outputRate: Double) throws {
        #expect(tone.sizes.count > 9)
        let whole = try tone.decoder(to: outputRate).convertAll(tone.feed([.packets(1000)]))
        let turns = tone.sizes.flatMap { _ in [PacketFeed.Turn.packets(1), .noDataNow] }
        let once = tone.feed(turns + [.packets(1)])
        let converter = try tone.decoder(to: outputRate)
        let ratio = outputRate / tone.format.mSampleRate
        // The decoder of MPEG audio holds up to a packet.
        let isMPEG = tone.format.mFormatID == kAudioFormatMPEGLayer3
        let slack = isMPEG ? Double(tone.framesPerPacket) * ratio : 1.01
        var result = Converted()
        var late: [String] = []
        for index in tone.sizes.indices {
            let room = Int((Double(tone.framesPerPacket) * ratio).rounded(.up)) + 16
            let filled = try converter.fillOnce(once, packets: room, into: &result)
            let frames = min((index + 1) * tone.framesPerPacket, tone.frames) - converter.rateDelayFrames
            let behind = max(0, Double(frames) * ratio) - Double(result.bytes.count / 4)
            if !(-1.01...slack).contains(behind) || !filled.isWaiting { late.append("\(index): \(behind)") }
        }
        #expect(late == [])
        #expect(once.requests.count == 2 * tone.sizes.count)
        try converter.fillRest(once, into: &result)
        let isSame = result.bytes == whole.bytes
        #expect(isSame)
        // Nothing is lost: the frames of all packets.
        let frames = Double(min(tone.sizes.count * tone.framesPerPacket, tone.frames)) * ratio
        #expect(abs(Double(result.bytes.count / 4) - frames) <= slack)
    }
}

extension AudioConverter {
    /// Pulls the rest of a stream.
    fileprivate func fillRest(_ feed: PacketFeed, into result: inout Converted) throws {
        while try !fillOnce(feed, packets: 1000, into: &result).isEnd {}
    }
}
