// SPDX-License-Identifier: MIT

import AQExpectations
import AQCodecs
import AQTestSupport
import CoreAudioTypes
import Testing

@Suite("The decoder of Opus")
struct OpusPacketDecoderTests {
    private static func reason(
        channels: Int = 2, rate: Double = 48_000, cookie: [UInt8] = []
    ) -> (CodecError.Code?, String) {
        do throws(CodecError) {
            _ = try makePacketDecoder(
                for: .encoded(kAudioFormatOpus, framesPerPacket: 0, channels: channels, sampleRate: rate),
                magicCookie: cookie)
            return (nil, "")
        } catch {
            return (error.code, error.message)
        }
    }

    @Test(
        "returns the frames that another decoder of the file returns, and each channel under its label",
        arguments: [1, 2, 6, 8], [8000.0, 12_000, 16_000, 24_000, 48_000])
    func frames(channels: Int, rate: Double) throws {
        let stream = try OpusStream.tones(channels: channels, sampleRate: rate)
        let decoder = try stream.decoder()
        let plain = try makePacketDecoder(for: stream.format)
        #expect(decoder.outputFormat.summary == Format.float(channels: channels, sampleRate: rate).summary)
        #expect(decoder.maximumFramesPerPacket == Int(rate) * 120 / 1000)
        var output: [Float] = []
        for packet in stream.packets {
            let bytes = try decoder.decoded(packet)
            let isUsual = try plain.decoded(packet) == bytes
            #expect(isUsual)
            let frames = samples(Float.self, of: bytes)
            #expect(frames.count == Int(rate) / 50 * channels)
            output += frames
        }
        #expect(decoder.damagedPackets == 0)
        output = Array(output.dropFirst(stream.priming * channels))
        let labels = try #require(DecodedChannelOrder.labels(of: stream.format, magicCookie: stream.cookie))
        let (reference, referenceLabels) = stream.reference
        #expect(reference.count == Int(rate) * channels)
        for (channel, label) in labels.enumerated() {
            let other = try #require(referenceLabels.firstIndex(of: label))
            let worst = (0..<Int(rate)).reduce(Float(0)) { worst, frame in
                max(worst, abs(output[frame * channels + channel] - reference[frame * channels + other]))
            }
            // The other decoder may round to 16 bits.
            #expect(worst < 1e-4, "\(channel)")
        }
    }

    @Test("decodes at any rate of libopus, whatever that of the source")
    func rates() throws {
        let stream = try OpusStream.tones(channels: 1, sampleRate: 48_000)
        for rate in [8000.0, 12_000, 16_000, 24_000, 48_000] {
            let decoder = try stream.decoder(at: rate)
            let frames = try stream.packets.reduce(0) { try $0 + decoder.decoded($1).count / 4 }
            #expect(frames == stream.packets.count * Int(rate) / 50)
        }
    }

    @Test("packets have their own duration, whatever the format states", arguments: [0, 960, 2880])
    func durations(framesPerPacket: Int) throws {
        let decoder = try makePacketDecoder(
            for: .encoded(
                kAudioFormatOpus, framesPerPacket: framesPerPacket, channels: 1, sampleRate: 48_000))
        // Packets of 2.5, 5, 10, 20, 40 and 60 ms without data, and two of 60 ms in one.
        for (first, frames) in [
            (0x80, 120), (0x88, 240), (0x90, 480), (0x98, 960), (0x10, 1920), (0x18, 2880),
        ] {
            #expect(try decoder.decoded([UInt8(first)]).count == frames * 4)
        }
        #expect(try decoder.decoded([0x1B, 2]).count == 5760 * 4)
        #expect(decoder.damagedPackets == 0)
    }

