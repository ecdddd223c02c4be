// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport

@Suite("PCM files")
struct PCMFileTests {
    private let data: [UInt8] = (0..<480).map { UInt8(truncatingIfNeeded: $0 &* 37) }

    struct Coding: Sendable {
        var tag: UInt16
        var bits: UInt16
        var formatID: AudioFormatID
        var flags: AudioFormatFlags
    }

    @Test(
        "returns a WAVE file's own bytes with the correct description",
        arguments: [
            Coding(tag: 1, bits: 8, formatID: kAudioFormatLinearPCM, flags: kAudioFormatFlagIsPacked),
            Coding(tag: 1, bits: 16, formatID: kAudioFormatLinearPCM, flags: 12),
            Coding(tag: 1, bits: 24, formatID: kAudioFormatLinearPCM, flags: 12),
            Coding(tag: 1, bits: 32, formatID: kAudioFormatLinearPCM, flags: 12),
            Coding(tag: 3, bits: 32, formatID: kAudioFormatLinearPCM, flags: 9),
            Coding(tag: 3, bits: 64, formatID: kAudioFormatLinearPCM, flags: 9),
            Coding(tag: 6, bits: 8, formatID: kAudioFormatALaw, flags: 0),
            Coding(tag: 7, bits: 8, formatID: kAudioFormatULaw, flags: 0),
        ])
    func wave(coding: Coding) throws {
        let saved = TemporaryFile(Header.wave(tag: coding.tag, bits: coding.bits, data: data))
        let file = try AudioFile.open(path: saved.path)
        let format = file.format
        let frameBytes = UInt32(coding.bits / 8) * 2
        expectEqual(file.containerName, "WAVE")
        expectEqual(format.mFormatID, coding.formatID)
        expectEqual(format.mFormatFlags, coding.flags)
        expectEqual(format.mSampleRate, 44100)
        expectEqual(format.mChannelsPerFrame, 2)
        expectEqual(format.mBitsPerChannel, UInt32(coding.bits))
        #expect(format.mBytesPerFrame == frameBytes && format.mBytesPerPacket == frameBytes)
        expectEqual(format.mFramesPerPacket, 1)
        let frames = Int64(data.count) / Int64(frameBytes)
        expectEqual(file.frameCount, frames)
        try expectEqual(file.countPackets(), frames)
        try expectEqual(file.countFrames(), frames)
        expectEqual(file.packetTable, PacketTable(primingFrames: 0, validFrames: frames, remainderFrames: 0))
        expectEqual(file.packetSizeUpperBound, Int(frameBytes))
        expectEqual(file.averageBitRate, 44100 * Double(frameBytes) * 8)
        expectEqual(file.channelLabels, [kAudioChannelLabel_Left, kAudioChannelLabel_Right])
        #expect(file.warnings.isEmpty)
        try expectEqual(Contents(of: file, roomBytes: 64).bytes, data)
    }

    @Test("keeps the byte order of AIFF and CAF")
    func byteOrder() throws {
        let big = TemporaryFile(Header.aiff(data: data))
        let aiff = try AudioFile.open(path: big.path)
        expectEqual(aiff.containerName, "AIFF")
        expectEqual(aiff.format.mFormatFlags, 12 | kAudioFormatFlagIsBigEndian)
        try expectEqual(Contents(of: aiff).bytes, data)
        let little = TemporaryFile(Header.caf(data: data))
        let caf = try AudioFile.open(path: little.path)
        expectEqual(caf.containerName, "CAF")
        expectEqual(caf.format.mFormatFlags, 12)
        try expectEqual(Contents(of: caf).bytes, data)
    }

    @Test("reads from any frame, in any order")
    func anyOrder() throws {
        let saved = TemporaryFile(Header.wave(data: data))
        let file = try AudioFile.open(path: saved.path)
        for frame in [50, 3, 119, 0, 60] as [Int64] {
            try expectEqual(file.seekPoint(forFrame: frame), SeekPoint(packet: frame, framesToDiscard: 0))
            try expectEqual(Contents(of: file, from: frame).bytes, Array(data[Int(frame * 4)...]))
        }
        try expectEqual(Contents(of: file, from: 120).packets, 0)
        try expectEqual(Contents(of: file, from: .max).packets, 0)
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: 121) }
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: -1) }
    }

    @Test("reports that not one frame fits")
    func bufferTooSmall() throws {
        let saved = TemporaryFile(Header.wave(bits: 64, data: data))
        #expect(throws: AudioFileError.self) {
            try Contents(of: AudioFile.open(path: saved.path), roomBytes: 8)
        }
    }

    @Test(
        "reads the project's own files",
        arguments: [
            ("tune.wav", "WAVE", 44100, 44159), ("tune-float48.wav", "WAVE", 48000, 24007),
            ("tune.aiff", "AIFF", 44100, 22051), ("tune.caf", "CAF", 44100, 22063),
        ])
    func fixtures(name: String, container: String, rate: Double, frames: Int64) throws {
        let file = try AudioFile.open(path: ToolPaths.fixture(name))
        expectEqual(file.containerName, container)
        expectEqual(file.format.mSampleRate, rate)
        expectEqual(file.frameCount, frames)
        try expectEqual(Contents(of: file).packets, Int(frames))
        #expect(file.warnings.isEmpty)
    }

    @Test("an ID3 tag before a WAVE header is skipped and reported")
    func tagInFront() throws {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 6] + [UInt8](repeating: 0, count: 6)
        let saved = TemporaryFile(tag + Header.wave(tag: 1, bits: 16, data: data))
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.frameCount, Int64(data.count / 4))
        try expectEqual(Contents(of: file, roomBytes: 64).bytes, data)
        expectEqual(file.warnings, ["an ID3 tag of 16 bytes precedes the header, where none belongs"])
    }
}
