// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQFiles

@Suite("Writing FLAC files")
struct FLACFileTests {
    @Test("returns every bit", arguments: [8, 16, 24], [1, 2, 6, 8])
    func exact(bits: Int, channels: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("new.flac")
        let format = try AudioFileType.flac.pcmFormat(
            sampleRate: 48000, channels: channels, bits: bits, isFloat: false)
        let data = noise(count: 20011 * Int(format.mBytesPerFrame))
        let writer = try AudioFileWriter.create(path: path, type: .flac, format: format)
        try writer.write(data)
        expectEqual(writer.frameCount, 20011)
        let file = try AudioFile.open(path: path)
        expectEqual(file.containerName, "FLAC")
        expectEqual(file.frameCount, 20011)
        #expect(file.format.mChannelsPerFrame == UInt32(channels) && file.format.mSampleRate == 48000)
        #expect(file.format.mBitsPerChannel == UInt32(bits) && file.format.isSignedInteger)
        #expect(file.format.mBytesPerPacket == format.mBytesPerPacket && file.format.isPacked)
        try expectEqual(Contents(of: file, roomBytes: 1 << 16).bytes, data)
        let stored = bytes(ofFile: path, atMost: 1 << 22)
        expectEqual(stored.count, Int(writer.byteCount))
        #expect(!stored[26..<42].allSatisfy { $0 == 0 }, "the checksum of the samples is set")
        #expect(try AudioFile.open(path: path).warnings.isEmpty)
    }

    @Test("is read into memory of any alignment", arguments: [8, 16, 24])
    func unaligned(bits: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("new.flac")
        let format = try AudioFileType.flac.pcmFormat(
            sampleRate: 48000, channels: 2, bits: bits, isFloat: false)
        let data = noise(count: 20011 * Int(format.mBytesPerFrame))
        try AudioFileWriter.create(path: path, type: .flac, format: format).write(data)
        let file = try AudioFile.open(path: path)
        let aligned = try Contents(of: file, roomBytes: 1 << 16).bytes
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: aligned.count + 1, alignment: 16)
        defer { unsafe memory.deallocate() }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[1...])
        func read(from packet: Int64) throws -> PacketRead {
            try unsafe file.readPackets(
                from: packet, into: room,
                descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>(start: nil, count: 0))
        }
        try expectEqual(read(from: 0).packets, 20011)
        #expect(unsafe room.elementsEqual(aligned))
        let last = try read(from: 20_000)
        expectEqual(last.packets, 11)
        #expect(unsafe room.prefix(last.bytes).elementsEqual(aligned.suffix(last.bytes)))
    }

    @Test("has the channel order of RFC 9639, which the reader reports", arguments: 1...8)
    func channelOrder(channels: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("new.flac")
        let format = try AudioFileType.flac.pcmFormat(
            sampleRate: 48000, channels: channels, bits: 16, isFloat: false)
        try AudioFileWriter.create(path: path, type: .flac, format: format).write(
            noise(count: 2 * channels * 5000))
        let left = kAudioChannelLabel_Left
        let right = kAudioChannelLabel_Right
        let centre = kAudioChannelLabel_Center
        let low = kAudioChannelLabel_LFEScreen
        let back = [kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround]
        let sides = [kAudioChannelLabel_LeftSurroundDirect, kAudioChannelLabel_RightSurroundDirect]
        let orders = [
            [kAudioChannelLabel_Mono], [left, right], [left, right, centre], [left, right] + back,
            [left, right, centre] + back, [left, right, centre, low] + back,
            [left, right, centre, low, kAudioChannelLabel_CenterSurround] + sides,
            [left, right, centre, low] + back + sides,
        ]
        expectEqual(AudioFileType.flac.fixedChannelLabels(of: format), orders[channels - 1])
        try expectEqual(AudioFile.open(path: path).channelLabels, orders[channels - 1])
    }

    @Test("supports rates up to 655350 Hz", arguments: [1, 4000, 44100, 65535, 192_000, 655_350])
    func rates(rate: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("new.flac")
        let format = try AudioFileType.flac.pcmFormat(
            sampleRate: Double(rate), channels: 1, bits: 16, isFloat: false)
        try AudioFileWriter.create(path: path, type: .flac, format: format).write(noise(count: 2 * 5000))
        // Bits of STREAMINFO: 20 of rate.
        let head = bytes(ofFile: path, atMost: 42)
        #expect(Int(head[18]) << 12 | Int(head[19]) << 4 | Int(head[20]) >> 4 == rate)
    }

    @Test("buffers at most a quarter of a second of low rates")
    func lowRates() throws {
        let folder = ScratchFolder()
        let format = try AudioFileType.flac.pcmFormat(
            sampleRate: 5000, channels: 1, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .flac, format: format)
        try writer.append(noise(count: 2 * 1153))
        try expectEqual(AudioFile.open(path: folder.file("new")).frameCount, 1152)
    }
}

