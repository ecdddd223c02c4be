// SPDX-License-Identifier: MIT

@testable import AQCodecs
import AQExpectations
import CoreAudioTypes
import Testing

@Suite("G.711 encoding")
struct G711EncoderTests {
    private static func format(_ id: AudioFormatID, channels: Int = 1) -> Format {
        .encoded(id, bytesPerPacket: channels, framesPerPacket: 1, channels: channels, sampleRate: 8000)
    }

    private static func encode(_ samples: [Int16], _ id: AudioFormatID) throws -> [UInt8] {
        let encoder = try ConstantPacketEncoder(outputFormat: format(id))
        try unsafe samples.withUnsafeBytes { try unsafe encoder.append($0) }
        encoder.finish()
        var codes = [UInt8](repeating: 0, count: samples.count)
        let packet = try unsafe codes.withUnsafeMutableBytes { try unsafe encoder.nextPacket(into: $0) }
        expectEqual(packet, EncodedPacket(bytes: samples.count, frames: samples.count))
        return codes
    }

    private static let all = (Int(Int16.min)...Int(Int16.max)).map { Int16($0) }

    /// The decision values of tables 1a and 2a of G.711, as 16-bit samples.
    private static func decisions(_ id: AudioFormatID) -> [Int] {
        // The step of each segment, from the lowest; each has 16 codes.
        let steps = id == kAudioFormatALaw ? [2, 2, 4, 8, 16, 32, 64, 128] : [2, 4, 8, 16, 32, 64, 128, 256]
        let unit = id == kAudioFormatALaw ? 8 : 4
        var value = id == kAudioFormatALaw ? 0 : -1
        return steps.flatMap { step in
            (0..<16).map { _ in
                defer { value += step }
                return max(value, 0) * unit
            }
        }
    }

    @Test(
        "each sample has the code whose decision values enclose it",
        arguments: [kAudioFormatALaw, kAudioFormatULaw])
    func decisions(id: AudioFormatID) throws {
        let codes = try Self.encode(Self.all, id)
        let decisions = Self.decisions(id)
        var wrong = 0
        for (sample, code) in zip(Self.all, codes) {
            // Negative samples are ones' complements, so their intervals mirror the positive ones.
            let magnitude = Int(sample < 0 ? ~sample : sample)
            let number = decisions.lastIndex { $0 <= magnitude } ?? 0
            let sign: UInt8 = sample < 0 ? 0 : 0x80
            let bits = UInt8(number) | sign
            let expected = id == kAudioFormatALaw ? bits ^ 0x55 : (UInt8(number) ^ 0x7F) | sign
            if code != expected { wrong += 1 }
        }
        expectEqual(wrong, 0)
    }

    @Test("the value of each code has that code, except for the negative zero of µ-law")
    func codes() throws {
        for (id, worths) in [(kAudioFormatALaw, G711.alawSamples), (kAudioFormatULaw, G711.ulawSamples)] {
            let codes = try Self.encode(worths, id)
            for (code, again) in codes.enumerated() where code != 0x7F || id == kAudioFormatALaw {
                expectEqual(Int(again), code)
            }
        }
        try expectEqual(Self.encode([0], kAudioFormatULaw), [0xFF])
    }

    @Test("a sample's code is one of the two nearest", arguments: [kAudioFormatALaw, kAudioFormatULaw])
    func neighbours(id: AudioFormatID) throws {
        let worths = id == kAudioFormatALaw ? G711.alawSamples : G711.ulawSamples
        let codes = try Self.encode(Self.all, id)
        let sorted = [Int.min] + Set(worths.map { Int($0) }).sorted() + [Int.max]
        var place = 0
        var wrong = 0
        for (sample, code) in zip(Self.all, codes) {
            while sorted[place + 1] < Int(sample) { place += 1 }
            if !sorted[place...place + 1].contains(Int(worths[Int(code)])) { wrong += 1 }
        }
        expectEqual(wrong, 0)
    }

