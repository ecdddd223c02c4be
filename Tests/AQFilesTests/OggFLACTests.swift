// SPDX-License-Identifier: MIT

import AQExpectations
import CAQSndFile
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

/// Two channels of 16-bit noise in FLAC.
private struct FLACSound {
    static let frames = 20_000
    static let blockFrames = 4096
    /// Whether the machine's libsndfile encodes FLAC.
    static let isAvailable = usual != nil
    static let usual = FLACSound(seed: 1)

    var samples: [Int16]
    /// A native file, with the offset of its first frame and the end of each.
    var file: [UInt8]
    var ends: [Int]

    init?(seed: UInt64) {
        let folder = ScratchFolder()
        let path = folder.file("sound")
        var info = SF_INFO()
        (info.samplerate, info.channels) = (48000, 2)
        info.format = CInt(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        guard let handle = unsafe sf_open(path, CInt(SFM_WRITE), &info) else { return nil }
        var random = SplitMix(seed)
        samples = (0..<2 * Self.frames).map { _ in Int16(3000 * random.noise()) }
        unsafe sf_writef_short(handle, samples, sf_count_t(Self.frames))
        unsafe sf_close(handle)
        let file = AQFilesTests.bytes(ofFile: path, atMost: 1 << 24)
        let saved = TemporaryFile(file)
        guard let open = try? OpenFile(path: FilePath(saved.path)), let stream = FLACStreamInfo(file: open)
        else {
            return nil
        }
        let starts = (Int(stream.firstFrame)..<file.count).filter { place in
            unsafe file[place...].withUnsafeBytes { unsafe FLACFrameHeader($0, in: stream) } != nil
        }
        (self.file, ends) = (file, starts + [file.count])
    }

    func ogg(serial: UInt32 = 1) -> [UInt8] {
        let counts = ends.indices.map { Int64(min($0 * Self.blockFrames, Self.frames)) }
        return OggBytes.flac(file, ends: ends, counts: counts, serial: serial)
    }
}

@Suite("FLAC in Ogg", .enabled(if: FLACSound.isAvailable, "libFLAC is not installed"))
struct OggFLACTests {
    private static let frames = FLACSound.frames
    private static let blockFrames = FLACSound.blockFrames

    private static func samples(_ bytes: [UInt8]) -> [Int16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    private func contents(_ bytes: [UInt8]) throws -> (file: AudioFile, samples: [Int16]) {
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        return (file, Self.samples(try Contents(of: file).bytes))
    }

    @Test("is read completely, and from any frame on")
    func plain() throws {
        let sound = try #require(FLACSound.usual)
        let (file, samples) = try contents(sound.ogg())
        #expect(file.containerName == "Ogg" && file.decodedCodec == "FLAC" && !file.isLossy)
        #expect(file.frameCount == Int64(Self.frames) && file.format.mBitsPerChannel == 16)
        expectEqual(samples, sound.samples)
        #expect(file.warnings.isEmpty)
        for frame in [0, 1, 4095, 4096, 12_345, Self.frames - 1] {
            let rest = try Contents(of: file, from: Int64(frame)).bytes
            expectEqual(Self.samples(rest), Array(sound.samples[(2 * frame)...]))
        }
    }

    @Test("without a frame count ends with its last page")
    func uncounted() throws {
        var sound = try #require(FLACSound.usual)
        // The low 36 bits of the eight bytes after the sizes.
        sound.file[21] &= 0xF0
        sound.file.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let (file, samples) = try contents(sound.ogg())
        expectEqual(file.frameCount, Int64(Self.frames))
        expectEqual(samples, sound.samples)
    }

    @Test("accepts FLAC in Ogg")
    func chained() throws {
        let (first, second) = (try #require(FLACSound.usual), try #require(FLACSound(seed: 2)))
        let (file, samples) = try contents(first.ogg() + second.ogg(serial: 2))
        expectEqual(file.frameCount, Int64(2 * Self.frames))
        expectEqual(samples, first.samples + second.samples)
        #expect(file.warnings.isEmpty)
    }

    @Test("whose end is missing is silent there, and the next stream keeps its time")
    func cutLink() throws {
        let (first, second) = (try #require(FLACSound.usual), try #require(FLACSound(seed: 2)))
        let pages = first.ogg()
        let starts = offsets(of: "OggS", in: pages)
        let (file, samples) = try contents(pages[..<starts[4]] + second.ogg(serial: 2))
        let held = first.samples.prefix(2 * 2 * Self.blockFrames)
        let silence = [Int16](repeating: 0, count: 2 * Self.frames - held.count)
        expectEqual(samples, held + silence + second.samples)
        #expect(file.problems.contains { $0.message.hasPrefix("stream 1: the audio ends") })
    }

    @Test("that lost a frame is silent there, and reports it")
    func damaged() throws {
        let sound = try #require(FLACSound.usual)
        var bytes = sound.ogg()
        // Inside the second frame, past the first page of audio.
        let frame = sound.file[sound.ends[1]...].prefix(64)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: frame) })
        bytes[place + 200] ^= 0x55
        let (file, samples) = try contents(bytes)
        var wanted = sound.samples
        for index in 2 * Self.blockFrames..<4 * Self.blockFrames { wanted[index] = 0 }
        expectEqual(samples, wanted)
        expectEqual(file.problems.map(\.grade), [.damage])
    }

    @Test("is read from a pipe")
    func piped() throws {
        let sound = try #require(FLACSound.usual)
        for pieceBytes in [20, 5000] {
            let file = try FilledPipe(sound.ogg(), pieceBytes: pieceBytes).open()
            expectEqual(Self.samples(try Contents(of: file).bytes), sound.samples)
        }
    }

    @Test("with random damage is read without a trap", arguments: someCases(4, of: 0..<20 as Range<UInt64>))
    func hostile(seed: UInt64) throws {
        let sound = try #require(FLACSound.usual)
        var bytes = sound.ogg() + sound.ogg(serial: 2)
        var random = SplitMix(seed)
        for _ in 0..<Int.random(in: 1...30, using: &random) {
            let range = Bool.random(using: &random) ? 0..<300 : bytes.indices
            bytes[Int.random(in: range, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if seed % 3 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
        let saved = TemporaryFile(bytes)
        guard let file = try? AudioFile.open(path: saved.path) else { return }
        let frames = try #require(file.frameCount)
        for _ in 0..<20 {
            let frame = Int64.random(in: 0..<max(min(frames, 100_000), 1), using: &random)
            var room = [UInt64](repeating: 0, count: 512)
            _ = try? unsafe room.withUnsafeMutableBytes { room in
                try unsafe file.readPackets(
                    from: frame, into: room,
                    descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>(
                        start: nil, count: 0))
            }
        }
        _ = file.warnings
    }
}
