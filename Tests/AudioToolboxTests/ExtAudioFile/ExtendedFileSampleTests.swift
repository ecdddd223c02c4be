// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

@Suite struct ExtendedFileSampleTests {
    private let folder = ScratchFolder()
    private let ramp: [Int16] = (0..<5000).map { Int16($0 - 2500) * 13 }
    private var scaled: [Float] { ramp.map { Float($0) / 32_768 } }

    private func writeRamp(_ name: String) -> String {
        let path = folder.file(name)
        let file = ExtendedFileCalls(writing: path, kAudioFileWAVEType, shorts())
        expectEqual(file.status, noErr)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, floats()), noErr)
        expectEqual(file.write(scaled), noErr)
        expectEqual(file.length, 5000)
        expectEqual(file.dispose(), noErr)
        return path
    }

    @Test("frames are written in the client's samples and read in another client's")
    func roundTrip() {
        let file = ExtendedFileCalls(reading: writeRamp("a.wav"))
        expectEqual(file.status, noErr)
        expectEqual(file.length, 5000)
        // Without a client format, that of the file applies.
        expectEqual(file.readAll(of: 0 as Int16), ramp)
        let end = file.read(10, of: 0 as Int16)
        expectEqual(end.status, noErr)
        #expect(end.samples.isEmpty)
        expectEqual(file.seek(0), noErr)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, floats()), noErr)
        expectEqual(file.readAll(of: 0 as Float), scaled)
    }

    @Test("seeking is exact, and positions count the file's frames, whatever the client's rate")
    func seeksAndTells() {
        let file = ExtendedFileCalls(reading: writeRamp("b.wav"))
        expectEqual(file.seek(1234), noErr)
        expectEqual(file.position, 1234)
        expectEqual(file.read(100, of: 0 as Int16).samples, Array(ramp[1234..<1334]))
        expectEqual(file.position, 1334)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, shorts(rate: 24_000)), noErr)
        expectEqual(file.position, 1334)
        expectEqual(file.read(100, of: 0 as Int16).samples.count, 100)
        expectEqual(file.position, 1534)
        expectEqual(file.seek(5000), noErr)
        #expect(file.read(100, of: 0 as Int16).samples.isEmpty)
        expectEqual(file.seek(5001), kExtAudioFileError_InvalidSeek)
        expectEqual(file.seek(-1), kExtAudioFileError_InvalidSeek)
        expectEqual(file.position, 5000)
    }

    @Test("samples that a packet table cuts off are not read", arguments: [0, 50], [0, 51])
    func cutsOff(priming: Int, remainder: Int) {
        let path = folder.file("k.caf")
        let file = ExtendedFileCalls(writing: path, kAudioFileCAFType, shorts())
        expectEqual(file.write(ramp), noErr)
        expectEqual(file.dispose(), noErr)
        // A packet table after the audio.
        let valid = ramp.count - priming - remainder
        let fields = [24, 0, valid].map { Int64($0) }
        let trims = [priming, remainder].map { Int32($0) }
        let table =
            Array("pakt".utf8) + fields.flatMap { value in big(value) }
            + trims.flatMap { value in big(value) }
        let end = unsafe open(path, O_WRONLY | O_APPEND)
        unsafe expectEqual(write(end, table, table.count), table.count)
        expectEqual(close(end), 0)
        let reading = ExtendedFileCalls(reading: path)
        expectEqual(reading.length, Int64(valid))
        let sound = Array(ramp[priming..<priming + valid])
        expectEqual(reading.readAll(of: 0 as Int16), sound)
        for frame in [0, 1, 1000, valid] {
            expectEqual(reading.seek(Int64(frame)), noErr)
            expectEqual(reading.readAll(of: 0 as Int16), Array(sound[frame...]))
        }
    }

    @Test("a buffer of the client's own, and one of another size, give the same frames")
    func changesBuffers() {
        let file = ExtendedFileCalls(reading: writeRamp("c.wav"))
        var played = file.read(700, of: 0 as Int16).samples
        expectEqual(file.set(kExtAudioFileProperty_IOBufferSizeBytes, 512 as UInt32), noErr)
        played += file.read(700, of: 0 as Int16).samples
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 16)
        expectEqual(file.set(kExtAudioFileProperty_IOBuffer, UInt(bitPattern: memory)), noErr)
        played += file.read(700, of: 0 as Int16).samples
        expectEqual(file.set(kExtAudioFileProperty_IOBuffer, 0 as UInt), noErr)
        unsafe memory.deallocate()
        played += file.readAll(of: 0 as Int16)
        expectEqual(played, ramp)
        expectEqual(
            file.set(kExtAudioFileProperty_IOBufferSizeBytes, 512 as UInt16),
            kExtAudioFileError_InvalidPropertySize)
    }

    @Test("reading a file being written, and writing and seeking in one being read, are refused")
    func refusesDirections() {
        let path = writeRamp("d.wav")
        let reading = ExtendedFileCalls(reading: path)
        expectEqual(reading.write([1, 2] as [Int16]), kExtAudioFileError_InvalidOperationOrder)
        expectEqual(reading.primeAsync(), kExtAudioFileError_InvalidOperationOrder)
        let writing = ExtendedFileCalls(writing: folder.file("e.wav"), kAudioFileWAVEType, shorts())
        expectEqual(writing.read(1, of: 0 as Int16).status, kExtAudioFileError_InvalidOperationOrder)
        expectEqual(writing.seek(0), kExtAudioFileError_InvalidSeek)
    }

    @Test("every function refuses an invalid or disposed extended file")
    func refusesHandles() {
        let stale = ExtendedFileCalls(reading: writeRamp("f.wav"))
        expectEqual(stale.dispose(), noErr)
        expectEqual(stale.dispose(), kAudio_ParamError)
        expectEqual(stale.read(1, of: 0 as Int16).status, kAudio_ParamError)
        expectEqual(stale.write([0] as [Int16]), kAudio_ParamError)
        expectEqual(stale.primeAsync(), kAudio_ParamError)
        expectEqual(stale.seek(0), kAudio_ParamError)
        expectEqual(stale.position, nil)
        expectEqual(stale.get(kExtAudioFileProperty_FileDataFormat).status, kAudio_ParamError)
        expectEqual(ExtendedFileCalls(reading: folder.path + "/none.wav").status, kAudioFileFileNotFoundError)
    }

    @Test("a client's format must be PCM, and must fit its property")
    func refusesClientFormats() {
        let file = ExtendedFileCalls(reading: writeRamp("g.wav"))
        let encoded = AudioStreamBasicDescription.encoded(
            kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 48_000)
        let property = kExtAudioFileProperty_ClientDataFormat
        expectEqual(file.set(property, encoded), kExtAudioFileError_NonPCMClientFormat)
        expectEqual(file.set(property, 0 as UInt32), kExtAudioFileError_InvalidPropertySize)
        expectEqual(file.set(0x3F3F_3F3F, 0 as UInt32), kExtAudioFileError_InvalidProperty)
    }

    @Test("layouts are reported in order, with as many channels as there are")
    func ordersLayouts() {
        let path = folder.file("h.wav")
        let mismatched = ExtendedFileCalls(
            writing: path, kAudioFileWAVEType, shorts(), layoutTag: kAudioChannelLayoutTag_Stereo)
        expectEqual(mismatched.status, kExtAudioFileError_InvalidChannelMap)
        let file = ExtendedFileCalls(writing: path, kAudioFileWAVEType, shorts(channels: 2))
        var stereo = AudioChannelLayout()
        stereo.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
        var mono = stereo
        mono.mChannelLayoutTag = kAudioChannelLayoutTag_Mono
        let client = kExtAudioFileProperty_ClientChannelLayout
        expectEqual(file.set(client, stereo), kExtAudioFileError_InvalidOperationOrder)
        expectEqual(
            file.set(kExtAudioFileProperty_FileChannelLayout, mono), kExtAudioFileError_InvalidChannelMap)
        expectEqual(file.set(kExtAudioFileProperty_FileChannelLayout, stereo), noErr)
        expectEqual(file.set(kExtAudioFileProperty_ClientDataFormat, floats(channels: 2)), noErr)
        expectEqual(file.set(client, mono), kExtAudioFileError_InvalidChannelMap)
        expectEqual(file.set(client, stereo), noErr)
        expectEqual(
            file.set(kExtAudioFileProperty_FileChannelLayout, stereo),
            kExtAudioFileError_InvalidOperationOrder)
        expectEqual(
            file.set(kExtAudioFileProperty_CodecManufacturer, 0 as UInt32),
            kExtAudioFileError_InvalidOperationOrder)
    }

    @Test("the error that ended the writing is reported by every later write, and no more at the end")
    func repeatsFailures() {
        var format = shorts()
        var file: AudioFileID?
        let path = folder.file("j.wav")
        unsafe expectEqual(
            audioFileCreateWithURL(url(of: path), kAudioFileWAVEType, &format, 1, &file), noErr)
        let extended = unsafe ExtendedFileCalls(wrapping: file, isForWriting: true)
        expectEqual(extended.write(ramp), noErr)
        unsafe expectEqual(audioFileClose(file), noErr)
        expectEqual(extended.write(ramp), kAudioFileNotOpenError)
        expectEqual(extended.write(ramp), kAudioFileNotOpenError)
        expectEqual(extended.dispose(), noErr)
        expectEqual(ExtendedFileCalls(reading: path).readAll(of: 0 as Int16), ramp)
    }

    @Test("a file that was wrapped stays open when the extended one is disposed of")
    func wraps() {
        var file: AudioFileID?
        unsafe expectEqual(audioFileOpenURL(url(of: writeRamp("i.wav")), 1, 0, &file), noErr)
        let extended = unsafe ExtendedFileCalls(wrapping: file, isForWriting: false)
        expectEqual(extended.readAll(of: 0 as Int16), ramp)
        expectEqual(
            samples(UInt.self, extended.get(kExtAudioFileProperty_AudioFile).bytes), [UInt(bitPattern: file)])
        expectEqual(extended.dispose(), noErr)
        unsafe expectEqual(
            ExtendedFileCalls(wrapping: file, isForWriting: true).status, kAudioFilePermissionsError)
        unsafe expectEqual(audioFileClose(file), noErr)
        unsafe expectEqual(
            ExtendedFileCalls(wrapping: file, isForWriting: false).status, kAudioFileNotOpenError)
    }

    @Test("a client's rate or channel count of 0 means the file's, and positions continue")
    func completesClientFormat() {
        let file = ExtendedFileCalls(reading: writeRamp("z.wav"))
        var open = shorts(rate: 0)
        (open.mChannelsPerFrame, open.mBytesPerFrame, open.mBytesPerPacket) = (0, 0, 0)
        for format in [shorts(rate: 0), open] {
            let property = kExtAudioFileProperty_ClientDataFormat
            expectEqual(file.set(property, format), noErr)
            let reported = samples(AudioStreamBasicDescription.self, file.get(property).bytes).first
            expectEqual(reported?.isSame(as: shorts()), true)
            expectEqual(file.seek(1000), noErr)
            expectEqual(file.read(100, of: 0 as Int16).samples, Array(ramp[1000..<1100]))
            expectEqual(file.position, 1100)
        }
    }

    @Test("a file is not written, nor created, for a client without a rate")
    func refusesWritingWithoutRate() {
        let encoded = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 0, channels: 1, sampleRate: 0)
        let (path, later) = (folder.file("y.wav"), folder.file("y.caf"))
        let file = ExtendedFileCalls(writing: path, kAudioFileWAVEType, shorts())
        let property = kExtAudioFileProperty_ClientDataFormat
        expectEqual(file.set(property, shorts(rate: 0)), kAudioConverterErr_FormatNotSupported)
        expectEqual(file.set(property, shorts()), noErr)
        let open = ExtendedFileCalls(writing: later, kAudioFileCAFType, encoded)
        expectEqual(open.set(property, shorts(rate: 0)), kAudioConverterErr_FormatNotSupported)
        #expect(unsafe access(later, F_OK) != 0)
    }
}
