// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// The behaviour that programs rely on that encode, and decode packets of a file.
@Suite struct ConverterCodecTests {
    private static let hasAAC = CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable
    private static let hasALAC = CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable

    /// Not a multiple of the packet length.
    private let sound: [Int16] = (0..<30_001).map { Int16(truncatingIfNeeded: $0 &* $0 / 50) / 4 }

    private struct Encoded {
        var format: AudioStreamBasicDescription
        var cookie: [UInt8]
        var packets: [[UInt8]]
        var prime: [UInt32]
    }

    private static func format(_ formatID: AudioFormatID) -> AudioStreamBasicDescription {
        .encoded(
            formatID, framesPerPacket: formatID == kAudioFormatAppleLossless ? 4096 : 1024, channels: 1,
            sampleRate: 44_100)
    }

    private func encode(_ formatID: AudioFormatID) -> Encoded {
        let converter = ConverterCalls(from: shorts(rate: 44_100), to: Self.format(formatID))
        return encode(with: converter, from: BlockGiver([bytes(sound)], bytesPerPacket: 2))
    }

    private func encode(with converter: ConverterCalls, from giver: BlockGiver) -> Encoded {
        var packets: [[UInt8]] = []
        while true {
            let filled = converter.fill(packets: 4, bytes: 1 << 16, isDescribed: true, from: giver)
            expectEqual(filled.status, noErr)
            guard filled.packets > 0 else { break }
            var rest = filled.bytes[...]
            for size in filled.sizes {
                packets.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
        }
        let formats = samples(
            AudioStreamBasicDescription.self,
            converter.get(kAudioConverterCurrentOutputStreamDescription).bytes)
        return Encoded(
            format: formats.first ?? AudioStreamBasicDescription(),
            cookie: converter.get(kAudioConverterCompressionMagicCookie).bytes, packets: packets,
            prime: samples(UInt32.self, converter.get(kAudioConverterPrimeInfo).bytes))
    }

    private func decoder(of encoded: Encoded) -> ConverterCalls {
        let converter = ConverterCalls(from: encoded.format, to: shorts(rate: 44_100))
        expectEqual(converter.set(kAudioConverterDecompressionMagicCookie, bytes: encoded.cookie), noErr)
        return converter
    }

    /// Reads a stream from its first packet to its end.
    private func decode(_ encoded: Encoded, with converter: ConverterCalls) -> [Int16] {
        let giver = BlockGiver(packets: encoded.packets)
        var played: [Int16] = []
        while true {
            let filled = converter.fill(packets: 999, from: giver)
            expectEqual(filled.status, noErr)
            guard filled.packets > 0 else { return played }
            played += samples(Int16.self, filled.bytes)
        }
    }

    @Test(
        "packets that became silence are counted, over a reset too",
        .enabled(if: hasALAC, "no ALAC encoder is installed"))
    func countsDamagedPackets() {
        let encoded = encode(kAudioFormatAppleLossless)
        var damaged = encoded
        damaged.packets[2] = Array(repeating: 0, count: encoded.packets[2].count)
        damaged.packets[5] = [0xFF]
        let converter = decoder(of: encoded)
        let count = { samples(UInt64.self, converter.get(kAudioConverterPropertyDamagedPacketCount).bytes) }
        expectEqual(count(), [0])
        let played = decode(damaged, with: converter)
        expectEqual(played.count, sound.count)
        #expect(played[2 * 4096..<3 * 4096].allSatisfy { $0 == 0 })
        expectEqual(count(), [2])
        // Another engine replaces the first.
        expectEqual(
            converter.set(kAudioConverterSampleRateConverterQuality, kAudioConverterQuality_Low), noErr)
        unsafe expectEqual(audioConverterReset(converter.handle), noErr)
        expectEqual(count(), [2])
        expectEqual(firstDifference(decode(encoded, with: converter), sound), nil)
        expectEqual(count(), [2])
    }

    @Test(
        "lossless packets return exactly the frames that were encoded",
        .enabled(if: hasALAC, "no ALAC encoder is installed"))
    func endsExactly() {
        let encoded = encode(kAudioFormatAppleLossless)
        expectEqual(encoded.packets.count, 8)
        expectEqual(encoded.prime, [0, 8 * 4096 - 30_001])
        expectEqual(firstDifference(decode(encoded, with: decoder(of: encoded)), sound), nil)
    }

    @Test(
        "the first frames of a decoder are dropped if they are declared as priming",
        .enabled(if: hasAAC, "no AAC encoder is installed"))
    func dropsPriming() throws {
        let encoded = encode(kAudioFormatMPEG4AAC)
        let property = kAudioConverterPrimeInfo
        let converter = decoder(of: encoded)
        expectEqual(samples(UInt32.self, converter.get(property).bytes), [0, 0])
        let all = decode(encoded, with: converter)
        expectEqual(all.count, encoded.packets.count * 1024)
        let leading = try #require(encoded.prime.first)
        #expect(leading > 0)
        // The client must trim the end, whatever it sets here.
        let info = AudioConverterPrimeInfo(leadingFrames: leading, trailingFrames: 100)
        // The stream has begun: this applies to the next one.
        expectEqual(converter.set(property, info), noErr)
        expectEqual(samples(UInt32.self, converter.get(property).bytes), [leading, 100])
        #expect(decode(encoded, with: converter).isEmpty)
        unsafe expectEqual(audioConverterReset(converter.handle), noErr)
        let early = decoder(of: encoded)
        expectEqual(early.set(property, info), noErr)
        for other in [converter, early, early] {
            expectEqual(firstDifference(decode(encoded, with: other), all[Int(leading)...]), nil)
            unsafe expectEqual(audioConverterReset(other.handle), noErr)
        }
    }

    @Test(
        "from packets to packets, the first frames are dropped too, and the encoder's own priming is reported",
        .enabled(if: hasAAC && hasALAC, "no AAC or no ALAC encoder is installed"))
    func dropsPrimingBetweenPackets() {
        let encoded = encode(kAudioFormatMPEG4AAC)
        let converter = ConverterCalls(from: encoded.format, to: Self.format(kAudioFormatAppleLossless))
        expectEqual(converter.set(kAudioConverterDecompressionMagicCookie, bytes: encoded.cookie), noErr)
        let info = AudioConverterPrimeInfo(leadingFrames: 1000, trailingFrames: 0)
        expectEqual(converter.set(kAudioConverterPrimeInfo, info), noErr)
        expectEqual(samples(UInt32.self, converter.get(kAudioConverterPrimeInfo).bytes), [0, 0])
        let lossless = encode(with: converter, from: BlockGiver(packets: encoded.packets))
        let frames = decode(encoded, with: decoder(of: encoded)).count
        expectEqual(decode(lossless, with: decoder(of: lossless)).count, frames - 1000)
    }

    @Test(
        "an encoder's own priming cannot be set by the client",
        .enabled(if: hasAAC, "no AAC encoder is installed"))
    func keepsEncoderPriming() {
        let converter = ConverterCalls(
            from: shorts(rate: 44_100), to: Self.format(kAudioFormatMPEG4AAC))
        let before = converter.get(kAudioConverterPrimeInfo).bytes
        expectEqual(converter.set(kAudioConverterPrimeInfo, bytes: before), noErr)
        expectEqual(
            converter.set(
                kAudioConverterPrimeInfo, AudioConverterPrimeInfo(leadingFrames: 7, trailingFrames: 0)),
            kAudioConverterErr_OperationNotSupported)
        expectEqual(converter.get(kAudioConverterPrimeInfo).bytes, before)
    }

    @Test(
        "a status during a call is returned with the frames before it, and no frame is lost or repeated",
        .enabled(if: hasALAC, "no ALAC encoder is installed"))
    func goesOnAfterStatus() {
        let encoded = encode(kAudioFormatAppleLossless)
        let converter = decoder(of: encoded)
        for _ in 0..<2 {
            let giver = BlockGiver(packets: Array(encoded.packets[..<3]))
            giver.statusWithoutBlock = 77
            let first = converter.fill(packets: 40_000, from: giver)
            expectEqual(first.status, 77)
            expectEqual(firstDifference(samples(Int16.self, first.bytes), sound[..<(3 * 4096)]), nil)
            let none = converter.fill(packets: 40_000, from: giver)
            #expect(none.status == 77 && none.packets == 0 && none.bytes.isEmpty)
            giver.blocks = Array(encoded.packets[3...])
            giver.statusWithoutBlock = noErr
            let second = converter.fill(packets: 40_000, from: giver)
            expectEqual(second.status, noErr)
            expectEqual(firstDifference(samples(Int16.self, second.bytes), sound[(3 * 4096)...]), nil)
            // The end remains the end, until a reset begins the next stream.
            giver.blocks = encoded.packets
            expectEqual(converter.fill(packets: 10, from: giver).packets, 0)
            unsafe expectEqual(audioConverterReset(converter.handle), noErr)
        }
    }

    @Test(
        "an encoder that gets a status keeps the frames that fill no packet so far",
        .enabled(if: hasALAC, "no ALAC encoder is installed"))
    func encodesOnAfterStatus() {
        let whole = encode(kAudioFormatAppleLossless)
        let converter = ConverterCalls(from: shorts(rate: 44_100), to: whole.format)
        for _ in 0..<2 {
            let giver = BlockGiver([bytes(Array(sound[..<10_000]))], bytesPerPacket: 2)
            giver.statusWithoutBlock = 77
            let first = converter.fill(packets: 100, bytes: 1 << 17, isDescribed: true, from: giver)
            #expect(first.status == 77 && first.packets == 2)
            giver.blocks = [bytes(Array(sound[10_000...]))]
            giver.statusWithoutBlock = noErr
            let second = converter.fill(packets: 100, bytes: 1 << 17, isDescribed: true, from: giver)
            #expect(second.status == noErr && second.packets == 6)
            expectEqual(firstDifference(first.bytes + second.bytes, whole.packets.joined()), nil)
            expectEqual(converter.fill(packets: 1, bytes: 1 << 16, isDescribed: true, from: giver).packets, 0)
            unsafe expectEqual(audioConverterReset(converter.handle), noErr)
        }
    }
}
