// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import AQMagicCookies
import Testing
import AQTestSupport

@testable import AQFiles

@Suite("Writing ADTS files")
struct ADTSWriteTests {
    private func format(_ rate: Int = 44_100, _ channels: Int = 2) throws -> AudioStreamBasicDescription {
        try AudioSpecificConfig(sampleRate: rate, channels: channels).format
    }

    @Test("puts a header before each packet", arguments: [false, true])
    func roundTrip(hasCookie: Bool) throws {
        let folder = ScratchFolder()
        let path = folder.file("new.aac")
        let writer = try AudioFileWriter.create(path: path, type: .adts, format: format())
        if hasCookie {
            let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
            try writer.setMagicCookie(AACCookie.cookie(for: config))
        }
        for first in stride(from: 0, to: 200, by: 7) {
            try writer.append(
                packets: (first..<min(first + 7, 200)).map { ADTSBytes.payload($0, bytes: 100 + $0 % 50) })
            // Complete at any time.
            try expectEqual(Int64(AudioFile.open(path: path).countPackets()) * 1024, writer.frameCount)
        }
        try writer.close()
        expectEqual(writer.frameCount, 200 * 1024)
        expectEqual(bytes(ofFile: path), (try ADTSBytes.stream(0..<200)))
        expectEqual(writer.byteCount, Int64(try ADTSBytes.stream(0..<200).count))
    }

    @Test("writes HE-AAC as its core")
    func extended() throws {
        var config = try AudioSpecificConfig(sampleRate: 22_050, channels: 1)
        config.extensionSampleRate = 44_100
        for type in [5, 29] as [UInt8] {
            config.extensionObjectType = type
            for hasCookie in [false, true] {
                let folder = ScratchFolder()
                let writer = try AudioFileWriter.create(
                    path: folder.file("new"), type: .adts, format: config.format)
                if hasCookie { try writer.setMagicCookie(config.bytes) }
                try writer.append(packets: [ADTSBytes.payload(1), ADTSBytes.payload(2)])
                try writer.close()
                expectEqual(writer.frameCount, 4096)
                let file = try AudioFile.open(path: folder.file("new"))
                #expect(file.format.mSampleRate == 22_050 && file.format.mChannelsPerFrame == 1)
            }
        }
    }

