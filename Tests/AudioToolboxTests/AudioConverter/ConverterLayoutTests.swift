// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// Layouts of files, set on the packet side: codecs have their own order.
@Suite struct ConverterLayoutTests {
    private static let hasAAC = CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable
    private static let hasALAC = CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable

    private struct Encoded {
        var packets: [[UInt8]] = []
        var cookie: [UInt8] = []
        var format = AudioStreamBasicDescription()
    }

    /// Frames of six channels with different pitches and levels.
    private let sound: [Int16] = (0..<12_000).flatMap { frame in
        (0..<6).map { channel in
            let period = 30 + 17 * channel
            return Int16((frame % period * 2 - period) * (60 - 9 * channel))
        }
    }

    private func layout(_ tag: AudioChannelLayoutTag) -> AudioChannelLayout {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = tag
        return layout
    }

    private func encode(
        _ formatID: AudioFormatID, _ sound: [Int16], from input: AudioChannelLayoutTag? = nil,
        to output: AudioChannelLayoutTag? = nil, channels: Int = 6
    ) -> Encoded {
        let format = AudioStreamBasicDescription.encoded(
            formatID, framesPerPacket: 0, channels: channels, sampleRate: 48_000)
        let converter = ConverterCalls(from: shorts(channels: channels), to: format)
        expectEqual(converter.status, noErr)
        if let input { expectEqual(converter.set(kAudioConverterInputChannelLayout, layout(input)), noErr) }
        if let output {
            expectEqual(converter.set(kAudioConverterOutputChannelLayout, layout(output)), noErr)
            expectEqual(tag(converter, kAudioConverterOutputChannelLayout), output)
        }
        let giver = BlockGiver([bytes(sound)], bytesPerPacket: 2 * channels)
        var encoded = Encoded(
            cookie: converter.get(kAudioConverterCompressionMagicCookie).bytes,
            format: samples(
                AudioStreamBasicDescription.self,
                converter.get(kAudioConverterCurrentOutputStreamDescription).bytes
            ).first ?? format)
        while true {
            let filled = converter.fill(packets: 1, bytes: 1 << 17, isDescribed: true, from: giver)
            expectEqual(filled.status, noErr)
            guard filled.packets > 0 else { return encoded }
            encoded.packets.append(filled.bytes)
        }
    }

    private func decode(
        _ encoded: Encoded, from input: AudioChannelLayoutTag? = nil, to output: AudioChannelLayoutTag? = nil
    ) -> [Int16] {
        let channels = Int(encoded.format.mChannelsPerFrame)
        let converter = ConverterCalls(from: encoded.format, to: shorts(channels: channels))
        expectEqual(converter.set(kAudioConverterDecompressionMagicCookie, bytes: encoded.cookie), noErr)
        if let input {
            expectEqual(converter.set(kAudioConverterInputChannelLayout, layout(input)), noErr)
            expectEqual(tag(converter, kAudioConverterInputChannelLayout), input)
        }
        if let output {
            expectEqual(converter.set(kAudioConverterOutputChannelLayout, layout(output)), noErr)
        }
        let giver = BlockGiver(packets: encoded.packets)
        var played: [Int16] = []
        while true {
            let filled = converter.fill(packets: 999, from: giver)
            expectEqual(filled.status, noErr)
            guard filled.packets > 0 else { return played }
            played += samples(Int16.self, filled.bytes)
        }
    }

    private func tag(
        _ converter: ConverterCalls, _ property: AudioConverterPropertyID
    ) -> AudioChannelLayoutTag? {
        samples(UInt32.self, converter.get(property).bytes).first
    }

    @Test("packets are decoded to the client's channel order, whatever order the file states")
    func decodes() {
        var codecs: [(AudioFormatID, AudioChannelLayoutTag)] = []
        if Self.hasAAC { codecs.append((kAudioFormatMPEG4AAC, kAudioChannelLayoutTag_AAC_5_1)) }
        if Self.hasALAC { codecs.append((kAudioFormatAppleLossless, kAudioChannelLayoutTag_MPEG_5_1_D)) }
        for (formatID, own) in codecs {
            let encoded = encode(formatID, sound)
            let plain = decode(encoded)
            #expect(plain.count >= sound.count)
            let client = kAudioChannelLayoutTag_MPEG_5_1_A
            expectEqual(firstDifference(decode(encoded, from: own, to: client), plain), nil)
            expectEqual(firstDifference(decode(encoded, from: client, to: client), plain), nil)
            expectEqual(firstDifference(decode(encoded, from: own), plain), nil)
            // L, R, Ls, Rs, C, LFE.
            let moved = decode(encoded, from: own, to: kAudioChannelLayoutTag_MPEG_5_1_B)
            let expected = stride(from: 0, to: plain.count, by: 6).flatMap { frame in
                [0, 1, 4, 5, 2, 3].map { plain[frame + $0] }
            }
            expectEqual(firstDifference(moved, expected), nil)
        }
    }

    @Test("packets are encoded the same, whatever order the source states")
    func encodes() {
        var codecs: [(AudioFormatID, AudioChannelLayoutTag)] = []
        if Self.hasAAC { codecs.append((kAudioFormatMPEG4AAC, kAudioChannelLayoutTag_AAC_5_1)) }
        if Self.hasALAC { codecs.append((kAudioFormatAppleLossless, kAudioChannelLayoutTag_MPEG_5_1_D)) }
        for (formatID, own) in codecs {
            let plain = encode(formatID, sound)
            let reported = encode(formatID, sound, from: kAudioChannelLayoutTag_MPEG_5_1_A, to: own)
            #expect(plain.packets.count > 2)
            expectEqual(firstDifference(reported.packets.joined(), plain.packets.joined()), nil)
        }
    }

    @Test(
        "channels that the codec knows by other names keep their order",
        .enabled(if: hasALAC, "no ALAC encoder is installed"))
    func otherNames() {
        let quadraphonic = kAudioChannelLayoutTag_Quadraphonic
        let four = Array(sound.prefix(4 * 8192))
        let plain = encode(kAudioFormatAppleLossless, four, channels: 4)
        let reported = encode(
            kAudioFormatAppleLossless, four, from: quadraphonic, to: quadraphonic, channels: 4)
        expectEqual(firstDifference(reported.packets.joined(), plain.packets.joined()), nil)
        expectEqual(firstDifference(decode(plain, from: quadraphonic, to: quadraphonic), four), nil)
    }
}
