// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CAQSndFile
import CoreAudioTypes
import AQTestSupport
import Testing

/// Audio that libsndfile encodes, in containers that it reads.
private enum Encoded: String, CaseIterable, CustomStringConvertible {
    case vorbis, opus, flac

    var description: String { rawValue }

    private var format: Int {
        switch self {
        case .vorbis: SF_FORMAT_OGG | SF_FORMAT_VORBIS
        case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
        case .flac: SF_FORMAT_FLAC | SF_FORMAT_PCM_24
        }
    }

    static let available = allCases.filter { $0.bytes(frames: 1) != nil }

    /// A file of noise; nil if the machine's libsndfile does not encode it.
    func bytes(frames: Int, seed: UInt64 = 1, channels: Int = 2) -> [UInt8]? {
        let folder = ScratchFolder()
        let path = folder.file("sound")
        var info = SF_INFO()
        info.samplerate = 48000
        info.channels = CInt(channels)
        info.format = CInt(format)
        guard let handle = unsafe sf_open(path, CInt(SFM_WRITE), &info) else { return nil }
        var random = SplitMix(seed)
        // The library overruns its stack with large blocks.
        for first in stride(from: 0, to: frames, by: 1024) {
            let count = min(1024, frames - first)
            let samples = (0..<count * channels).map { _ in Float(0.3 * random.noise()) }
            unsafe sf_writef_float(handle, samples, sf_count_t(count))
        }
        unsafe sf_close(handle)
        return AQFilesTests.bytes(ofFile: path, atMost: 1 << 24)
    }
}

@Suite("Files that libsndfile decodes", .enabled(if: !Encoded.available.isEmpty, "no encoder is installed"))
struct OggFileTests {
    private static let vorbis = Encoded.available.filter { $0 == .vorbis }

    /// The bytes of `count` frames, or of as many as there are.
    private func read(_ file: AudioFile, from frame: Int64, count: Int) throws -> [UInt8] {
        let frameBytes = Int(file.format.mBytesPerFrame)
        let point = try file.seekPoint(forFrame: frame)
        #expect(point.packet == frame && point.framesToDiscard == 0)
        var bytes: [UInt8] = []
        var room = [UInt64](repeating: 0, count: 1 << 12)
        while bytes.count < count * frameBytes {
            let read = try unsafe room.withUnsafeMutableBytes { room in
                try unsafe file.readPackets(
                    from: frame + Int64(bytes.count / frameBytes), into: room,
                    descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>(
                        start: nil, count: 0))
            }
            if read.packets == 0 { break }
            unsafe room.withUnsafeBytes { unsafe bytes.append(contentsOf: $0.prefix(read.bytes)) }
        }
        return Array(bytes.prefix(count * frameBytes))
    }