    @Test("states in the packets the channels that no header can state")
    func programConfig() throws {
        var config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        config.channelConfiguration = 0
        let folder = ScratchFolder()
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .adts, format: format())
        try writer.setMagicCookie(config.bytes)
        try writer.append(packets: [ADTSBytes.payload(1), ADTSBytes.payload(2)])
        try writer.close()
        let file = try AudioFile.open(path: folder.file("new"))
        #expect(file.format.mChannelsPerFrame == 2 && file.warnings.isEmpty)
        let read = try AACCookie.audioSpecificConfig(inCookie: file.magicCookie)
        #expect(read.channelConfiguration == 0 && read.channels == 2)
    }

    @Test("refuses formats that no ADTS header can state, and leaves no file")
    func refused() throws {
        func reason(_ change: (inout AudioStreamBasicDescription) -> Void) throws -> String {
            let folder = ScratchFolder()
            var format = try format()
            change(&format)
            let error = try #require(throws: AudioFileError.self) {
                try AudioFileWriter.create(path: folder.file("new"), type: .adts, format: format)
            }
            #expect(error.code == .unsupported && folder.names.isEmpty)
            return error.message
        }
        #expect(try reason { $0.mSampleRate = 44_056 }.contains("44056 Hz"))
        #expect(try reason { $0.mSampleRate = 44_100.5 }.contains("44100.5 Hz"))
        #expect(try reason { $0.mChannelsPerFrame = 9 }.contains("1 to 8 channels, not 9"))
        #expect(try reason { $0.mChannelsPerFrame = 7 }.contains("channel configuration 11"))
        #expect(try reason { $0.mFramesPerPacket = 960 }.contains("not 960"))
        #expect(try reason { $0.mFormatID = kAudioFormatAppleLossless }.contains("ADTS files hold AAC, not"))
        #expect(try reason { $0 = .signedInteger(bits: 16, channels: 2, sampleRate: 44_100) }.contains("AAC"))
    }

    @Test("refuses invalid calls, and continues")
    func wrongCalls() throws {
        let folder = ScratchFolder()
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .adts, format: format())
        let other = try AudioSpecificConfig(sampleRate: 48_000, channels: 2)
        for cookie in [[], [0x12], other.bytes, [0x17, 0x80, 0x56, 0x0C, 0x10]] as [[UInt8]] {
            let error = try #require(throws: AudioFileError.self) { try writer.setMagicCookie(cookie) }
            expectEqual(error.code, .unsupported)
        }
        #expect(throws: AudioFileError.self) {
            try writer.setPacketTable(PacketTable(primingFrames: 0, validFrames: 0, remainderFrames: 0))
        }
        #expect(throws: AudioFileError.self) { try writer.append([1, 2, 3]) }
        #expect(throws: AudioFileError.self) { try writer.append(packets: [[]]) }
        #expect(throws: AudioFileError.self) { try writer.append(packets: [noise(count: 8185)]) }
        #expect(throws: AudioFileError.self) { try writer.append([1, 2], described: [(1, 2)]) }
        #expect(throws: AudioFileError.self) { try writer.append([1, 2], described: [(-1, 1)]) }
        #expect(throws: AudioFileError.self) { try writer.append([1, 2], described: [(.max, 1)]) }
        expectEqual(writer.byteCount, 0)
        try writer.append(packets: [noise(count: 8184)])
        #expect(throws: AudioFileError.self) { try writer.setMagicCookie(other.bytes) }
        try writer.append([1, 2, 3], described: [(2, 1), (0, 1)])
        try writer.close()
        expectEqual(
            Array(bytes(ofFile: folder.file("new")).suffix(16)).map { $0 },
            Array(
                try ADTSHeader.bytes(
                    for: AudioSpecificConfig(sampleRate: 44_100, channels: 2), packetBytes: 1)
                    + [3]
                    + ADTSHeader.bytes(
                        for: AudioSpecificConfig(sampleRate: 44_100, channels: 2), packetBytes: 1)
                    + [1]))
    }

    @Test("keeps the packets before a failure", arguments: [50, 107, 1000])
    func sizeLimit(limit: Int) async throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        await #expect(processExitsWith: .success) { [path = path as String, limit = limit as Int] in
            let format = try AudioSpecificConfig(sampleRate: 44_100, channels: 2).format
            let packets = (0..<20).map { ADTSBytes.payload($0) }
            try WriteLimit.check(bytes: limit, packets: packets, format: format, path: path, type: .adts)
        }
        expectEqual(bytes(ofFile: path), (try (0..<limit / 107).flatMap { try ADTSBytes.frame($0) }))
    }

    @Test("is written to a pipe")
    func pipes() throws {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        let writer = try AudioFileWriter.create(path: "/dev/fd/\(ends[1])", type: .adts, format: format())
        close(ends[1])
        try writer.append(packets: (0..<20).map { ADTSBytes.payload($0, bytes: 100 + $0 % 50) })
        try writer.close()
        let file = try AudioFile.open(path: "/dev/fd/\(ends[0])")
        close(ends[0])
        try expectEqual(Contents(of: file).bytes, ADTSBytes.payloads(0..<20))
    }
}

extension AudioFileWriter {
    func append(packets: [[UInt8]]) throws {
        var start: Int64 = 0
        try append(
            packets.flatMap { $0 },
            described: packets.map { packet in
                defer { start += Int64(packet.count) }
                return (start, UInt32(packet.count))
            })
    }

    /// Appends packets by their descriptions, valid or invalid.
    func append(_ bytes: [UInt8], described: [(start: Int64, bytes: UInt32)]) throws {
        let descriptions = described.map {
            AudioStreamPacketDescription(
                mStartOffset: $0.start, mVariableFramesInPacket: 0, mDataByteSize: $0.bytes)
        }
        try unsafe bytes.withUnsafeBytes { bytes in
            try unsafe descriptions.withUnsafeBufferPointer {
                try unsafe append(bytes, packetDescriptions: $0)
            }
        }
    }
}