@Suite("Writing MP3 files", .enabled(if: Encoders.hasMP3, "LAME is not installed"))
struct MP3FileTests {
    static let rates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]

    @Test("returns exactly the appended frames, at their position", arguments: rates, [1, 2])
    func gapless(rate: Int, channels: Int) throws {
        for kind in [
            SampleKind(bits: 16, isFloat: false), SampleKind(bits: 32, isFloat: false),
            SampleKind(bits: 32, isFloat: true),
        ] {
            let folder = ScratchFolder()
            let path = folder.file("new.mp3")
            let format = try AudioFileType.mp3.pcmFormat(
                sampleRate: Double(rate), channels: channels, bits: kind.bits, isFloat: kind.isFloat)
            let tones = Tones(sampleRate: Double(rate), channels: channels, frames: 20011)
            let writer = try AudioFileWriter.create(path: path, type: .mp3, format: format)
            try writer.write(tones.bytes(bits: kind.bits, isFloat: kind.isFloat))
            expectEqual(writer.frameCount, 20011)
            try expectEqual(AudioFile.open(path: path).frameCount, 20011)
            let decoded = try decodedMP3(path)
            expectEqual(decoded.count, 20011 * channels)
            // One frame at a wrong position would give less than 20 dB.
            #expect(signalToNoise(tones.samples, decoded) > 25)
            expectEqual(Int64(bytes(ofFile: path).count), writer.byteCount)
        }
    }

    @Test("keeps the bit rate, and has its length at each", arguments: [8000, 22050, 44100])
    func bitRates(rate: Int) throws {
        for kilobits in rate == 8000 ? [8, 24, 64] : rate == 22050 ? [8, 56, 160] : [32, 56, 64, 128, 320] {
            let folder = ScratchFolder()
            let path = folder.file("new.mp3")
            let format = try AudioFileType.mp3.pcmFormat(
                sampleRate: Double(rate), channels: 2, bits: 16, isFloat: false)
            let data = noise(count: 4 * 60_000)
            try AudioFileWriter.create(path: path, type: .mp3, format: format, bitRate: kilobits * 1000)
                .write(data)
            let file = try AudioFile.open(path: path)
            expectEqual(file.frameCount, 60_000)
            _ = try file.countPackets()
            #expect(abs(file.averageBitRate / Double(kilobits * 1000) - 1) < 0.15, "\(kilobits)")
            // Constant, also where a packet has no room for the tag.
            let sizes = try Contents(of: file).descriptions.map(\.mDataByteSize)
            #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1, "\(kilobits)")
        }
    }

    @Test("accepts floating-point samples that are NaN or infinite")
    func noNumbers() throws {
        let folder = ScratchFolder()
        let path = folder.file("new.mp3")
        let format = try AudioFileType.mp3.pcmFormat(
            sampleRate: 44100, channels: 1, bits: 32, isFloat: true)
        var samples = Tones(sampleRate: 44100, channels: 1, frames: 20_000).samples
        for (place, value) in [(5000, Float.nan), (6000, .infinity), (7000, -.infinity), (8000, 1e38)] {
            samples[place] = value
        }
        let data = samples.flatMap { sample in unsafe withUnsafeBytes(of: sample) { unsafe Array($0) } }
        try AudioFileWriter.create(path: path, type: .mp3, format: format).write(data)
        let decoded = try decodedMP3(path)
        expectEqual(decoded.count, 20_000)
        #expect(decoded.allSatisfy { $0.isFinite && abs($0) < 64 })
    }
}

@Suite("Orders of encoded files", .enabled(if: !Encoders.all.isEmpty, "no encoder is installed"))
struct EncodedOrderTests {
    struct Order: Sendable, CustomTestStringConvertible {
        var type: AudioFileType
        var rate = 44100.0
        var channels = 2
        var bits = 16
        var bitRate: Int?
        var reason: String
        var testDescription: String { reason }
    }

