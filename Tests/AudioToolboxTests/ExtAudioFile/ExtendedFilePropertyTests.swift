// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

@Suite struct ExtendedFilePropertyTests {
    private let folder = ScratchFolder()

    private func info(
        _ property: ExtAudioFilePropertyID, of file: ExtendedFileCalls
    ) -> (status: OSStatus, bytes: UInt32, isWritable: Bool) {
        var bytes: UInt32 = 0
        var isWritable = false
        let status = unsafe extAudioFileGetPropertyInfo(file.handle, property, &bytes, &isWritable)
        return (status, bytes, isWritable)
    }

    @Test("sizes are reported first, and which properties can be set")
    func sizes() {
        let file = ExtendedFileCalls(writing: folder.file("a.wav"), kAudioFileWAVEType, shorts())
        expectEqual(file.status, noErr)
        let published: [(ExtAudioFilePropertyID, UInt32, Bool)] = [
            (kExtAudioFileProperty_FileDataFormat, 40, false),
            (kExtAudioFileProperty_ClientDataFormat, 40, true),
            (kExtAudioFileProperty_FileMaxPacketSize, 4, false),
            (kExtAudioFileProperty_ClientMaxPacketSize, 4, false),
            (kExtAudioFileProperty_FileLengthFrames, 8, false),
            (kExtAudioFileProperty_AudioFile, 8, false),
            (kExtAudioFileProperty_AudioConverter, 8, false),
            (kExtAudioFileProperty_ConverterConfig, 8, true),
            (kExtAudioFileProperty_IOBufferSizeBytes, 4, true),
        ]
        for (property, bytes, isWritable) in published {
            let reported = info(property, of: file)
            expectEqual(reported.status, noErr)
            expectEqual(reported.bytes, bytes)
            expectEqual(reported.isWritable, isWritable)
        }
        expectEqual(info(0x3F3F_3F3F, of: file).status, kExtAudioFileError_InvalidProperty)
        expectEqual(extAudioFileGetPropertyInfo(nil, 0, nil, nil), kAudio_ParamError)
    }

    @Test("packets are as large as the formats of the file and the client state")
    func packetSizes() {
        let file = ExtendedFileCalls(writing: folder.file("b.wav"), kAudioFileWAVEType, shorts(channels: 2))
        expectEqual(
            samples(UInt32.self, file.get(kExtAudioFileProperty_FileMaxPacketSize).bytes), [4])
        expectEqual(
            samples(UInt32.self, file.get(kExtAudioFileProperty_ClientMaxPacketSize).bytes), [4])
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, floats(channels: 2)), noErr)
        expectEqual(
            samples(UInt32.self, file.get(kExtAudioFileProperty_FileMaxPacketSize).bytes), [4])
        expectEqual(
            samples(UInt32.self, file.get(kExtAudioFileProperty_ClientMaxPacketSize).bytes), [8])
    }

    @Test(
        "an encoder that does not exist so far does not report its packet size",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable, "no AAC encoder is installed"
        ))
    func unknownPacketSize() {
        let aac = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 1, sampleRate: 44_100)
        let file = ExtendedFileCalls(writing: folder.file("c.m4a"), kAudioFileM4AType, aac)
        expectEqual(file.status, noErr)
        let property = kExtAudioFileProperty_FileMaxPacketSize
        expectEqual(file.get(property).status, kExtAudioFileError_MaxPacketSizeUnknown)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts(rate: 44_100)), noErr)
        #expect((samples(UInt32.self, file.get(property).bytes).first ?? 0) > 0)
    }

    @Test(
        "trims cannot exceed the frames, and may equal them",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable,
            "no ALAC encoder is installed"),
        arguments: [(1_000_000, -1), (0, 1_000_000), (5000, 5000)] as [(Int32, Int32)])
    func cutsOffTooMuch(priming: Int32, remainder: Int32) {
        let path = folder.file("e.caf")
        let alac = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleLossless, framesPerPacket: 0, channels: 1, sampleRate: 44_100)
        let file = ExtendedFileCalls(writing: path, kAudioFileCAFType, alac)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts(rate: 44_100)), noErr)
        let table = AudioFilePacketTableInfo(
            mNumberValidFrames: 0, mPrimingFrames: priming, mRemainderFrames: remainder)
        expectEqual(file.set(kExtAudioFileProperty_PacketTable, table), noErr)
        expectEqual(file.write([Int16](repeating: 100, count: 6000)), noErr)
        expectEqual(file.dispose(), noErr)
        expectEqual(ExtendedFileCalls(reading: path).length, 0)
    }

    @Test(
        "a file of encoded audio accepts channels in any order: the encoder reorders them",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable, "no AAC encoder is installed"
        ),
        arguments: [kAudioFileM4AType, kAudioFileAAC_ADTSType, kAudioFileCAFType],
        [kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_MPEG_5_1_B])
    func takesLayouts(type: AudioFileTypeID, tag: AudioChannelLayoutTag) {
        let aac = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 0, channels: 6, sampleRate: 44_100)
        let file = ExtendedFileCalls(writing: folder.file("f"), type, aac, layoutTag: tag)
        expectEqual(file.status, noErr)
        expectEqual(file.dispose(), noErr)
    }

    @Test("samples without a rate are no format for a file")
    func refusesFormat() {
        let file = ExtendedFileCalls(writing: folder.file("d.wav"), kAudioFileWAVEType, shorts(rate: 0))
        expectEqual(file.status, kExtAudioFileError_InvalidDataFormat)
    }
}
