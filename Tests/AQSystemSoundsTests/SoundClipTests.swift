// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing

@testable import AQSystemSounds

@Suite("Clips of files") struct SoundClipTests {
    private let folder = ScratchFolder()

    private func clip(_ bytes: [UInt8], _ name: String = "sound.wav") throws -> SoundClip {
        try SoundClip(contentsOf: FilePath(folder.write(bytes, to: name)))
    }

    @Test("every sample of a WAVE file is in the clip, in the file's format") func wave() throws {
        let samples = TestClip.counting(from: 1, frames: 100_000)
        let clip = try clip(RIFFBytes.wave(samples, sampleRate: 48_000))
        expectEqual(clip.frames, 100_000)
        expectEqual(TestClip.samples(of: clip.bytes), samples)
        #expect(clip.format.isSame(as: TestClip.format))
    }

    @Test(
        "WAVE, AIFF and CAF files are read whole, in either byte order",
        arguments: ["tune.wav", "tune.aiff", "tune.caf"])
    func containers(name: String) throws {
        let path = FilePath(ToolPaths.fixture(name))
        let file = try AudioFile.open(path: path)
        let frames = Int(try file.countFrames())
        let clip = try SoundClip(contentsOf: path)
        #expect(frames > 0 && clip.frames == frames)
        expectEqual(clip.format.mSampleRate, file.format.mSampleRate)
        expectEqual(clip.format.mChannelsPerFrame, file.format.mChannelsPerFrame)
        #expect(!clip.format.isBigEndian)
        var stored = [UInt8](repeating: 0, count: frames * Int(file.format.mBytesPerFrame))
        let read = try unsafe stored.withUnsafeMutableBytes { bytes in
            try unsafe file.readPackets(
                from: 0, into: bytes, descriptions: UnsafeMutableBufferPointer(start: nil, count: 0))
        }
        expectEqual(read.packets, frames)
        if file.format.isBigEndian {
            for index in stride(from: 0, to: stored.count, by: 2) { stored.swapAt(index, index + 1) }
        }
        let isSame = stored == clip.bytes
        #expect(isSame)
    }

    @Test("30 s are allowed, and a frame more is too long") func longest() throws {
        let longest = [Int16](repeating: 1, count: 30 * 8000)
        try expectEqual(clip(RIFFBytes.wave(longest)).frames, 240_000)
        #expect(throws: SoundClipError.tooLong) { try clip(RIFFBytes.wave(longest + [1])) }
    }

    @Test("a file without frames is an empty clip") func empty() throws {
        try expectEqual(clip(RIFFBytes.wave([])).frames, 0)
    }

    @Test("a header that promises more audio than there is gives what is there") func truncated() throws {
        let samples = TestClip.counting(from: 1, frames: 1000)
        let bytes = RIFFBytes.wave(samples, promisedBytes: 200_000)
        expectEqual(TestClip.samples(of: try clip(bytes).bytes), samples)
    }

    @Test("other types and codings are refused", arguments: ["tune-cbr.mp3", "list.m3u", "README.md"])
    func otherTypes(name: String) {
        #expect(throws: SoundClipError.unreadable) {
            try SoundClip(contentsOf: FilePath(ToolPaths.fixture(name)))
        }
    }

    @Test("A-law in a WAVE file is refused") func law() {
        let fields = [(6, 2), (1, 2), (8000, 4), (8000, 4), (1, 2), (8, 2)].flatMap { little($0.0, $0.1) }
        let chunks =
            RIFFBytes.chunk("fmt ", fields) + RIFFBytes.chunk("data", [UInt8](repeating: 0x55, count: 800))
        let file = Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WAVE".utf8) + chunks
        #expect(throws: SoundClipError.unreadable) { try clip(file) }
    }

    @Test("what is missing, a folder, a pipe, or garbage is refused at once") func noFile() throws {
        let pipe = folder.file("pipe")
        unsafe expectEqual(mkfifo(pipe, 0o600), 0)
        try folder.write([UInt8](repeating: 7, count: 5000), to: "garbage")
        try folder.write([], to: "empty")
        for path in [
            folder.file("missing"), folder.path, pipe, folder.file("garbage"), folder.file("empty"), "",
        ] {
            #expect(throws: SoundClipError.unreadable, "\(path)") {
                try SoundClip(contentsOf: FilePath(path))
            }
        }
    }

    @Test("a clip needs whole frames") func wholeFrames() {
        expectEqual(SoundClip(format: TestClip.format, bytes: [1, 2, 3]).bytes, [1, 2])
    }

    @Test("the beep is short, not silent, and has no clicks at its ends") func beep() {
        let samples = TestClip.samples(of: SoundClip.beep.bytes)
        expectEqual(samples.count, 7200)
        #expect(samples.first == 0 && samples.last == 0)
        #expect((8000...8192).contains(samples.max() ?? 0))
        let steps = zip(samples, samples.dropFirst()).map { abs(Int($1) - Int($0)) }
        #expect((steps.max() ?? 0) < 1000)
    }
}
