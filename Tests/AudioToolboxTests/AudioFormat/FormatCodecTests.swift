// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

/// The available codecs and their formats.
@Suite struct FormatCodecTests {
    private typealias Ask = FormatQuestion

    @Test("the formats that can be encoded and decoded are those of the engine")
    func formats() throws {
        let encoded: [AudioFormatID] = try Ask.values(kAudioFormatProperty_EncodeFormatIDs)
        let decoded: [AudioFormatID] = try Ask.values(kAudioFormatProperty_DecodeFormatIDs)
        expectEqual(encoded, CodecAvailability.encodableFormats())
        expectEqual(decoded, CodecAvailability.decodableFormats())
        #expect(encoded.contains(kAudioFormatLinearPCM))
    }

    @Test("each format has a codec, of the software's manufacturer, or none")
    func codecs() throws {
        let decoders: [AudioClassDescription] = try Ask.values(
            kAudioFormatProperty_Decoders, Ask.specifier(kAudioFormatALaw))
        expectEqual(decoders.count, 1)
        expectEqual(decoders.first?.mType, kAudioDecoderComponentType)
        expectEqual(decoders.first?.mSubType, kAudioFormatALaw)
        expectEqual(decoders.first?.mManufacturer, kAppleSoftwareAudioCodecManufacturer)
        let encoders: [AudioClassDescription] = try Ask.values(
            kAudioFormatProperty_Encoders, Ask.specifier(kAudioFormatAC3))
        #expect(encoders.isEmpty)
        let hardware: UInt32 = try Ask.value(
            kAudioFormatProperty_HardwareCodecCapabilities, decoders.flatMap { Ask.specifier($0) })
        expectEqual(hardware, 0)
    }

    @Test(
        "every rate and channel count that an encoder lists can be encoded",
        arguments: [
            kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3, kAudioFormatAppleLossless, kAudioFormatAppleIMA4,
        ])
    func encoderFacts(id: AudioFormatID) throws {
        guard CodecAvailability.encoder(of: id).isAvailable else {
            expectEqual(
                Ask.status(kAudioFormatProperty_AvailableEncodeSampleRates, Ask.specifier(id)),
                kAudioFormatUnsupportedDataFormatError)
            return
        }
        let question = Ask.specifier(
            AudioStreamBasicDescription.encoded(id, framesPerPacket: 0, channels: 0, sampleRate: 0))
        let rates: [AudioValueRange] = try Ask.values(
            kAudioFormatProperty_AvailableEncodeSampleRates, Ask.specifier(id))
        let channels: [UInt32] = try Ask.values(kAudioFormatProperty_AvailableEncodeNumberChannels, question)
        let tags: [UInt32] = try Ask.values(kAudioFormatProperty_AvailableEncodeChannelLayoutTags, question)
        expectEqual(Set(tags.map { $0 & 0xFFFF }), Set(channels))
        for rate in rates where rate.mMinimum == rate.mMaximum {
            _ = try makePacketEncoder(
                for: .encoded(id, framesPerPacket: 0, channels: 2, sampleRate: rate.mMinimum))
        }
        for number in channels {
            _ = try makePacketEncoder(
                for: .encoded(id, framesPerPacket: 0, channels: Int(number), sampleRate: 44_100))
        }
    }

    @Test("only lossy encoders have a choice of bit rates")
    func bitRates() throws {
        let property = kAudioFormatProperty_AvailableEncodeBitRates
        let none: [AudioValueRange] = try Ask.values(property, Ask.specifier(kAudioFormatLinearPCM))
        #expect(none.isEmpty)
        if CodecAvailability.encoder(of: kAudioFormatMPEGLayer3).isAvailable {
            let rates: [AudioValueRange] = try Ask.values(property, Ask.specifier(kAudioFormatMPEGLayer3))
            #expect(rates.contains { $0.mMinimum == 128_000 && $0.mMaximum == 128_000 })
        }
        expectEqual(
            Ask.status(property, Ask.specifier(kAudioFormatAC3)), kAudioFormatUnsupportedDataFormatError)
    }

    @Test("PCM has any number of channels; decoders have theirs")
    func decodedChannels() throws {
        func channels(_ id: AudioFormatID) throws -> [UInt32] {
            try Ask.values(
                kAudioFormatProperty_AvailableDecodeNumberChannels,
                Ask.specifier(
                    AudioStreamBasicDescription.encoded(id, framesPerPacket: 0, channels: 0, sampleRate: 0)))
        }
        try expectEqual(channels(kAudioFormatLinearPCM), [UInt32.max])
        #if HAVE_MPEG_AUDIO
        try expectEqual(channels(kAudioFormatMPEGLayer3), [1, 2])
        #endif
        #expect(throws: Ask.Failure(kAudioFormatUnsupportedDataFormatError)) { try channels(kAudioFormatAC3) }
    }
}