    @Test("packets of one size are decoded together, and an incomplete one counts")
    func constantSize() throws {
        let decoder = try makePacketDecoder(
            for: .encoded(
                kAudioFormatOpus, bytesPerPacket: 2, framesPerPacket: 960, channels: 2, sampleRate: 48_000))
        let packets: [UInt8] = [0xFC, 0, 0xFC, 0, 0xFC, 0, 0xFC]
        var output = [UInt8](repeating: 0, count: 3 * 5760 * 8)
        let frames = try unsafe packets.withUnsafeBytes { packets in
            try unsafe output.withUnsafeMutableBytes { try unsafe decoder.decode(packets, into: $0) }
        }
        #expect(frames == 3 * 960)
        #expect(decoder.damagedPackets == 1)
        output.removeLast()
        #expect(throws: CodecError.self) {
            try unsafe packets.withUnsafeBytes { packets in
                try unsafe output.withUnsafeMutableBytes { try unsafe decoder.decode(packets, into: $0) }
            }
        }
    }

    @Test("the header's gain changes the level")
    func gain() throws {
        let stream = try OpusStream.tones(channels: 1, sampleRate: 48_000)
        func peak(_ gain: [UInt8]) throws -> Float {
            var cookie = stream.cookie
            cookie.replaceSubrange(16..<18, with: gain)
            let decoder = try makePacketDecoder(for: stream.format, magicCookie: cookie)
            return try stream.packets.flatMap { samples(Float.self, of: try decoder.decoded($0)) }
                .reduce(0) { max($0, abs($1)) }
        }
        let ratio = try peak([0, 0xFA]) / peak([0, 0])
        #expect(abs(ratio - 0.501) < 0.001)
    }

    @Test("packets that are damaged or empty become silence of their length, and count")
    func damaged() throws {
        let stream = try OpusStream.tones(channels: 2, sampleRate: 48_000)
        let decoder = try stream.decoder()
        for packet in stream.packets[..<5] { _ = try decoder.decoded(packet) }
        // 120 ms of two frames of one size in an odd number of bytes.
        let broken: [UInt8] = [0x19, 1, 2, 3]
        let silent = try decoder.decoded(broken)
        #expect(silent.count == 5760 * 8 && silent.allSatisfy { $0 == 0 })
        _ = try decoder.decoded(stream.packets[5])
        let empty = try decoder.decoded([])
        #expect(empty.count == 960 * 8 && empty.allSatisfy { $0 == 0 })
        #expect(decoder.damagedPackets == 2)
    }

    @Test("a reset drops the history")
    func reset() throws {
        let stream = try OpusStream.tones(channels: 1, sampleRate: 48_000)
        let decoder = try stream.decoder()
        let first = try stream.packets.map { try decoder.decoded($0) }
        decoder.reset()
        let second = try stream.packets.map { try decoder.decoded($0) }
        let isSame = first == second
        #expect(isSame)
    }

    @Test("a format that cannot be decoded is refused with the reason")
    func refused() throws {
        #expect(Self.reason(rate: 44_100).1.contains("8, 12, 16, 24 and 48 kHz"))
        #expect(Self.reason(channels: 9).1.contains("9 channels, not 1 to 8, needs a header"))
        let stream = try OpusStream.tones(channels: 6, sampleRate: 48_000)
        #expect(Self.reason(channels: 6, cookie: stream.cookie).0 == nil)
        #expect(Self.reason(channels: 2, cookie: stream.cookie).0 == .invalidCookie)
        #expect(Self.reason(channels: 6, cookie: Array(stream.cookie.dropLast())).0 == .invalidCookie)
        // The layout of Apple's cookie is unknown.
        #expect(Self.reason(channels: 2, cookie: [0, 1, 2, 3]).0 == nil)
        #expect(CodecAvailability.decoder(of: kAudioFormatOpus).isAvailable)
        #expect(CodecAvailability.decodableFormats().contains(kAudioFormatOpus))
        #expect(!CodecAvailability.encoder(of: kAudioFormatOpus).isAvailable)
    }

    @Test("noise in packets of any length takes little time and does not trap", .timeLimit(.minutes(20)))
    func hostile() throws {
        let begun = ContinuousClock.now
        defer { expectWithinMinute(since: begun) }
        let stream = try OpusStream.tones(channels: 6, sampleRate: 48_000)
        let decoder = try stream.decoder()
        var random = SplitMix(5)
        for index in 0..<300 {
            var packet = stream.packets[index % stream.packets.count]
            if index % 3 == 0 {
                packet = (0..<Int.random(in: 0..<2000, using: &random)).map { _ in
                    UInt8(truncatingIfNeeded: random.next())
                }
            }
            for _ in 0..<index % 5 where !packet.isEmpty {
                packet[Int.random(in: 0..<packet.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            let frames = try decoder.decoded(packet).count / 24
            #expect(1...5760 ~= frames)
        }
    }
}
