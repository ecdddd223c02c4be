// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation
import Foundation
import Testing

@testable import AQToolboxFunctions

@Suite struct ConverterPropertyTests {
    @Test("every function refuses an invalid or disposed converter")
    func refusesHandles() {
        let stale = ConverterCalls(from: shorts(), to: floats())
        unsafe expectEqual(audioConverterDispose(stale.handle), noErr)
        let foreign = unsafe OpaquePointer(bitPattern: 0x1234)
        let handles = unsafe [nil, stale.handle, foreign]
        unsafe handles.forEach { handle in
            unsafe expectEqual(audioConverterDispose(handle), kAudio_ParamError)
            unsafe expectEqual(audioConverterReset(handle), kAudio_ParamError)
            unsafe expectEqual(audioConverterGetPropertyInfo(handle, 0, nil, nil), kAudio_ParamError)
            var size: UInt32 = 4
            var value: UInt32 = 0
            unsafe expectEqual(audioConverterGetProperty(handle, 0, &size, &value), kAudio_ParamError)
            unsafe expectEqual(audioConverterSetProperty(handle, 0, 4, &value), kAudio_ParamError)
        }
    }

    @Test("invalid formats and rates out of range have results of their own")
    func refusesFormats() {
        expectEqual(
            ConverterCalls(from: shorts(rate: -1), to: floats()).status,
            kAudioConverterErr_InputSampleRateOutOfRange)
        expectEqual(
            ConverterCalls(from: shorts(), to: floats(rate: 1e9)).status,
            kAudioConverterErr_OutputSampleRateOutOfRange)
        let unknown = AudioStreamBasicDescription.encoded(
            0x3F3F_3F3F, framesPerPacket: 1024, channels: 2, sampleRate: 48_000)
        expectEqual(ConverterCalls(from: unknown, to: floats()).status, kAudioConverterErr_FormatNotSupported)
        expectEqual(audioConverterNew(nil, nil, nil), kAudio_ParamError)
    }

    @Test("a codec description must be of software")
    func choosesCodecs() {
        var source = AudioStreamBasicDescription.encoded(
            kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000)
        var destination = shorts(rate: 8000)
        var codec = AudioClassDescription(
            mType: kAudioDecoderComponentType, mSubType: kAudioFormatULaw,
            mManufacturer: kAppleSoftwareAudioCodecManufacturer)
        var handle: AudioConverterRef?
        unsafe expectEqual(audioConverterNewSpecific(&source, &destination, 1, &codec, &handle), noErr)
        unsafe expectEqual(audioConverterDispose(handle), noErr)
        codec.mManufacturer = kAppleHardwareAudioCodecManufacturer
        unsafe expectEqual(
            audioConverterNewSpecific(&source, &destination, 1, &codec, &handle),
            kAudioConverterErr_FormatNotSupported)
    }