    /// Whether the samples are equal: those of Opus except for the decoder's preroll.
    private func isSame(_ got: [UInt8], _ wanted: ArraySlice<UInt8>, as encoded: Encoded) -> Bool {
        guard encoded == .opus else { return got.elementsEqual(wanted) }
        func samples(_ bytes: [UInt8]) -> [Float] {
            unsafe bytes.withUnsafeBytes { bytes in
                (0..<bytes.count / 4).map {
                    unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)
                }
            }
        }
        return got.count == wanted.count
            && zip(samples(got), samples(Array(wanted))).allSatisfy { abs($0 - $1) < 1e-3 }
    }

    @Test(
        "return from any frame on the samples of a decode from the start, wherever they were read before",
        arguments: Encoded.available, [1500, 3000, 47_000, 240_001])
    fileprivate func seeking(encoded: Encoded, frames: Int) throws {
        let stored = TemporaryFile(try #require(encoded.bytes(frames: frames)))
        let file = try AudioFile.open(path: stored.path)
        expectEqual(file.frameCount, Int64(frames))
        let whole = try read(file, from: 0, count: frames + 1)
        let frameBytes = Int(file.format.mBytesPerFrame)
        expectEqual(whole.count, frames * frameBytes)
        var random = SplitMix(7)
        var places = [0, frames - 1].map(Int64.init)
        for _ in 0..<20 { places.append(Int64.random(in: 0..<Int64(frames), using: &random)) }
        for _ in 0..<20 {
            places.append(Int64.random(in: Int64(max(frames - 9000, 0))..<Int64(frames), using: &random))
        }
        for place in places {
            let fresh = try AudioFile.open(path: stored.path)
            let start = Int(place) * frameBytes
            for file in [file, fresh] {
                let got = try read(file, from: place, count: 1500)
                let wanted = whole[start...].prefix(1500 * frameBytes)
                #expect(isSame(got, wanted, as: encoded), "frame \(place) of \(frames)")
            }
        }
        #expect(file.warnings.isEmpty)
    }

    /// The frames of a file of these bytes.
    private func whole(_ bytes: [UInt8]) throws -> [UInt8] {
        let stored = TemporaryFile(bytes)
        return try read(AudioFile.open(path: stored.path), from: 0, count: 4_000_000)
    }

    private static let ogg = Encoded.available.filter { $0 != .flac }

    @Test("of Ogg: streams that follow each other are joined", arguments: ogg, [20_000, 300_000])
    fileprivate func chained(encoded: Encoded, frames: Int) throws {
        let parts = try [100_000, frames, 7000].enumerated().map { index, frames in
            try #require(encoded.bytes(frames: frames, seed: UInt64(index)))
        }
        let stored = TemporaryFile(Array(parts.joined()))
        let file = try AudioFile.open(path: stored.path)
        let total = 107_000 + frames
        expectEqual(file.frameCount, Int64(total))
        expectEqual(file.decodedCodec, (encoded == .vorbis ? "Vorbis" : "Opus"))
        let wanted = try parts.flatMap { try whole($0) }
        try expectEqual(read(file, from: 0, count: total + 1), wanted)
        #expect(file.warnings.isEmpty)
        let frameBytes = Int(file.format.mBytesPerFrame)
        for frame in [0, 99_999, 100_000, 100_001, 99_000 + frames, 100_000 + frames, total - 1, 50_000] {
            // Also across the border.
            let got = try read(file, from: Int64(frame), count: 3000)
            #expect(isSame(got, wanted[(frame * frameBytes)...].prefix(3000 * frameBytes), as: encoded))
        }
    }

    @Test("of Ogg: streams of other formats are left out, with a warning", arguments: ogg)
    fileprivate func otherFormat(encoded: Encoded) throws {
        let first = try #require(encoded.bytes(frames: 30_000))
        let other = try #require(encoded.bytes(frames: 2_000_000, seed: 2, channels: 1))
        let last = try #require(encoded.bytes(frames: 20_000, seed: 3))
        let wanted = try whole(first) + whole(last)
        let warning = "has another format, 48000 Hz, 1 ch, 32-bit little-endian float, and is left out"
        let stored = TemporaryFile(first + other + last)
        let file = try AudioFile.open(path: stored.path)
        expectEqual(file.frameCount, 50_000)
        try expectEqual(read(file, from: 0, count: 60_000), wanted)
        expectEqual(
            file.problems,
            [
                AudioFileProblem(.damage, "stream 2, from byte \(first.count) on, \(warning)")
            ])
        let piped = try FilledPipe(first + other + last, pieceBytes: 3000).open()
        try expectEqual(read(piped, from: 0, count: 60_000), wanted)
        expectEqual(piped.warnings, ["stream 2 \(warning)"])
    }

    @Test("of Ogg: streams that follow each other are read from a pipe", arguments: ogg, [1, 100, 5000])
    fileprivate func chainedPipe(encoded: Encoded, pieceBytes: Int) throws {
        let frames = pieceBytes == 1 ? 3000 : 100_000
        let parts = try (0..<3).map { try #require(encoded.bytes(frames: frames, seed: $0)) }
        let file = try FilledPipe(Array(parts.joined()), pieceBytes: pieceBytes).open()
        #expect(!file.isSeekable && file.frameCount == nil)
        let wanted = try parts.flatMap { try whole($0) }
        try expectEqual(read(file, from: 0, count: 4 * frames), wanted)
        #expect(file.warnings.isEmpty)
    }

    @Test("of Ogg: a stream whose end is missing is silent there, and the next one keeps its time")
    fileprivate func cutLink() throws {
        let encoded = try #require(Self.ogg.first)
        let first = try #require(encoded.bytes(frames: 200_000))
        let second = try #require(encoded.bytes(frames: 20_000, seed: 2))
        // A page is damaged: the library skips it, and ends early.
        var bytes = first + second
        bytes[first.count / 2] ^= 0x55
        let stored = TemporaryFile(bytes)
        let file = try AudioFile.open(path: stored.path)
        expectEqual(file.frameCount, 220_000)
        let frameBytes = Int(file.format.mBytesPerFrame)
        let got = try read(file, from: 0, count: 230_000)
        expectEqual(got.count, 220_000 * frameBytes)
        expectEqual(got.suffix(20_000 * frameBytes), (try whole(second))[...])
        #expect(
            file.problems.contains { $0.grade == .damage && $0.message.hasPrefix("stream 1: the audio ends") }
        )
    }

    @Test(
        "of Ogg: an end inside a page, or bytes after one, are reported",
        arguments: Encoded.available.filter { $0 != .flac })
    fileprivate func cut(encoded: Encoded) throws {
        let whole = try #require(encoded.bytes(frames: 200_000))
        func warnings(_ bytes: [UInt8]) throws -> [String] {
            let stored = TemporaryFile(bytes)
            return try AudioFile.open(path: stored.path).warnings
        }
        try expectEqual(warnings(whole), [])
        let lastPage = try #require(offsets(of: "OggS", in: whole).last)
        for left in [1, 5, 100, whole.count - lastPage - 1] {
            try expectEqual(
                warnings(Array(whole[..<(lastPage + left)])),
                [
                    "the file ends inside a page, after \(left) of its bytes"
                ])
        }
        try expectEqual(
            warnings(Array(whole[..<lastPage])),
            [
                "no page is marked as the last: the end of the audio may be missing"
            ])
        try expectEqual(warnings(whole + [1, 2, 3]), ["3 bytes at the end of the file belong to no page"])
    }

    @Test(
        "of Ogg: any changed bytes are read without a trap", .timeLimit(.minutes(20)), arguments: vorbis,
        someCases(8, of: 0..<40 as Range<UInt64>))
    fileprivate func hostile(encoded: Encoded, seed: UInt64) throws {
        var bytes = try #require(encoded.bytes(frames: 30_000))
        var random = SplitMix(seed)
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        // False starts of pages, each inside the previous one.
        if seed % 4 == 0 {
            let page = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [255, 255, 255, 255]
            for _ in 0..<6000 { bytes += page }
        }
        let stored = TemporaryFile(bytes)
        guard let file = try? AudioFile.open(path: stored.path) else { return }
        for frame: Int64 in [29_000, 10, 25_000, 29_999] { _ = try? read(file, from: frame, count: 100) }
        _ = file.warnings
    }
}
