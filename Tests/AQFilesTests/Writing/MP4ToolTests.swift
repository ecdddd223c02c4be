// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

/// Compares written and read files with FFmpeg's tools, if they are installed.
@Suite("MPEG-4 and FFmpeg", .enabled(if: FFmpeg.isInstalled, "FFmpeg is not installed"))
struct MP4ToolTests {
    private func encoded(_ arguments: String, name: String, in folder: ScratchFolder) throws -> AudioFile {
        let source = "-f lavfi -i 'sine=frequency=500:sample_rate=44100:duration=5'"
        _ = try #require(FFmpeg.run("ffmpeg -v error \(source) \(arguments) -y '\(folder.file(name))'"))
        return try AudioFile.open(path: folder.file(name))
    }

    /// Copies all packets into a new file, and closes it only if it is to be complete.
    private func copy(_ file: AudioFile, to path: String, closing: Bool) throws -> AudioFileWriter {
        let writer = try AudioFileWriter.create(path: path, type: .m4a, format: file.format)
        try writer.setMagicCookie(file.magicCookie)
        if let table = file.packetTable { try writer.setPacketTable(table) }
        let contents = try Contents(of: file, roomBytes: file.packetSizeUpperBound / 8 * 8 + 8)
        var place: Int64 = 0
        let descriptions = contents.descriptions.map { description in
            defer { place += Int64(description.mDataByteSize) }
            return AudioStreamPacketDescription(
                mStartOffset: place, mVariableFramesInPacket: 0, mDataByteSize: description.mDataByteSize)
        }
        try unsafe contents.bytes.withUnsafeBytes { bytes in
            try unsafe descriptions.withUnsafeBufferPointer {
                try unsafe writer.append(bytes, packetDescriptions: $0)
            }
        }
        if closing { try writer.close() }
        return writer
    }

    @Test(
        "agree on packets and frames",
        arguments: [
            "-c:a aac", "-c:a aac -movflags +faststart", "-c:a alac", "-ac 6 -c:a aac",
            "-c:a aac -movflags frag_keyframe+delay_moov -frag_duration 700000",
        ])
    func reading(arguments: String) throws {
        let folder = ScratchFolder()
        let file = try encoded(arguments, name: "a.m4a", in: folder)
        expectEqual(file.frameCount, 220_500)
        #expect(file.warnings.isEmpty)
        let stored = try #require(
            FFmpeg.run("ffmpeg -v error -i '\(folder.file("a.m4a"))' -map 0:a -c copy -f data - | md5sum"))
        let read = TemporaryFile(try Contents(of: file, roomBytes: 1 << 16).bytes)
        expectEqual(FFmpeg.run("md5sum < '\(read.path)'"), stored)
    }

    @Test(
        "agree on the samples of QuickTime", arguments: ["s16le", "s16be", "s24le", "s24be", "f32le", "u8"])
    func linearPCM(coding: String) throws {
        let folder = ScratchFolder()
        let file = try encoded("-ac 2 -c:a pcm_\(coding)", name: "a.mov", in: folder)
        expectEqual(file.frameCount, 220_500)
        let stored = try #require(
            FFmpeg.run("ffmpeg -v error -i '\(folder.file("a.mov"))' -map 0:a -c copy -f data - | md5sum"))
        let read = TemporaryFile(try Contents(of: file, roomBytes: 1 << 16).bytes)
        expectEqual(FFmpeg.run("md5sum < '\(read.path)'"), stored)
    }

    @Test("agree on written files", arguments: ["aac", "alac"])
    func writing(codec: String) throws {
        let folder = ScratchFolder()
        let file = try encoded("-ac 2 -c:a \(codec)", name: "a.m4a", in: folder)
        _ = try copy(file, to: folder.file("b.m4a"), closing: true)
        let probe = "ffprobe -v warning -show_entries stream=start_pts,duration_ts,nb_frames -of csv=p=0"
        let packets = try file.countPackets()
        expectEqual(FFmpeg.run("\(probe) '\(folder.file("b.m4a"))' 2>&1"), "0,220500,\(packets)\n")
        // The decoded audio of both files, to the last sample.
        let sums = ["a.m4a", "b.m4a"].map {
            FFmpeg.run("ffmpeg -v warning -i '\(folder.file($0))' -f s16le - 2>&1 | md5sum")
        }
        #expect(sums[0] != nil && sums[0] == sums[1])
    }

    @Test("agree on a file whose writer was killed", arguments: ["aac", "alac"])
    func killed(codec: String) throws {
        let folder = ScratchFolder()
        let file = try encoded("-ac 2 -c:a \(codec)", name: "a.m4a", in: folder)
        let writer = try copy(file, to: folder.file("b.m4a"), closing: false)
        let priming = file.packetTable?.primingFrames ?? 0
        let probe = "ffprobe -v warning -show_entries stream=start_pts,duration_ts -of csv=p=0"
        let answer = try #require(FFmpeg.run("\(probe) '\(folder.file("b.m4a"))' 2>&1"))
        let frames = writer.frameCount + priming
        // FFmpeg 7 and later report a start before 0 as 0.
        let expected: [String] = ["\(-priming),\(frames)\n", "0,\(frames)\n"]
        #expect(expected.contains(answer), "\(answer)")
        #expect(writer.frameCount > 220_500 - 44100)
        try writer.close()
    }
}

/// The tools, run by a shell.
enum FFmpeg {
    static let isInstalled = ToolPaths.isInPath("ffmpeg") && ToolPaths.isInPath("ffprobe")

    /// The output of a command; nil if it fails.
    static func run(_ command: String) -> String? {
        guard let stream = unsafe popen("(\(command)) 2>&1 </dev/null", "r") else { return nil }
        var output: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let got = unsafe block.withUnsafeMutableBytes {
                unsafe fread($0.baseAddress, 1, $0.count, stream)
            }
            guard got > 0 else { break }
            output += block.prefix(got)
        }
        return unsafe pclose(stream) == 0 ? String(decoding: output, as: UTF8.self) : nil
    }
}