    @Test(
        "properties have the published sizes",
        arguments: [
            (kAudioConverterCurrentInputStreamDescription, 40, false),
            (kAudioConverterCurrentOutputStreamDescription, 40, true),
            (kAudioConverterPropertyMinimumInputBufferSize, 4, false),
            (kAudioConverterPropertyMinimumOutputBufferSize, 4, false),
            (kAudioConverterPropertyMaximumInputPacketSize, 4, false),
            (kAudioConverterPropertyMaximumOutputPacketSize, 4, false),
            (kAudioConverterPropertyCalculateInputBufferSize, 4, false),
            (kAudioConverterPropertyCalculateOutputBufferSize, 4, false),
            (kAudioConverterSampleRateConverterComplexity, 4, true),
            (kAudioConverterSampleRateConverterQuality, 4, true),
            (kAudioConverterSampleRateConverterInitialPhase, 8, true),
            (kAudioConverterPrimeMethod, 4, true),
            (kAudioConverterPrimeInfo, 8, true),
            (kAudioConverterChannelMap, 8, true),
            (kAudioConverterPropertyChannelMixMap, 8, true),
            (kAudioConverterPropertyPerformDownmix, 4, true),
            (kAudioConverterPropertyDithering, 4, true),
            (kAudioConverterPropertyDitherBitDepth, 4, true),
            (kAudioConverterInputChannelLayout, 32, true),
            (kAudioConverterOutputChannelLayout, 32, true),
            (kAudioConverterPropertyFormatList, 48, false),
            (kAudioConverterPropertyDamagedPacketCount, 8, false),
        ])
    func tellsSizes(property: AudioConverterPropertyID, bytes: Int, isWritable: Bool) {
        let converter = ConverterCalls(from: shorts(), to: floats(channels: 2))
        let info = converter.info(property)
        expectEqual(info.status, noErr)
        expectEqual(info.bytes, bytes)
        expectEqual(info.isWritable, isWritable)
        expectEqual(converter.get(property).bytes.count, bytes)
        #expect(
            converter.get(property, room: bytes - 1).status == kAudioConverterErr_BadPropertySizeError
                || property == kAudioConverterChannelMap || property == kAudioConverterPropertyChannelMixMap)
    }

    @Test(
        "an encoder's properties do not exist for PCM",
        arguments: [
            kAudioConverterEncodeBitRate, kAudioConverterCodecQuality, kAudioConverterPropertyBitDepthHint,
            kAudioConverterCompressionMagicCookie, kAudioConverterApplicableEncodeBitRates,
        ])
    func hasNoEncoder(property: AudioConverterPropertyID) {
        let converter = ConverterCalls(from: shorts(), to: floats())
        expectEqual(converter.info(property).status, kAudioConverterErr_PropertyNotSupported)
        expectEqual(converter.get(property).status, kAudioConverterErr_PropertyNotSupported)
    }

    @Test("byte counts are translated to those of the other side")
    func translates() {
        let converter = ConverterCalls(from: shorts(), to: floats(channels: 2))
        var value: UInt32 = 100
        var size: UInt32 = 4
        let output = kAudioConverterPropertyCalculateOutputBufferSize
        unsafe expectEqual(audioConverterGetProperty(converter.handle, output, &size, &value), noErr)
        expectEqual(value, 400)
        let input = kAudioConverterPropertyCalculateInputBufferSize
        unsafe expectEqual(audioConverterGetProperty(converter.handle, input, &size, &value), noErr)
        expectEqual(value, 100)
    }

    @Test("a channel missing in the input is silent, unless a map fills it")
    func mapsChannels() {
        let converter = ConverterCalls(from: floats(), to: floats(channels: 2))
        let giver = BlockGiver([bytes([0.25, 0.5] as [Float])], bytesPerPacket: 4)
        let silent = converter.fill(packets: 2, from: giver)
        expectEqual(samples(Float.self, silent.bytes), [0.25, 0, 0.5, 0])
        expectEqual(samples(Int32.self, converter.get(kAudioConverterChannelMap).bytes), [0, -1])
        unsafe expectEqual(audioConverterReset(converter.handle), noErr)
        expectEqual(converter.set(kAudioConverterChannelMap, list: [0, 0]), noErr)
        giver.blocks = [bytes([0.25, 0.5] as [Float])]
        let doubled = converter.fill(packets: 2, from: giver)
        expectEqual(samples(Float.self, doubled.bytes), [0.25, 0.25, 0.5, 0.5])
    }

    @Test("channels beyond the output's are dropped, unless mixing is enabled")
    func mixesChannels() {
        let converter = ConverterCalls(from: floats(channels: 2), to: floats())
        let giver = BlockGiver([bytes([0.5, 0.25] as [Float])], bytesPerPacket: 8)
        expectEqual(samples(Float.self, converter.fill(packets: 1, from: giver).bytes), [0.5])
        expectEqual(converter.set(kAudioConverterPropertyPerformDownmix, 1 as UInt32), noErr)
        expectEqual(
            converter.set(kAudioConverterChannelMap, list: [1]), kAudioConverterErr_OperationNotSupported)
        unsafe expectEqual(audioConverterReset(converter.handle), noErr)
        giver.blocks = [bytes([0.5, 0.25] as [Float])]
        let mixed = samples(Float.self, converter.fill(packets: 1, from: giver).bytes)
        #expect(mixed.count == 1 && mixed[0] > 0.25 && mixed[0] != 0.5)
    }

    @Test("a property that was set can be read, and a read-only one is refused")
    func setsNumbers() {
        let converter = ConverterCalls(from: shorts(rate: 44_100), to: shorts(rate: 48_000))
        let quality = kAudioConverterSampleRateConverterQuality
        expectEqual(converter.set(quality, 100 as UInt32), noErr)
        expectEqual(converter.number(quality), 100)
        expectEqual(converter.set(quality, 128 as UInt32), kAudio_ParamError)
        expectEqual(converter.set(quality, 1 as UInt16), kAudioConverterErr_BadPropertySizeError)
        expectEqual(converter.number(quality), 100)
        let method = kAudioConverterPrimeMethod
        expectEqual(converter.set(method, kConverterPrimeMethod_None), noErr)
        expectEqual(converter.number(method), kConverterPrimeMethod_None)
        expectEqual(converter.set(method, 3 as UInt32), kAudio_ParamError)
        let complexity = kAudioConverterSampleRateConverterComplexity
        expectEqual(converter.set(complexity, kAudioConverterSampleRateConverterComplexity_Mastering), noErr)
        expectEqual(
            converter.set(complexity, kAudioConverterSampleRateConverterComplexity_MinimumPhase), noErr)
        expectEqual(converter.set(complexity, 1 as UInt32), kAudio_ParamError)
        expectEqual(
            converter.set(kAudioConverterPropertyMinimumInputBufferSize, 4 as UInt32),
            kAudioConverterErr_OperationNotSupported)
        expectEqual(converter.set(0x3F3F_3F3F, 0 as UInt32), kAudioConverterErr_PropertyNotSupported)
    }

    @Test("the settings of one converter can be set on another as a whole, or not at all")
    func copiesSettings() {
        let settings = kAudioConverterPropertySettings
        let quality = kAudioConverterSampleRateConverterQuality
        let one = ConverterCalls(from: shorts(rate: 44_100), to: shorts(rate: 48_000))
        expectEqual(one.set(quality, 10 as UInt32), noErr)
        expectEqual(one.set(kAudioConverterPropertyDithering, kDitherAlgorithm_TPDF), noErr)
        expectEqual(one.info(settings).bytes, 8)
        guard let address = samples(UInt.self, one.get(settings).bytes).first,
            let list = unsafe UnsafeRawPointer(bitPattern: address)
        else {
            Issue.record("there are no settings")
            return
        }
        defer { unsafe Unmanaged<CFArray>.fromOpaque(list).release() }
        let other = ConverterCalls(from: floats(rate: 8000), to: shorts(rate: 16_000))
        expectEqual(other.set(settings, address), noErr)
        expectEqual(other.number(quality), 10)
        expectEqual(other.number(kAudioConverterPropertyDithering), kDitherAlgorithm_TPDF)
        expectEqual(other.set(settings, 0 as UInt), kAudio_ParamError)
        // After valid settings, an element of another type, and a number that is not possible.
        expectEqual(other.set(quality, 20 as UInt32), noErr)
        let key = "'srcq'" as NSString
        let valid = [key: "10" as NSString] as NSDictionary
        for invalid in ["10" as NSString, [key: "1000" as NSString] as NSDictionary] as [NSObject] {
            let lists = [valid, invalid] as NSArray
            let status = withExtendedLifetime(lists) {
                other.set(settings, unsafe UInt(bitPattern: Unmanaged.passUnretained(lists).toOpaque()))
            }
            expectEqual(status, kAudio_ParamError)
            expectEqual(other.number(quality), 20)
        }
    }

    @Test("a truncated layout, and one of other channels, change nothing")
    func refusesLayouts() {
        let converter = ConverterCalls(from: shorts(channels: 2), to: floats(channels: 2))
        let before = converter.get(kAudioConverterInputChannelLayout).bytes
        let property = kAudioConverterInputChannelLayout
        expectEqual(converter.set(property, bytes: [0, 0, 0, 0]), kAudioConverterErr_BadPropertySizeError)
        let mono: [UInt32] = [kAudioChannelLayoutTag_Mono, 0, 0]
        expectEqual(converter.set(property, bytes: bytes(mono)), kAudio_ParamError)
        // Described channels without any.
        let described = bytes([0, 0, 2] as [UInt32])
        expectEqual(
            converter.set(property, bytes: described), kAudioConverterErr_BadPropertySizeError)
        expectEqual(converter.get(property).bytes, before)
    }

    private func encoder() -> ConverterCalls {
        let aac = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44_100)
        return ConverterCalls(from: shorts(channels: 2, rate: 44_100), to: aac)
    }

    @Test(
        "a bit rate that is set applies to the encoder, while it runs from the next stream on",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable, "no AAC encoder is installed"
        ))
    func setsBitRate() {
        let converter = encoder()
        let property = kAudioConverterEncodeBitRate
        expectEqual(converter.set(property, 96_000 as UInt32), noErr)
        expectEqual(converter.number(property), 96_000)
        let giver = BlockGiver([[UInt8](repeating: 0, count: 40_000)], bytesPerPacket: 4)
        expectEqual(converter.fill(packets: 1, bytes: 4096, isDescribed: true, from: giver).packets, 1)
        expectEqual(converter.set(property, 64_000 as UInt32), noErr)
        expectEqual(converter.number(property), 96_000)
        unsafe expectEqual(audioConverterReset(converter.handle), noErr)
        expectEqual(converter.number(property), 64_000)
    }

    @Test(
        "the rate control of an AAC encoder can be set by the codec's property, except for a variable rate",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable, "no AAC encoder is installed"
        ))
    func controlsBitRate() {
        let converter = encoder()
        let property: AudioConverterPropertyID = kAudioCodecPropertyBitRateControlMode
        #expect(converter.info(property).isWritable)
        expectEqual(converter.number(property), 1)
        for control in [0, 2, 1] as [UInt32] {
            expectEqual(converter.set(property, control), noErr)
            expectEqual(converter.number(property), control)
        }
        expectEqual(converter.set(property, 3 as UInt32), kAudio_ParamError)
        expectEqual(converter.number(property), 1)
        let samples = ConverterCalls(from: shorts(), to: floats())
        expectEqual(samples.set(property, 1 as UInt32), kAudioConverterErr_PropertyNotSupported)
    }
}
