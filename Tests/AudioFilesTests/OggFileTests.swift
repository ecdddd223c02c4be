import AudioFiles
import CSndFile
import CoreAudioTypes
import SeededRandom
import Testing

/// Sound that libsndfile encodes, in containers that it reads.
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
        let folder = TemporaryFolder()
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
            let samples = (0..<count * channels).map { _ in Float.random(in: -0.3...0.3, using: &random) }
            unsafe sf_writef_float(handle, samples, sf_count_t(count))
        }
        unsafe sf_close(handle)
        return AudioFilesTests.bytes(ofFile: path, atMost: 1 << 24)
    }
}

@Suite("Files that libsndfile decodes", .enabled(if: !Encoded.available.isEmpty))
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

    /// Whether the samples are the same: those of Opus but for what its decoder has not forgotten.
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
        "give from any frame on the samples of a decode from the start, wherever they were read before",
        arguments: Encoded.available, [1500, 3000, 47_000, 240_001])
    fileprivate func seeking(encoded: Encoded, frames: Int) throws {
        let stored = TemporaryFile(try #require(encoded.bytes(frames: frames)))
        let file = try AudioFile.open(path: stored.path)
        #expect(file.frameCount == Int64(frames))
        let whole = try read(file, from: 0, count: frames + 1)
        let frameBytes = Int(file.format.mBytesPerFrame)
        #expect(whole.count == frames * frameBytes)
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

    @Test(
        "of Ogg, streams that follow the first are told", arguments: Encoded.available.filter { $0 != .flac })
    fileprivate func chained(encoded: Encoded) throws {
        let first = try #require(encoded.bytes(frames: 100_000))
        // Longer than what is looked at, and shorter.
        for frames in [2_000_000, 20_000] {
            let second = try #require(encoded.bytes(frames: frames, seed: 2, channels: 1))
            let stored = TemporaryFile(first + second)
            let file = try AudioFile.open(path: stored.path)
            #expect(file.warnings == ["another stream follows the first one, and is not read"])
            #expect(
                try read(file, from: 0, count: 200_000).count == 100_000 * Int(file.format.mBytesPerFrame))
        }
    }

    @Test(
        "of Ogg, an end inside a page or behind one is told",
        arguments: Encoded.available.filter { $0 != .flac })
    fileprivate func cut(encoded: Encoded) throws {
        let whole = try #require(encoded.bytes(frames: 200_000))
        func warnings(_ bytes: [UInt8]) throws -> [String] {
            let stored = TemporaryFile(bytes)
            return try AudioFile.open(path: stored.path).warnings
        }
        #expect(try warnings(whole) == [])
        let lastPage = try #require(whole.indices.last { whole[$0...].starts(with: Array("OggS".utf8)) })
        for left in [1, 5, 100, whole.count - lastPage - 1] {
            #expect(
                try warnings(Array(whole[..<(lastPage + left)])) == [
                    "the file ends inside a page, after \(left) of its bytes"
                ])
        }
        #expect(
            try warnings(Array(whole[..<lastPage])) == [
                "no page says that it is the last: the end of the sound may be missing"
            ])
        #expect(try warnings(whole + [1, 2, 3]) == ["3 bytes at the end of the file belong to no page"])
    }

    @Test(
        "of Ogg with any bytes changed end, without a trap", .timeLimit(.minutes(2)), arguments: vorbis,
        0..<40)
    fileprivate func hostile(encoded: Encoded, seed: UInt64) throws {
        var bytes = try #require(encoded.bytes(frames: 30_000))
        var random = SplitMix(seed)
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        // Beginnings of pages, each inside the one before.
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
