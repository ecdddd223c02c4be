// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AQFiles

@Suite("CAF files of packets whose writer was killed")
struct CAFKillTests {
    private static let format = AudioStreamBasicDescription.encoded(
        kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)
    /// Large enough for the table to move several times.
    private static let made = MadePackets(sizes: CAFBytes.sizes(1500).map { $0 * 13 })

    /// Of 1500 packets: the table is after the audio, moves there, or stays before it.
    private static let expected: [Int64] = [0, 700, 1500]

    @Test("contain everything appended at any time", arguments: expected)
    func everyAppend(expected: Int64) throws {
        let folder = ScratchFolder()
        let writer = try AudioFileWriter.create(
            path: folder.file("new"), type: .caf, format: Self.format, expectedPackets: expected)
        try writer.setMagicCookie([3, 1, 4])
        var start = 0
        var generator = TestGenerator(seed: 5)
        while start < 1500 {
            let end = min(start + 1 + generator.next(below: 40), 1500)
            try Self.made.append(start..<end, to: writer)
            start = end
            // The file stays open for writing; a reader finds what a kill would leave.
            let file = try AudioFile.open(path: writer.path)
            let contents = try Contents(of: file, roomBytes: 6000)
            expectEqual(contents.packets, end)
            expectEqual(contents.bytes, Array(Self.made.bytes(of: 0..<end)))
            expectEqual(file.magicCookie, [3, 1, 4])
            expectEqual(file.frameCount, Int64(end * 1024))
            // The audio chunk ends with the last packet, or libavformat reports an error after it.
            #expect(file.warnings.isEmpty)
            expectEqual(
                file.chunks.first { $0.type.rawValue == CAFChunkType.data.rawValue }?.byteCount,
                Int64(4 + contents.bytes.count))
            // The gap and the reserve use space, but not many times over.
            let fileBytes = file.chunks.last.map { $0.offset + $0.byteCount } ?? 0
            #expect(fileBytes < Int64(contents.bytes.count) * 5 / 4 + (3 << 20))
        }
        try writer.close()
        try expectEqual(
            Contents(of: AudioFile.open(path: writer.path), roomBytes: 6000).bytes, Self.made.bytes)
    }

