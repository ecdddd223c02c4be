// SPDX-License-Identifier: MIT

import AQExpectations
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqinfo

@Suite("Reports of aqinfo")
struct FileReportTests {
    private static let tags: [(String, [UInt8])] = [
        (
            "LIST",
            Array("INFO".utf8) + RIFFBytes.chunk("INAM", Array("A title\u{1B}[31m of words\0".utf8))
                + RIFFBytes.chunk("IART", Array("Someone\0".utf8))
        ),
        (
            "cue ",
            little(1, 4) + little(7, 4) + little(0, 4)
                + Array("data".utf8)
                + little(0, 8) + little(4000, 4)
        ),
        (
            "LIST",
            Array("adtl".utf8)
                + RIFFBytes.chunk("labl", little(7, 4) + Array("Here\0".utf8))
        ),
    ]

    @Test("PCM: format, channels, duration, audio offset, tags, markers and chunks")
    func wave() throws {
        let folder = ScratchFolder()
        let samples = [Int16](repeating: 100, count: 16000)
        let path = try folder.write(RIFFBytes.wave(samples, channels: 2, more: Self.tags), to: "a.wav")
        let run = Run([path])
        expectEqual(run.status, .success)
        #expect(run.complaints.isEmpty)
        expectEqual(run.lines.first, path)
        expectEqual(run.field("Container"), "WAVE")
        expectEqual(run.field("Format"), "8000 Hz, 2 ch, 16-bit little-endian signed integer")
        expectEqual(run.field("Channels"), "2, stereo: L R")
        expectEqual(run.field("Packets"), "8000")
        expectEqual(run.field("Duration"), "0:00:01.000")
        expectEqual(run.field("Bit rate"), "256 kbit/s")
        expectEqual(run.field("Audio data"), "32000 bytes (32 kB) at byte 44")
        expectEqual(run.field("Markers"), "frame 4000 (0:00:00.500) Here")
        // The escape is a control character, and removed.
        expectEqual(run.field("Information"), "title   A title[31m of words")
        let chunks = run.lines.filter { $0.contains(" '") && !$0.contains("lpcm") }
            .map { $0.split(separator: " ").joined(separator: " ") }
        expectEqual(
            chunks,
            [
                "'fmt ' 12 16", "'data' 36 32000", "'LIST' 32044 50", "'INAM' 32056 22", "'IART' 32086 8",
                "'cue ' 32102 28", "'LIST' 32138 22", "'labl' 32150 9",
            ])
    }

    #if HAVE_MPEG_AUDIO
    @Test("compressed packets: trims, the largest packet")
    func mp3() {
        let run = Run([ToolPaths.fixture("tune-vbr.mp3")])
        expectEqual(run.status, .success)
        expectEqual(run.field("Container"), "MPEG audio")
        expectEqual(run.field("Packets")?.hasSuffix(" of 1152 frames"), true)
        expectEqual(run.field("Frames")?.contains(", after 1105 of priming and before "), true)
        expectEqual(run.field("Largest packet")?.contains(" bytes (bound: "), true)
    }
    #endif

    @Test("no line is wider than the terminal, unless a path is", arguments: [40, 60, 80, 120])
    func width(columns: Int) throws {
        let folder = ScratchFolder()
        var more = Self.tags
        let words = String(repeating: "wide words ", count: 40)
        more.append(("LIST", Array("INFO".utf8) + RIFFBytes.chunk("ICMT", Array(words.utf8))))
        let path = try folder.write(RIFFBytes.wave([1, 2], more: more, promisedBytes: 4000), to: "a.wav")
        for arguments in [[path], ["--graph", path], ["--packets", path]] {
            for line in Run(arguments, columns: columns).lines where line != path {
                // The table of packets needs 70.
                #expect(line.count <= (arguments[0] == "--packets" ? max(columns, 70) : columns), "\(line)")
            }
        }
    }

    @Test("a chunk of an absurd size has space between its offset and its size")
    func absurdChunk() {
        let run = Run([ToolPaths.fixture("broken/frames-huge.wav")])
        let row = run.lines.first { $0.contains("'data'") }?.split(separator: " ") ?? []
        #expect(row.count == 3 && row.allSatisfy { $0.count < 20 }, "\(row)")
    }

    @Test("reports are separated by one empty line, and files that fail leave none")
    func separation() throws {
        let folder = ScratchFolder()
        let good = try folder.write(RIFFBytes.wave([1, 2]), to: "a.wav")
        let missing = folder.file("missing.wav")
        let lines = Run([missing, good, missing, missing, good, missing]).lines
        expectEqual(lines.first, good)
        expectEqual(lines.count { $0 == good }, 2)
        expectEqual(lines.dropLast().count { $0.isEmpty }, 1)
        expectEqual(lines.suffix(2).first?.isEmpty, false)
    }

    @Test("one line a file, in columns")
    func brief() throws {
        let folder = ScratchFolder()
        let short = try folder.write(RIFFBytes.wave([1, 2, 3, 4]), to: "a.wav")
        let run = Run(["--brief", short, ToolPaths.fixture("tune-float48.wav")])
        expectEqual(run.status, .success)
        expectEqual(run.lines.count, 3)
        expectEqual(
            run.lines[0], "0:00:00.001    8000 Hz  1 ch   128 kbit/s  PCM 16         WAVE       \(short)")
        #expect(run.lines[1].contains("PCM f32"))
    }

    @Test("a file's faults are reported, and do not hide the rest")
    func problems() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([1, 2], promisedBytes: 4000), to: "a.wav")
        let run = Run([path])
        expectEqual(run.status, .success)
        expectEqual(run.field("Problems")?.contains("promises 4000 bytes"), true)
        expectEqual(run.field("Frames"), "2")
    }

    @Test("invalid files are named, and the others reported all the same")
    func errors() throws {
        let folder = ScratchFolder()
        let good = try folder.write(RIFFBytes.wave([1, 2]), to: "a.wav")
        let text = try folder.write(Array("%PDF-1.4\n".utf8), to: "b.pdf")
        let empty = try folder.write([], to: "c.wav")
        let run = Run(["--brief", folder.file("missing"), folder.path, text, empty, good])
        expectEqual(run.status, .failure)
        expectEqual(run.complaints.count, 4)
        for (complaint, words) in zip(run.complaints, ["no such file", "folder", "PDF", "empty"]) {
            #expect(complaint.contains(words), "\(complaint)")
            #expect(!complaint.contains("\n"))
        }
        expectEqual(run.lines.count, 2)
    }

    @Test("a full disk or a closed pipe ends it")
    func fullOutput() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([1, 2]), to: "a.wav")
        for arguments in [[path], ["--packets", path], ["--json", path], ["--waveform=-", path]] {
            let run = Run(arguments, outputFailure: 28)
            expectEqual(run.status, .inputOutput)
            expectEqual(run.complaints, ["cannot write to standard output: no space left on device"])
        }
    }
}
