// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Foundation
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

@Suite struct ExtendedFileCodecTests {
    private static let hasAAC = CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable
    private static let hasALAC = CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable
    private let folder = ScratchFolder()

    /// Audio that encodes its position: a rising tone.
    private let sound: [Int16] = {
        var phase = 0.0
        return (0..<30_000).map { index in
            phase += 0.01 + Double(index) * 2e-6
            let saw = phase.truncatingRemainder(dividingBy: 2)
            return Int16(12_000 * (abs(saw - 1) * 2 - 1))
        }
    }()

    private func write(
        _ name: String, _ type: AudioFileTypeID, _ formatID: AudioFormatID, rate: Double = 44_100,
        clientRate: Double = 44_100
    ) -> String {
        let path = folder.file(name)
        let format = AudioStreamBasicDescription.encoded(
            formatID, framesPerPacket: 0, channels: 1, sampleRate: rate)
        let file = ExtendedFileCalls(writing: path, type, format)
        expectEqual(file.status, noErr)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts(rate: clientRate)), noErr)
        for start in stride(from: 0, to: sound.count, by: 777) {
            expectEqual(file.write(Array(sound[start..<min(start + 777, sound.count)])), noErr)
        }
        expectEqual(file.dispose(), noErr)
        return path
    }

    private func reading(_ path: String, rate: Double = 44_100) -> ExtendedFileCalls {
        let file = ExtendedFileCalls(reading: path)
        expectEqual(file.status, noErr)
        expectEqual(file.read(1, of: 0 as Int16).status, kExtAudioFileError_NonPCMClientFormat)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts(rate: rate)), noErr)
        return file
    }

    @Test(
        "lossless audio is read bit for bit, with as many frames as were written",
        .enabled(if: hasALAC, "no ALAC encoder is installed"))
    func losslessRoundTrip() {
        let file = reading(write("a.caf", kAudioFileCAFType, kAudioFormatAppleLossless))
        expectEqual(file.length, Int64(sound.count))
        expectEqual(file.readAll(of: 0 as Int16), sound)
        expectEqual(file.seek(12_345), noErr)
        expectEqual(file.read(100, of: 0 as Int16).samples, Array(sound[12_345..<12_445]))
    }

    @Test(
        "packets that became silence are counted as long as the file is open",
        .enabled(if: hasALAC, "no ALAC encoder is installed"))
    func countsDamagedPackets() throws {
        let path = write("damaged.caf", kAudioFileCAFType, kAudioFormatAppleLossless)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        // In the middle of the audio, which fills most of the file, more than a packet is cleared.
        let middle = bytes.count / 2
        for place in middle - 6000..<middle + 6000 { bytes[place] = 0 }
        try Data(bytes).write(to: URL(filePath: path))
        let file = reading(path)
        func count() -> UInt64 {
            samples(UInt64.self, file.get(kExtAudioFileProperty_DamagedPacketCount).bytes).first ?? .max
        }
        expectEqual(count(), 0)
        expectEqual(file.readAll(of: 0 as Int16).count, sound.count)
        let damaged = count()
        #expect(damaged > 0)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts(rate: 22_050)), noErr)
        expectEqual(count(), damaged)
    }

    @Test(
        "an encoder's frames before and after the audio are not read",
        .enabled(if: hasAAC, "no AAC encoder is installed"),
        arguments: [kAudioFileCAFType, kAudioFileM4AType])
    func trims(type: AudioFileTypeID) {
        let file = reading(write("b.\(type)", type, kAudioFormatMPEG4AAC))
        expectEqual(file.length, Int64(sound.count))
        expectEqual(file.readAll(of: 0 as Int16).count, sound.count)
        expectEqual(file.position, Int64(sound.count))
    }

    /// Above 4 kHz the decoder generates different noise each time. At a rate of 8 kHz there is none, and the decoded
    /// audio is bit-identical.
    @Test(
        "a frame is the same whether read in order or after a seek",
        .enabled(if: hasAAC, "no AAC encoder is installed"),
        arguments: [kAudioFileCAFType, kAudioFileM4AType])
    func seeksExactly(type: AudioFileTypeID) {
        let path = write("c.\(type)", type, kAudioFormatMPEG4AAC, rate: 8000, clientRate: 8000)
        let file = reading(path, rate: 8000)
        let all = file.readAll(of: 0 as Int16)
        for frame in [20_000, 1, 1024, 0, 29_990] {
            expectEqual(file.seek(Int64(frame)), noErr)
            let played = file.read(50, of: 0 as Int16).samples
            expectEqual(played, Array(all[frame..<min(frame + 50, all.count)]), "frame \(frame)")
        }
    }

    @Test(
        "without a rate the file is created once the client states its own",
        .enabled(if: hasAAC, "no AAC encoder is installed"))
    func createsLater() {
        let file = reading(write("d.caf", kAudioFileCAFType, kAudioFormatMPEG4AAC, rate: 0))
        let format = samples(
            AudioStreamBasicDescription.self, file.get(kExtAudioFileProperty_FileDataFormat).bytes)
        expectEqual(format.first?.mSampleRate, 44_100)
        expectEqual(file.length, Int64(sound.count))
    }

    @Test(
        "a client format that is refused does not create the file",
        .enabled(if: hasAAC, "no AAC encoder is installed"))
    func createsNothing() {
        let path = folder.file("g.caf")
        let file = ExtendedFileCalls(
            writing: path, kAudioFileCAFType,
            .encoded(kAudioFormatMPEG4AAC, framesPerPacket: 0, channels: 1, sampleRate: 0))
        let codec = kExtAudioFileProperty_CodecManufacturer
        let client = kExtAudioFileProperty_ClientDataFormat
        expectEqual(file.set(codec, kAppleHardwareAudioCodecManufacturer), noErr)
        expectEqual(file.set(client, shorts(rate: 44_100)), kAudioConverterErr_FormatNotSupported)
        #expect(!FileManager.default.fileExists(atPath: path))
        expectEqual(file.set(codec, kAppleSoftwareAudioCodecManufacturer), noErr)
        expectEqual(file.set(client, shorts(rate: 48_000)), noErr)
        let format = samples(
            AudioStreamBasicDescription.self, file.get(kExtAudioFileProperty_FileDataFormat).bytes)
        expectEqual(format.first?.mSampleRate, 48_000)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("other trims replace those of the file", .enabled(if: hasAAC, "no AAC encoder is installed"))
    func overridesTrims() {
        let file = reading(write("e.caf", kAudioFileCAFType, kAudioFormatMPEG4AAC))
        let all = file.readAll(of: 0 as Int16)
        let property = kExtAudioFileProperty_PacketTable
        let own = samples(AudioFilePacketTableInfo.self, file.get(property).bytes).first
        let priming = own?.mPrimingFrames ?? 0
        expectEqual(file.seek(0), noErr)
        let later = AudioFilePacketTableInfo(
            mNumberValidFrames: 0, mPrimingFrames: priming + 100, mRemainderFrames: -1)
        expectEqual(file.set(property, later), noErr)
        expectEqual(file.length, Int64(sound.count - 100))
        expectEqual(file.readAll(of: 0 as Int16), Array(all[100...]))
    }

    @Test(
        "the converter can be set by its own property, and is freed with the file",
        .enabled(if: hasAAC, "no AAC encoder is installed"))
    func showsConverter() {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 0, channels: 1, sampleRate: 44_100)
        let file = ExtendedFileCalls(writing: folder.file("f.caf"), kAudioFileCAFType, format)
        expectEqual(samples(UInt.self, file.get(kExtAudioFileProperty_AudioConverter).bytes), [0])
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts(rate: 44_100)), noErr)
        let address = samples(UInt.self, file.get(kExtAudioFileProperty_AudioConverter).bytes).first ?? 0
        let converter = unsafe OpaquePointer(bitPattern: address)
        var rate: UInt32 = 48_000
        unsafe expectEqual(
            audioConverterSetProperty(converter, kAudioConverterEncodeBitRate, 4, &rate), noErr)
        expectEqual(file.set(kExtAudioFileProperty_ConverterConfig, 0 as UInt), noErr)
        expectEqual(file.write(sound), noErr)
        expectEqual(file.dispose(), noErr)
        unsafe expectEqual(audioConverterReset(converter), kAudio_ParamError)
    }

    /// 24-bit audio, which floats represent exactly.
    private let fine: [Float] = (0..<9000).map { index in
        let value = index &* 7919 &* 1023 % (1 << 24) - (1 << 23)
        return Float(value) / 8_388_608
    }

    @Test(
        "lossless audio keeps the client's bit depth if the file's format leaves it open",
        .enabled(if: hasALAC, "no ALAC encoder is installed"),
        arguments: [kAudioFileCAFType, kAudioFileM4AType])
    func keepsBits(type: AudioFileTypeID) {
        let path = writeFine("g.\(type)", type)
        let file = ExtendedFileCalls(reading: path)
        expectEqual(bitFlag(of: file), kAppleLosslessFormatFlag_24BitSourceData)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, floats(rate: 44_100)), noErr)
        expectEqual(firstDifference(file.readAll(of: 0 as Float), fine), nil)
    }

    @Test(
        "the bit depth that a file is created with is kept",
        .enabled(if: hasALAC, "no ALAC encoder is installed"))
    func keepsFileBits() {
        let path = writeFine("h.m4a", kAudioFileM4AType, flag: kAppleLosslessFormatFlag_16BitSourceData)
        expectEqual(bitFlag(of: ExtendedFileCalls(reading: path)), kAppleLosslessFormatFlag_16BitSourceData)
    }

    @Test(
        "a depth hint on the file's converter applies", .enabled(if: hasALAC, "no ALAC encoder is installed"),
        arguments: [16, 24] as [Int32])
    func takesDepthHint(bits: Int32) {
        let flag =
            bits == 16 ? kAppleLosslessFormatFlag_16BitSourceData : kAppleLosslessFormatFlag_24BitSourceData
        for isReported in [false, true] {
            let path = writeFine("i\(isReported).m4a", kAudioFileM4AType) { file in
                let address = samples(UInt.self, file.get(kExtAudioFileProperty_AudioConverter).bytes).first
                let converter = unsafe OpaquePointer(bitPattern: address ?? 0)
                var hint = bits
                let property = kAudioConverterPropertyBitDepthHint
                unsafe expectEqual(audioConverterSetProperty(converter, property, 4, &hint), noErr)
                guard isReported else { return }
                expectEqual(file.set(kExtAudioFileProperty_ConverterConfig, 0 as UInt), noErr)
                expectEqual(bitFlag(of: file), flag)
            }
            expectEqual(bitFlag(of: ExtendedFileCalls(reading: path)), flag)
        }
    }

    private func writeFine(
        _ name: String, _ type: AudioFileTypeID, flag: AudioFormatFlags = 0,
        _ prepare: (ExtendedFileCalls) -> Void = { _ in }
    ) -> String {
        let path = folder.file(name)
        var format = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleLossless, framesPerPacket: 0, channels: 1, sampleRate: 44_100)
        format.mFormatFlags = flag
        let file = ExtendedFileCalls(writing: path, type, format)
        expectEqual(file.status, noErr)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, floats(rate: 44_100)), noErr)
        prepare(file)
        expectEqual(file.write(fine), noErr)
        expectEqual(file.dispose(), noErr)
        return path
    }

    private func bitFlag(of file: ExtendedFileCalls) -> AudioFormatFlags? {
        samples(AudioStreamBasicDescription.self, file.get(kExtAudioFileProperty_FileDataFormat).bytes)
            .first?.mFormatFlags
    }
}
