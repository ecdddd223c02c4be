// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQFiles
import CoreAudioTypes
import Foundation
import Glibc
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqinfo

@Suite("aqinfo --check")
struct CheckTests {
    @Test("an audio file is intact, with its peak")
    func intact() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([0, 16384, -8192]), to: "a.wav")
        let run = Run(["--check", path])
        expectEqual(run.status, .success)
        expectEqual(run.field("Check"), "intact: 3 frames decoded, peak -6.02 dB")
        let silent = Run(["--check", try folder.write(RIFFBytes.wave([0, 0]), to: "b.wav")])
        expectEqual(silent.field("Check"), "intact: 2 frames decoded, silence")
    }

    #if HAVE_MPEG_AUDIO
    @Test("compressed audio is decoded, without its priming and remainder")
    func mp3() {
        let run = Run(["--check", ToolPaths.fixture("tune-vbr.mp3")])
        expectEqual(run.status, .success)
        let frames = run.field("Frames")?.prefix { $0 != "," } ?? "?"
        expectEqual(run.field("Check")?.hasPrefix("intact: \(frames) frames decoded, peak -"), true)
    }
    #endif

    #if HAVE_MPEG_AUDIO
    @Test("the audio begins after the priming")
    func trims() throws {
        let file = try AudioFile.open(path: ToolPaths.fixture("tune-vbr.mp3"))
        let table = try #require(file.packetTable)
        #expect(table.primingFrames > 0)
        var sound: [Float] = []
        var scan = FileScan(file: file, decodes: true)
        scan.onSound = { samples in for index in samples.indices { sound.append(samples[index]) } }
        expectEqual(scan.run().audioFrames, table.validFrames)
        let channels = Int(file.format.mChannelsPerFrame)
        let all = try decodedWhole(file)
        let first = Int(table.primingFrames) * channels
        expectEqual(sound.count, Int(table.validFrames) * channels)
        expectEqual(sound, Array(all[first..<first + sound.count]))
    }
    #endif

    #if HAVE_MPEG_AUDIO
    /// All frames that the packets decode to.
    private func decodedWhole(_ file: AudioFile) throws -> [Float] {
        let decoder = try makePacketDecoder(for: file.format)
        let channels = Int(file.format.mChannelsPerFrame)
        var room = [Float](repeating: 0, count: decoder.maximumFramesPerPacket * channels)
        var all: [Float] = []
        let batch = PacketBatch(file: file)
        var packet: Int64 = 0
        repeat {
            try batch.read(from: packet)
            packet += Int64(batch.packets)
            try unsafe batch.forEachRun { packet in
                let frames = try unsafe room.withUnsafeMutableBytes {
                    try unsafe decoder.decode(packet, into: $0)
                }
                all += room.prefix(frames * channels)
            }
        } while batch.packets > 0
        return all
    }
    #endif

    @Test("promised audio that is missing is damage, and fails")
    func short() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([1, 2], promisedBytes: 4000), to: "a.wav")
        let run = Run(["--check", path])
        expectEqual(run.status, .failure)
        expectEqual(run.field("Check")?.hasPrefix("not intact: 2 frames decoded"), true)
    }

    #if HAVE_MPEG_AUDIO
    @Test("a hole in compressed audio is damage, and fails")
    func hole() throws {
        let folder = ScratchFolder()
        var bytes = try #require(FixtureBytes.read("tune-cbr.mp3"))
        bytes.replaceSubrange(
            bytes.count / 2..<bytes.count / 2 + 3000, with: [UInt8](repeating: 0x55, count: 3000))
        let run = Run(["--check", "--brief", try folder.write(bytes, to: "a.mp3")])
        expectEqual(run.status, .failure)
        #expect(run.output.contains("not intact"))
    }
    #endif

    @Test("a fault outside the audio is a warning, with a status of its own")
    func warnings() throws {
        let folder = ScratchFolder()
        var bytes = RIFFBytes.wave([0, 16384])
        // The length of the file includes its first eight bytes.
        bytes.replaceSubrange(4..<8, with: little(bytes.count, 4))
        let odd = try folder.write(bytes, to: "odd.wav")
        let run = Run(["--check", odd])
        expectEqual(run.status, .warnings)
        expectEqual(run.field("Check"), "intact: 2 frames decoded, peak -6.02 dB, 1 warning")
        expectEqual(run.field("Warnings")?.hasPrefix("the header promises a file of"), true)
        expectEqual(run.field("Problems"), nil)
        expectEqual(Run([odd]).status, .success)

        let json = try Run(["--check", "--json", odd]).jsonObject()
        expectEqual((json["warnings"] as? [String])?.count, 1)
        expectEqual((json["damage"] as? [String])?.isEmpty, true)
        #expect((json["check"] as? [String: Any])?["intact"] as? Bool == true)

        // The worst of several files counts.
        let whole = try folder.write(RIFFBytes.wave([1]), to: "a.wav")
        let cut = try folder.write(RIFFBytes.wave([1, 2], promisedBytes: 4000), to: "c.wav")
        expectEqual(Run(["--check", odd, whole]).status, .warnings)
        expectEqual(Run(["--check", whole, odd, cut, odd]).status, .failure)
        let damaged = try Run(["--check", "--json", cut]).jsonObject()
        expectEqual((damaged["damage"] as? [String])?.count, 1)
    }

    @Test("audio without a decoder is not checked, with a status of its own")
    func missingDecoder() throws {
        let folder = ScratchFolder()
        let path = folder.file("a.caf")
        let format = AudioStreamBasicDescription.encoded(
            0x6163_2D33, framesPerPacket: 1536, channels: 2, sampleRate: 48_000)
        let writer = try AudioFileWriter.create(path: path, type: .caf, format: format)
        let packet = AudioStreamPacketDescription(
            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 100)
        try unsafe [UInt8](repeating: 1, count: 100).withUnsafeBytes { bytes in
            try unsafe [packet].withUnsafeBufferPointer {
                try unsafe writer.append(bytes, packetDescriptions: $0)
            }
        }
        try writer.close()
        let run = Run(["--check", path])
        #expect(run.status == .unchecked && run.status.rawValue == 3)
        expectEqual(run.field("Check")?.hasPrefix("not checked: cannot decode "), true, "\(run.output)")
        expectEqual(run.field("Problems"), nil)
        #expect(Run(["--check", "--brief", path]).output.contains("(not checked: "))
        let check = try Run(["--check", "--json", path]).jsonObject()["check"] as? [String: Any]
        #expect(check?["intact"] is NSNull && check?["frames"] is NSNull)
        expectEqual((check?["fault"] as? String)?.hasPrefix("cannot decode "), true)
        // Damage counts more, and is found without a decoder.
        let whole = try folder.write(RIFFBytes.wave([1]), to: "a.wav")
        let cut = try folder.write(RIFFBytes.wave([1, 2], promisedBytes: 4000), to: "c.wav")
        expectEqual(Run(["--check", whole, path, whole]).status, .unchecked)
        expectEqual(Run(["--check", path, cut, path]).status, .failure)
        expectEqual(Run(["--graph", path]).status, .failure)
    }

    @Test("the samples of FLAC are compared with the checksum in the file", arguments: [8, 16, 24])
    func checksum(bits: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("a.flac")
        let format = try AudioFileType.flac.pcmFormat(
            sampleRate: 44_100, channels: 2, bits: bits, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: .flac, format: format)
        let samples = (0..<10_000 * Int(format.mBytesPerFrame)).map {
            UInt8(truncatingIfNeeded: $0 * $0 >> 3)
        }
        try unsafe samples.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        expectEqual(Run(["--check", path]).status, .success)
        var bytes = SystemFile.contents(ofPath: path)
        bytes[30] ^= 1
        let run = Run(["--check", try folder.write(bytes, to: "b.flac")])
        expectEqual(run.status, .failure)
        #expect(run.output.contains("MD5"))
        expectEqual(Run([folder.file("b.flac")]).status, .success)
        bytes.replaceSubrange(26..<42, with: [UInt8](repeating: 0, count: 16))
        expectEqual(Run(["--check", try folder.write(bytes, to: "c.flac")]).status, .success)
    }

    @Test(
        "the checksum is that of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        ])
    func md5(text: String, expected: String) {
        for pieceBytes in [1, 7, 64, 100] {
            var md5 = MD5()
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                md5.add(Array(rest.prefix(pieceBytes)))
                rest = rest.dropFirst(pieceBytes)
            }
            expectEqual(
                md5.value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(), expected
            )
        }
    }

    @Test("WAVE with the lengths of a pipe is whole")
    func pipeLengths() throws {
        let folder = ScratchFolder()
        var bytes = RIFFBytes.wave([0, 16384, -8192], promisedBytes: 0x7FFF_F000)
        bytes.replaceSubrange(4..<8, with: little(0x7FFF_F024, 4))
        let run = Run(["--check", try folder.write(bytes, to: "a.wav")])
        expectEqual(run.status, .warnings)
        expectEqual(run.field("Check"), "intact: 3 frames decoded, peak -6.02 dB, 1 warning")
    }

    @Test("without --check, damage is reported and is no failure")
    func unasked() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([1, 2], promisedBytes: 4000), to: "a.wav")
        expectEqual(Run([path]).status, .success)
        expectEqual(Run([path]).field("Check"), nil)
    }

    @Test("any noise after any beginning is checked without a trap", arguments: 0..<60)
    func hostile(seed: Int) throws {
        let folder = ScratchFolder()
        var random = Noise(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1)
        let beginnings: [[UInt8]] = [
            Array(RIFFBytes.wave([1, 2, 3]).prefix(44)), Array("FORM\0\0\u{1}\0AIFFCOMM\0\0\0\u{12}".utf8),
            Array("caff\0\u{1}\0\0desc\0\0\0\0\0\0\0 ".utf8), Array("\0\0\0\u{18}ftypM4A ".utf8),
            Array("RF64".utf8), Array("fLaC".utf8), [0xFF, 0xFB, 0x90, 0x64], [0xFF, 0xF1, 0x50, 0x80],
            Array("riff.\u{1}".utf8), Array(".snd\0\0\0\u{18}".utf8),
        ]
        var bytes = beginnings[seed % beginnings.count]
        for _ in 0..<2000 { bytes.append(UInt8(truncatingIfNeeded: random.next() >> 33)) }
        let path = try folder.write(bytes, to: "noise")
        for options in [["--check", "--graph"], ["--json", "--packets"], ["--brief"], []] {
            let run = Run(options + [path])
            #expect(run.status == .success || run.status == .failure)
        }
    }
}

/// Pseudo-random numbers, the same in every run.
struct Noise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

enum FixtureBytes {
    static func read(_ name: String) -> [UInt8]? {
        let path = ToolPaths.fixture(name)
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe _ = fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 22)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}
