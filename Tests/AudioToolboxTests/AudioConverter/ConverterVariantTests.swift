// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// Other functions that fill buffers, and properties of some converters only.
@Suite struct ConverterVariantTests {
    @Test("the libraries of codecs are loaded in the background, and the completion is reported")
    func prepares() async {
        let status = await withCheckedContinuation { continuation in
            audioConverterPrepare(0, nil) { continuation.resume(returning: $0) }
        }
        expectEqual(status, noErr)
        audioConverterPrepare(0, nil, nil)
    }

    @Test("samples are converted for a thread that must not wait")
    func realTimeSafe() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([bytes([16_384, -16_384] as [Int16])], bytesPerPacket: 2)
        var output: [Float] = [9, 9]
        var count: UInt32 = 2
        let status = unsafe output.withUnsafeMutableBytes { memory in
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(
                    mNumberChannels: 1, mDataByteSize: UInt32(memory.count), mData: memory.baseAddress))
            return unsafe audioConverterFillComplexBufferRealtimeSafe(
                converter.handle, giveBlock, giver.context, &count, &list, nil)
        }
        expectEqual(status, noErr)
        expectEqual(count, 2)
        expectEqual(output, [0.5, -0.5])
    }

    @Test("encoding and decoding are refused for a thread that must not wait")
    func realTimeSafeCodecs() {
        let encoded = AudioStreamBasicDescription.encoded(
            kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000)
        for converter in [
            ConverterCalls(from: shorts(rate: 8000), to: encoded),
            ConverterCalls(from: encoded, to: shorts(rate: 8000)),
        ] {
            let giver = BlockGiver([[0, 0]], bytesPerPacket: 1)
            var byte: [UInt8] = [0, 0]
            var count: UInt32 = 1
            let status = unsafe byte.withUnsafeMutableBytes { memory in
                var list = unsafe AudioBufferList(
                    mNumberBuffers: 1,
                    mBuffers: AudioBuffer(
                        mNumberChannels: 1, mDataByteSize: UInt32(memory.count),
                        mData: memory.baseAddress))
                return unsafe audioConverterFillComplexBufferRealtimeSafe(
                    converter.handle, giveBlock, giver.context, &count, &list, nil)
            }
            expectEqual(status, kAudioConverterErr_OperationNotSupported)
            expectEqual(giver.calls, 0)
        }
    }

    @Test("packets of samples need none before them")
    func dependencies() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([bytes([16_384, 8192] as [Int16])], bytesPerPacket: 2)
        var output: [Float] = [9, 9]
        var needs = [AudioStreamPacketDependencyDescription](
            repeating: AudioStreamPacketDependencyDescription(
                mIsIndependentlyDecodable: 9, mPreRollCount: 9, mFlags: 9, mReserved: 9), count: 2)
        var count: UInt32 = 2
        let status = unsafe output.withUnsafeMutableBytes { memory in
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(
                    mNumberChannels: 1, mDataByteSize: UInt32(memory.count), mData: memory.baseAddress))
            return unsafe audioConverterFillComplexBufferWithPacketDependencies(
                converter.handle, giveBlock, giver.context, &count, &list, nil, &needs)
        }
        expectEqual(status, noErr)
        expectEqual(output, [0.5, 0.25])
        #expect(needs.allSatisfy { $0.mIsIndependentlyDecodable == 1 && $0.mPreRollCount == 0 })
    }

    @Test("a call without a procedure or buffers returns no dependencies")
    func noDependencies() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([bytes([16_384, 8192] as [Int16])], bytesPerPacket: 2)
        var needs = [AudioStreamPacketDependencyDescription](
            repeating: AudioStreamPacketDependencyDescription(
                mIsIndependentlyDecodable: 9, mPreRollCount: 9, mFlags: 9, mReserved: 9), count: 2)
        var count: UInt32 = 2
        var list = AudioBufferList()
        unsafe expectEqual(
            audioConverterFillComplexBufferWithPacketDependencies(
                converter.handle, nil, nil, &count, &list, nil, &needs), kAudio_ParamError)
        unsafe expectEqual(
            audioConverterFillComplexBufferWithPacketDependencies(
                converter.handle, giveBlock, giver.context, &count, nil, nil, &needs), kAudio_ParamError)
        #expect(needs.allSatisfy { $0.mIsIndependentlyDecodable == 9 })
        expectEqual(giver.calls, 0)
    }

    @Test(
        "properties that no converter here has are unknown",
        arguments: [
            kAudioConverterPropertyInputCodecParameters, kAudioConverterPropertyOutputCodecParameters,
            kAudioConverterPropertyMaximumInputBufferSize, kAudioConverterPropertyCanResumeFromInterruption,
        ])
    func lacksProperties(property: AudioConverterPropertyID) {
        let converter = ConverterCalls(from: shorts(), to: floats())
        expectEqual(converter.info(property).status, kAudioConverterErr_PropertyNotSupported)
        expectEqual(converter.get(property).status, kAudioConverterErr_PropertyNotSupported)
    }

    @Test("the older name of the rate converter's complexity has the same value")
    func olderName() {
        let converter = ConverterCalls(from: shorts(rate: 44_100), to: shorts(rate: 48_000))
        let complexity = kAudioConverterSampleRateConverterComplexity
        expectEqual(converter.set(complexity, kAudioConverterSampleRateConverterComplexity_Mastering), noErr)
        expectEqual(
            converter.number(kAudioConverterSampleRateConverterAlgorithm),
            kAudioConverterSampleRateConverterComplexity_Mastering)
    }

    @Test(
        "an encoder lists its possible settings",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable, "no AAC encoder is installed"
        ),
        arguments: [
            (kAudioConverterAvailableEncodeBitRates, 16), (kAudioConverterApplicableEncodeBitRates, 16),
            (kAudioConverterAvailableEncodeSampleRates, 16),
            (kAudioConverterApplicableEncodeSampleRates, 16),
            (kAudioConverterAvailableEncodeChannelLayoutTags, 4),
        ])
    func encoderLists(property: AudioConverterPropertyID, elementBytes: Int) {
        let aac = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44_100)
        let converter = ConverterCalls(from: shorts(channels: 2, rate: 44_100), to: aac)
        let info = converter.info(property)
        expectEqual(info.status, noErr)
        #expect(info.bytes > 0 && info.bytes % elementBytes == 0)
        expectEqual(converter.get(property).bytes.count, info.bytes)
        expectEqual(
            samples(Double.self, converter.get(kAudioConverterEncodeAdjustableSampleRate).bytes), [44_100])
    }
    @Test("an error of unknown type has a result too")
    func otherErrors() {
        struct Other: Error {}
        expectEqual(StatusError.status(of: Other()), kAudioConverterErr_UnspecifiedError)
        expectEqual(StatusError.status(of: StatusError(kAudio_MemFullError)), kAudio_MemFullError)
    }
}