    @Test(
        "contain everything appended before a kill at a random time", arguments: someCases(2, of: 0..<12),
        expected)
    func killed(seed: Int, expected: Int64) async throws {
        let folder = ScratchFolder()
        let (path, progress) = (folder.file("new"), folder.file("progress"))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = path as String, progress = progress as String, seed = seed as Int,
                expected = expected as Int64
            ] in
            var generator = TestGenerator(seed: UInt64(seed))
            let made = Self.made
            let count = unsafe open(progress, O_WRONLY | O_CREAT, 0o600)
            var timer = itimerval()
            timer.it_value.tv_usec = 1 + generator.next(below: 30_000)
            signal(SIGALRM) { _ in kill(getpid(), SIGKILL) }
            _ = unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
            let writer = try AudioFileWriter.create(
                path: path, type: .caf, format: Self.format, expectedPackets: expected)
            var start = 0
            while true {
                let end = min(start + 1 + generator.next(below: 40), 1500)
                try made.append(start..<end, to: writer)
                start = end
                var appended = Int32(end)
                _ = unsafe pwrite(count, &appended, 4, 0)
                if start == 1500 {
                    try writer.close()
                    while true { pause() }
                }
            }
        }
        let appended = bytes(ofFile: progress).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard let file = try? AudioFile.open(path: path) else {
            // It was killed before the file existed.
            expectEqual(appended, 0)
            return
        }
        let contents = try Contents(of: file, roomBytes: 6000)
        #expect(contents.packets >= appended)
        expectEqual(contents.bytes, Array(Self.made.bytes(of: 0..<contents.packets)))
    }

    /// A file that is written up to some call of the system, as by a process that is killed there.
    private final class StoppedFile: OutputFile {
        var callsLeft = 0

        private func countCall() throws(AudioFileError) {
            guard callsLeft > 0 else { throw AudioFileError(.unwritable, "stopped") }
            callsLeft -= 1
        }

        override func append(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
            if bytes.count > 0 { try countCall() }
            try unsafe super.append(bytes)
        }

        override func patch(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError) {
            if bytes.count > 0 { try countCall() }
            try unsafe super.patch(bytes, at: offset)
        }

        override func truncate(to bytes: Int64) throws(AudioFileError) {
            try countCall()
            try super.truncate(to: bytes)
        }
    }

    /// The table moves, unless it stays ahead of the audio.
    @Test("are whole between any two writes, and without a fault", arguments: expected)
    func anyWrite(expected: Int64) throws {
        let folder = ScratchFolder()
        let made = MadePackets(sizes: [100, 200, 600_000, 20, 600_000, 60, 13, 1000])
        var header = CAFFileHeader(Self.format, channelLabels: nil)
        if expected > 0 { header.tableRoomBytes = 8 * Int(expected) / 700 }
        var (calls, isWhole) = (0, false)
        while !isWhole {
            calls += 1
            let path = folder.file("\(calls)")
            let output = try StoppedFile(path: FilePath(path), overwrite: false)
            output.callsLeft = calls
            let growing = CAFGrowingFile(output)
            var counted = 0
            do throws(AudioFileError) {
                try growing.begin(with: try header.laidOut())
                try growing.begin(with: header.set(.magicCookie([3, 1, 4])))
                for packet in [0..<1, 1..<3, 3..<5, 5..<7, 7..<8] {
                    try Self.append(packet, of: made, to: growing)
                    counted = packet.upperBound
                }
                try growing.tidy()
                isWhole = true
            } catch { expectEqual(error.message, "stopped") }
            let file = try AudioFile.open(path: path)
            let contents = try Contents(of: file, roomBytes: 1 << 20)
            #expect(contents.packets >= counted)
            expectEqual(contents.bytes, Array(made.bytes(of: 0..<contents.packets)))
            #expect(file.warnings.isEmpty, "after call \(calls)")
            if isWhole { #expect(contents.packets == 8 && calls > 20) }
        }
    }

    private static func append(
        _ packets: Range<Int>, of made: MadePackets, to file: CAFGrowingFile
    ) throws(AudioFileError) {
        let bytes = Array(made.bytes(of: packets))
        var entries: [UInt8] = []
        for packet in packets {
            CAFVariableLength.append(Int64(made.descriptions[packet].mDataByteSize), to: &entries)
        }
        try file.makeRoom(audioBytes: Int64(bytes.count), entryBytes: entries.count, packets: packets.count)
        try unsafe bytes.withUnsafeBufferPointer { bytes throws(AudioFileError) in
            try unsafe file.appendAudio(UnsafeRawBufferPointer(bytes))
        }
        try file.count(
            packets: packets.count, bytes: Int64(bytes.count), entries: entries[...],
            frames: PacketTable(
                primingFrames: 0, validFrames: Int64(1024 * packets.upperBound), remainderFrames: 0))
    }

    @Test("may be of packets of a few bytes, appended one by one", arguments: [1, 5, 11, 12, 13])
    func tinyPackets(bytes: Int) throws {
        let folder = ScratchFolder()
        let made = MadePackets(sizes: [Int](repeating: bytes, count: 300))
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .caf, format: Self.format)
        for packet in 0..<300 {
            try made.append(packet..<packet + 1, to: writer)
            let file = try AudioFile.open(path: writer.path)
            #expect(file.warnings.isEmpty)
            try expectEqual(Contents(of: file, roomBytes: 6000).bytes, Array(made.bytes(of: 0..<packet + 1)))
        }
        try writer.close()
        try expectEqual(Contents(of: AudioFile.open(path: writer.path), roomBytes: 6000).bytes, made.bytes)
    }

    @Test(
        "can be read by ffprobe, while they grow and when they are complete",
        .enabled(if: ToolPaths.isInPath("ffprobe"), "ffprobe is not installed"))
    func foreignReader() throws {
        let folder = ScratchFolder()
        var format = Self.format
        (format.mFormatID, format.mFramesPerPacket) = (kAudioFormatAppleLossless, 4096)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .caf, format: format)
        // 4096 frames, 16 bits, stereo, 44100 Hz.
        try writer.setMagicCookie(
            [0, 0, 16, 0, 0, 16, 40, 10, 14, 2, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xAC, 0x44])
        func sizes() -> [Int]? {
            output(of: "ffprobe -v quiet -show_entries packet=size -of csv=p=0 '\(writer.path)'")
                .map { $0.split(separator: "\n").compactMap { Int($0.prefix { $0.isNumber }) } }
        }
        let all = Self.made.descriptions.map { Int($0.mDataByteSize) }
        for (start, end) in [(0, 40), (40, 700), (700, 1500)] {
            try Self.made.append(start..<end, to: writer)
            expectEqual(sizes(), Array(all[..<end]))
        }
        try writer.close()
        expectEqual(sizes(), all)
    }
}