    @Test(
        "refuses formats that an encoder does not support, and creates no file",
        arguments: [
            Order(type: .mp3, rate: 44101, reason: "not 44101 Hz"),
            Order(type: .mp3, rate: 96000, reason: "not 96000 Hz"),
            Order(type: .mp3, channels: 3, reason: "1 or 2 channels, not 3"),
            Order(type: .mp3, bitRate: 100_000, reason: "not 100 kbit/s"),
            Order(type: .mp3, bitRate: 0, reason: "not 0 kbit/s"),
            Order(type: .mp3, rate: 8000, bitRate: 128_000, reason: "8, 16, 24, 32, 40, 48, 56, 64 kbit/s"),
            Order(type: .flac, rate: 70001, reason: "not 70001 Hz"),
            Order(type: .flac, rate: 700_000, reason: "not 700000 Hz"),
            Order(type: .flac, rate: 44100.5, reason: "not 44100.5 Hz"),
            Order(type: .flac, channels: 9, reason: "1 to 8 channels, not 9"),
            Order(type: .flac, bits: 32, reason: "cannot contain integer samples of 32 bits"),
            Order(type: .flac, bitRate: 128_000, reason: "no bit rate"),
            Order(type: .oggVorbis, rate: 7999, reason: "8 to 200 kHz, not 7999 Hz"),
            Order(type: .oggVorbis, rate: 200_001, reason: "not 200001 Hz"),
            Order(type: .oggVorbis, rate: 44100.5, reason: "not 44100.5 Hz"),
            Order(type: .oggVorbis, channels: 9, reason: "1 to 8 channels, not 9"),
            Order(type: .oggVorbis, bits: 24, reason: "cannot contain integer samples of 24 bits"),
            Order(type: .oggVorbis, bitRate: 1_000_000, reason: " kbit/s, not 1000 kbit/s"),
            Order(type: .oggVorbis, bitRate: 0, reason: " kbit/s, not 0 kbit/s"),
            Order(type: .oggVorbis, bitRate: -1, reason: "not -0.001 kbit/s"),
            Order(type: .oggOpus, reason: "8, 12, 16, 24 or 48 kHz, not 44100 Hz"),
            Order(type: .oggOpus, rate: 48_000, channels: 9, reason: "1 to 8 channels, not 9"),
            Order(type: .oggOpus, rate: 48_000, bitRate: 5999, reason: "6 to 512 kbit/s, not 5.999 kbit/s"),
            Order(type: .oggOpus, rate: 48_000, bitRate: 512_001, reason: "not 512.001 kbit/s"),
        ].filter { (Encoders.all + Encoders.ogg).contains($0.type) })
    func refusals(order: Order) throws {
        let folder = ScratchFolder()
        let format = AudioStreamBasicDescription.signedInteger(
            bits: order.bits, channels: order.channels, sampleRate: order.rate)
        let error = #expect(throws: AudioFileError.self) {
            try AudioFileWriter.create(
                path: folder.file("new"), type: order.type, format: format, bitRate: order.bitRate)
        }
        expectEqual(error?.code, .unsupported)
        expectEqual(error?.message.contains(order.reason), true, "\(error?.message ?? "")")
        #expect(folder.names.isEmpty)
    }

    @Test("refuses samples in another byte order", arguments: Encoders.all + Encoders.ogg)
    func byteOrder(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let format = AudioStreamBasicDescription.signedInteger(
            bits: 16, isBigEndian: true, channels: 2, sampleRate: type.encodedRate)
        let error = #expect(throws: AudioFileError.self) {
            try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
        }
        expectEqual(error?.code, .unsupported)
        #expect(folder.names.isEmpty)
    }

    @Test("keeps the file after an invalid call", arguments: Encoders.all + Encoders.ogg)
    func misuse(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let format = try type.pcmFormat(sampleRate: type.encodedRate, channels: 2, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
        #expect(throws: AudioFileError.self) { try writer.append([1, 2, 3]) }
        #expect(throws: AudioFileError.self) { try writer.setMagicCookie([1]) }
        #expect(throws: AudioFileError.self) {
            try writer.setPacketTable(PacketTable(primingFrames: 0, validFrames: 1, remainderFrames: 0))
        }
        try writer.write(noise(count: 4 * 5000))
        #expect(throws: AudioFileError.self) { try writer.append([1, 2, 3, 4]) }
        try writer.close()
        try expectEqual(AudioFile.open(path: folder.file("new")).frameCount, 5000)
    }

    @Test(
        "supports few frames and none", arguments: Encoders.all + Encoders.ogg,
        [0, 1, 312, 575, 648, 649, 960, 1105, 1152, 4096, 4097])
    func few(type: AudioFileType, frames: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let format = try type.pcmFormat(
            sampleRate: type.encodedRate, channels: 2, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        try writer.append([])
        try writer.write(noise(count: 4 * frames))
        expectEqual(writer.frameCount, Int64(frames))
        try expectEqual(AudioFile.open(path: path).countFrames(), Int64(frames))
    }
}