    @Test("decoding encoded samples returns the values of their codes, through the converter")
    func converter() throws {
        for (id, worths) in [(kAudioFormatALaw, G711.alawSamples), (kAudioFormatULaw, G711.ulawSamples)] {
            let pcm = Format.signedInteger(bits: 16, channels: 2, sampleRate: 8000)
            let there = try AudioConverter(
                from: pcm, to: .encoded(id, framesPerPacket: 0, channels: 0, sampleRate: 0))
            #expect(there.outputFormat.isSame(as: Self.format(id, channels: 2)))
            let encoded = try there.convertAll(
                PacketFeed(integers: worths, channels: 2, turns: [.packets(7)]), packetsPerCall: 13)
            expectEqual(encoded.packetSizes, Array(repeating: 2, count: 128))
            let back = try AudioConverter(from: there.outputFormat, to: pcm)
            let feed = PacketFeed(encoded.bytes, bytesPerPacket: 2, turns: [.packets(11)])
            expectEqual(samples(Int16.self, of: try back.convertAll(feed, packetsPerCall: 5).bytes), worths)
        }
    }

    @Test("linear PCM is encoded from any linear PCM, in bulk, and packets that do not fit are kept")
    func linear() throws {
        let target = Format.signedInteger(bits: 24, isBigEndian: true, channels: 2, sampleRate: 8000)
        let encoder = try ConstantPacketEncoder(outputFormat: target)
        #expect(encoder.inputFormat.isSame(as: .signedInteger(bits: 24, channels: 2, sampleRate: 8000)))
        #expect(encoder.maximumPacketSize == 6 && encoder.bitRate == 8000 * 48)
        let input = (0..<60).map { UInt8($0) }
        try unsafe input.withUnsafeBytes { try unsafe encoder.append($0) }
        var output: [UInt8] = []
        for (size, frames) in [(20, 3), (5, 0), (30, 5), (30, 2)] {
            var room = [UInt8](repeating: 0, count: size)
            do throws(CodecError) {
                let packet = try Self.next(of: encoder, into: &room)
                expectEqual(packet, EncodedPacket(bytes: 6 * frames, frames: frames))
                output += room.prefix(6 * frames)
            } catch {
                #expect(frames == 0 && error.code == .outputTooSmall)
            }
        }
        // Each sample negated.
        let expected = (0..<60).map { (index: Int) -> UInt8 in
            let sample = index / 3 * 3
            return UInt8(sample + 2 - index % 3)
        }
        expectEqual(output, expected)
        var room = [UInt8](repeating: 0, count: 6)
        try expectEqual(Self.next(of: encoder, into: &room), nil)
    }

    private static func next(
        of encoder: ConstantPacketEncoder, into room: inout [UInt8]
    ) throws(CodecError) -> EncodedPacket? {
        try unsafe room.withUnsafeMutableBufferPointer {
            (room: inout UnsafeMutableBufferPointer<UInt8>) throws(CodecError) in
            try unsafe encoder.nextPacket(into: UnsafeMutableRawBufferPointer(room))
        }
    }

    @Test("incomplete frames, frames after the end and unsupported formats are refused")
    func refused() throws {
        let encoder = try ConstantPacketEncoder(outputFormat: Self.format(kAudioFormatULaw))
        let cut = #expect(throws: CodecError.self) {
            try unsafe [UInt8](repeating: 0, count: 3).withUnsafeBytes { try unsafe encoder.append($0) }
        }
        expectEqual(cut?.code, .invalidFormat)
        encoder.finish()
        let late = #expect(throws: CodecError.self) {
            try unsafe [UInt8](repeating: 0, count: 2).withUnsafeBytes { try unsafe encoder.append($0) }
        }
        expectEqual(late?.code, .invalidFormat)
        var wrong = Self.format(kAudioFormatULaw)
        wrong.mBytesPerPacket = 3
        #expect(throws: CodecError.self) { _ = try ConstantPacketEncoder(outputFormat: wrong) }
        let apart = Format.float(isInterleaved: false, channels: 2, sampleRate: 8000)
        #expect(throws: CodecError.self) { _ = try ConstantPacketEncoder(outputFormat: apart) }
        #expect(throws: CodecError.self) {
            _ = try ConstantPacketEncoder(outputFormat: Self.format(kAudioFormatMPEG4AAC))
        }
    }
}
