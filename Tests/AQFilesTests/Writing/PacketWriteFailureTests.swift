// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

/// Packet files without more room: all acknowledged packets remain, except those that are written together.
@Suite("Failures of writing packets")
struct PacketWriteFailureTests {
    enum Kind: String, CaseIterable {
        case caf, cafTableFirst, mpeg4, mpeg4IndexFirst, adts

        var type: AudioFileType {
            switch self {
            case .caf, .cafTableFirst: .caf
            case .mpeg4, .mpeg4IndexFirst: .m4a
            case .adts: .adts
            }
        }

        var hasRoom: Bool { self == .cafTableFirst || self == .mpeg4IndexFirst }

        /// 1024 frames that wait for a complete fragment.
        var mostWaitingPackets: Int { type == .m4a ? 18 : 0 }

        func check(at path: String, packets: Int, _ code: AudioFileError.Code) throws {
            let format = AudioStreamBasicDescription.encoded(
                kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)
            let made = MadePackets(sizes: CAFBytes.sizes(packets))
            let writer = try AudioFileWriter.create(
                path: path, type: type, format: format, options: hasRoom ? .wholeOrNothing : [],
                expectedPackets: hasRoom ? Int64(packets) : nil)
            let appends = try WriteLimit.expectFailure(code, inCalls: packets / 7) {
                try made.append(7 * $0..<7 * $0 + 7, to: writer)
            }
            try writer.close()
            let file = try AudioFile.open(path: path)
            let contents = try Contents(of: file)
            #expect(contents.packets >= 7 * appends - mostWaitingPackets)
            expectEqual(contents.bytes, Array(made.bytes(of: 0..<contents.packets)))
            try expectEqual(file.countFrames(), writer.frameCount)
            expectEqual(writer.frameCount, Int64(contents.packets * 1024))
            // A gap that could not be closed is the only reported fault.
            #expect(
                file.warnings.allSatisfy {
                    self == .caf && $0.hasSuffix("as in a file that was not finished")
                })
        }
    }

    @Test("at a limit on the size of files", arguments: Kind.allCases, [70_000, 300_001, 1_200_000])
    func sizeLimit(kind: Kind, limit: Int) async throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        await #expect(processExitsWith: .success) {
            [path = path as String, limit = limit as Int, kind = kind.rawValue as String] in
            FileSizeLimit.set(bytes: limit)
            try #require(Kind(rawValue: kind)).check(at: path, packets: limit / 70, .fileTooLarge)
        }
    }

    @Test(
        "on a full disk",
        .enabled(if: SmallDisk.obstacle == nil, Comment(rawValue: SmallDisk.obstacle ?? "")),
        arguments: Kind.allCases)
    func fullDisk(kind: Kind) throws {
        let disk = try SmallDisk()
        try kind.check(at: disk.file("new"), packets: 1000, .diskFull)
    }
}
