// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Foundation
import AQTestSupport
import Testing

@testable import AQToolboxFunctions

/// Files whose writer encodes samples itself: FLAC, and Opus in Ogg.
@Suite("Extended files of FLAC and Opus") struct ExtendedFileEncodingTests {
    private let folder = ScratchFolder()

    private let sound: [Int16] = (0..<30_000).map { Int16(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }

    private func encoded(
        _ formatID: AudioFormatID, flags: AudioFormatFlags = 0, rate: Double = 48_000
    ) -> AudioStreamBasicDescription {
        var format = AudioStreamBasicDescription.encoded(
            formatID, framesPerPacket: 0, channels: 1, sampleRate: rate)
        format.mFormatFlags = flags
        return format
    }

    private func fileFormat(_ file: ExtendedFileCalls) -> AudioStreamBasicDescription? {
        let bytes = file.get(kExtAudioFileProperty_FileDataFormat).bytes
        return unsafe bytes.withUnsafeBytes {
            $0.count == 40 ? unsafe $0.loadUnaligned(as: AudioStreamBasicDescription.self) : nil
        }
    }

    @Test("FLAC is read bit for bit") func lossless() {
        let path = folder.file("a.flac")
        let file = ExtendedFileCalls(writing: path, kAudioFileFLACType, encoded(kAudioFormatFLAC))
        expectEqual(file.status, noErr)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts()), noErr)
        for start in stride(from: 0, to: sound.count, by: 777) {
            expectEqual(file.write(Array(sound[start..<min(start + 777, sound.count)])), noErr)
        }
        expectEqual(file.length, 30_000)
        expectEqual(fileFormat(file)?.mFormatID, kAudioFormatFLAC)
        expectEqual(fileFormat(file)?.mFormatFlags, kAppleLosslessFormatFlag_16BitSourceData)
        expectEqual(file.get(kExtAudioFileProperty_PacketTable).status, kExtAudioFileError_InvalidProperty)
        expectEqual(
            file.get(kExtAudioFileProperty_FileMaxPacketSize).status, kExtAudioFileError_MaxPacketSizeUnknown)
        expectEqual(file.dispose(), noErr)
        #expect(folder.bytes(of: "a.flac").starts(with: Array("fLaC".utf8)))
        let again = ExtendedFileCalls(reading: path)
        expectEqual(again.set(kExtAudioFileProperty_ClientDataFormat, shorts()), noErr)
        #expect(again.length == 30_000 && again.readAll(of: 0 as Int16) == sound)
    }

    @Test(
        "FLAC has the depth of its format, or else of the client's samples, up to 24 bits",
        arguments: [
            (0, true, 24), (0, false, 16), (kAppleLosslessFormatFlag_16BitSourceData, true, 16),
            (kAppleLosslessFormatFlag_20BitSourceData, false, 24),
            (kAppleLosslessFormatFlag_24BitSourceData, false, 24),
        ])
    func depths(flags: AudioFormatFlags, isFloat: Bool, bits: Int) {
        let file = ExtendedFileCalls(
            writing: folder.file("a.flac"), kAudioFileFLACType, encoded(kAudioFormatFLAC, flags: flags))
        let client = isFloat ? AudioStreamBasicDescription.float(channels: 1, sampleRate: 48_000) : shorts()
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, client), noErr)
        expectEqual((isFloat ? file.write([0.5 as Float]) : file.write([100 as Int16])), noErr)
        expectEqual(file.dispose(), noErr)
        // Bits per sample less one are 5 bits of STREAMINFO, from bit 103 on.
        let bytes = folder.bytes(of: "a.flac")
        #expect(bytes.count > 22 && Int(bytes[20] & 1) << 4 | Int(bytes[21] >> 4) == bits - 1)
    }

    @Test(
        "Opus has all frames, at the rate of the client or the next one above", arguments: [48_000.0, 44_100])
    func opus(rate: Double) {
        let path = folder.file("a.opus")
        let file = ExtendedFileCalls(writing: path, kAudioFileOggType, encoded(kAudioFormatOpus, rate: 0))
        expectEqual(file.status, noErr)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts(rate: rate)), noErr)
        #expect(fileFormat(file)?.mFramesPerPacket == 960 && fileFormat(file)?.mSampleRate == 48_000)
        expectEqual(file.write(sound), noErr)
        expectEqual(file.dispose(), noErr)
        let again = ExtendedFileCalls(reading: path)
        #expect(abs(Double(again.length ?? 0) - 30_000 * 48_000 / rate) <= 1)
    }

    @Test("the bit rate set on the converter is that of Opus") func bitRate() {
        func bytes(_ bitRate: UInt32) -> Int {
            let file = ExtendedFileCalls(
                writing: folder.file("a.opus"), kAudioFileOggType, encoded(kAudioFormatOpus))
            expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts()), noErr)
            let bits = file.get(kExtAudioFileProperty_AudioConverter).bytes
            let converter = unsafe bits.withUnsafeBytes { unsafe $0.loadUnaligned(as: OpaquePointer?.self) }
            var (rate, size) = (bitRate, UInt32(4))
            unsafe expectEqual(
                audioConverterSetProperty(converter, kAudioConverterEncodeBitRate, 4, &rate), noErr)
            rate = 1
            unsafe expectEqual(
                audioConverterSetProperty(converter, kAudioConverterEncodeBitRate, 4, &rate),
                kAudio_ParamError)
            unsafe expectEqual(
                audioConverterGetProperty(converter, kAudioConverterEncodeBitRate, &size, &rate), noErr)
            expectEqual(rate, bitRate)
            expectEqual(file.set(kExtAudioFileProperty_ConverterConfig, 0 as UInt), noErr)
            expectEqual(file.write(sound + sound), noErr)
            expectEqual(file.dispose(), noErr)
            return folder.bytes(of: "a.opus").count
        }
        #expect(bytes(128_000) > 2 * bytes(24_000))
    }

    @Test(
        "a file without audio is valid",
        arguments: [(kAudioFileFLACType, kAudioFormatFLAC), (kAudioFileOggType, kAudioFormatOpus)])
    func empty(type: AudioFileTypeID, formatID: AudioFormatID) {
        let file = ExtendedFileCalls(writing: folder.file("a"), type, encoded(formatID, rate: 0))
        #expect(file.status == noErr && file.dispose() == noErr)
        let again = ExtendedFileCalls(reading: folder.file("a"))
        #expect(again.status == noErr && again.length == 0)
    }

    @Test("the samples of the encoder cannot be changed through the converter") func changedSamples() {
        let file = ExtendedFileCalls(
            writing: folder.file("a.flac"), kAudioFileFLACType, encoded(kAudioFormatFLAC))
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts()), noErr)
        let bits = file.get(kExtAudioFileProperty_AudioConverter).bytes
        let converter = unsafe bits.withUnsafeBytes { unsafe $0.loadUnaligned(as: OpaquePointer?.self) }
        var other = shorts(rate: 8000)
        unsafe expectEqual(
            audioConverterSetProperty(
                converter, kAudioConverterCurrentOutputStreamDescription, 40, &other), noErr)
        expectEqual(
            file.set(kExtAudioFileProperty_ConverterConfig, 0 as UInt), kAudioConverterErr_FormatNotSupported)
        expectEqual(file.write(sound), kAudioConverterErr_FormatNotSupported)
        expectEqual(file.dispose(), noErr)
    }

    @Test("other formats are refused, and no file is left behind") func refusals() {
        let cases: [(AudioFileTypeID, AudioStreamBasicDescription)] = [
            (kAudioFileFLACType, shorts()), (kAudioFileFLACType, encoded(kAudioFormatOpus)),
            (kAudioFileOggType, encoded(kAudioFormatFLAC)), (kAudioFileOggType, shorts()),
            (kAudioFileFLACType, encoded(kAudioFormatFLAC, flags: 4)),
            (kAudioFileFLACType, encoded(kAudioFormatFLAC, flags: 77)),
            (kAudioFileFLACType, encoded(kAudioFormatFLAC, rate: .nan)),
            (kAudioFileOggType, encoded(kAudioFormatOpus, rate: 44_100)),
        ]
        for (type, format) in cases {
            let file = ExtendedFileCalls(writing: folder.file("a"), type, format)
            expectEqual(file.status, kAudioFileUnsupportedDataFormatError, "\(format)")
        }
        #expect(folder.names.isEmpty)
    }
}
