// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CAQSndFile
import CoreAudioTypes
import AQTestSupport
import Testing

/// Streams as broadcasts send them: Vorbis, Opus and FLAC.
private enum Broadcast: String, CaseIterable, CustomTestStringConvertible {
    case vorbis, opus, flac

    var testDescription: String { rawValue }

    static let available = allCases.filter { $0.pages(seconds: 1) != nil }

    /// The pages of a stream with a title; nil if the machine's libsndfile does not encode it.
    func pages(seconds: Int, title: String = "Title", seed: UInt64 = 1) -> [[UInt8]]? {
        guard self != .flac else {
            let sound = FLACBytes(frames: 48_000 * seconds, amplitude: 3000, isCounted: false, seed: seed)
            return Self.pages(OggBytes.tagged(sound, title: title, serial: UInt32(seed)))
        }
        let folder = ScratchFolder()
        let path = folder.file("sound")
        var info = SF_INFO()
        (info.samplerate, info.channels) = (48_000, 2)
        info.format = CInt(SF_FORMAT_OGG | (self == .vorbis ? SF_FORMAT_VORBIS : SF_FORMAT_OPUS))
        guard let handle = unsafe sf_open(path, CInt(SFM_WRITE), &info) else { return nil }
        unsafe sf_set_string(handle, CInt(SF_STR_TITLE), title)
        var random = SplitMix(seed)
        for _ in 0..<seconds * 50 {
            let samples = (0..<1920).map { _ in Float(0.3 * random.noise()) }
            unsafe sf_writef_float(handle, samples, 960)
        }
        unsafe sf_close(handle)
        return Self.pages(bytes(ofFile: path, atMost: 1 << 24))
    }

    private static func pages(_ bytes: [UInt8]) -> [[UInt8]] {
        let starts = offsets(of: "OggS", in: bytes) + [bytes.count]
        return zip(starts, starts.dropFirst()).map { Array(bytes[$0..<$1]) }
    }

    /// The number of pages with headers.
    var headerPages: Int { 2 }
}

@Suite("Ogg in a pipe", .enabled(if: !Broadcast.available.isEmpty, "no encoder is installed"))
struct OggPipeTests {
    private func read(_ bytes: [UInt8]) throws -> [UInt8] {
        let saved = TemporaryFile(bytes)
        return try Contents(of: AudioFile.open(path: saved.path), roomBytes: 1 << 16).bytes
    }

    private func floats(_ bytes: some Collection<UInt8>) -> [Float] {
        unsafe Array(bytes).withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    @Test("is read by a listener who joins in the middle", arguments: Broadcast.available)
    fileprivate func joined(broadcast: Broadcast) throws {
        let pages = try #require(broadcast.pages(seconds: 6))
        let whole = try read(Array(pages.joined()))
        let rest = pages[..<broadcast.headerPages] + pages[(pages.count / 2)...]
        let file = try FilledPipe(Array(rest.joined()), pieceBytes: 1000).open()
        expectEqual(file.tags.title, "Title")
        let got = try Contents(of: file, roomBytes: 1 << 16).bytes
        let frameBytes = Int(file.format.mBytesPerFrame)
        // At least two seconds, which end like the whole stream.
        #expect(got.count >= 2 * 48_000 * frameBytes && got.count < whole.count)
        let compared = 48_000 * frameBytes
        let isSame =
            broadcast == .flac
            ? got.suffix(compared) == whole.suffix(compared)
            : zip(floats(got.suffix(compared)), floats(whole.suffix(compared))).allSatisfy {
                abs($0 - $1) < 1e-3
            }
        #expect(isSame)
        #expect(file.warnings.isEmpty)
    }

    @Test(
        "returns audio without the pages that follow", .timeLimit(.minutes(20)),
        arguments: Broadcast.available
    )
    fileprivate func arrival(broadcast: Broadcast) throws {
        let pages = try #require(broadcast.pages(seconds: 4))
        let pipe = try HeldPipe()
        // libsndfile needs the rest of a block of 2048 bytes after the first page of audio.
        let first = pages[...broadcast.headerPages].joined()
        let next = broadcast == .flac ? [] : Array(pages[broadcast.headerPages + 1].prefix(2048))
        try pipe.write(Array(first) + next)
        let file = try pipe.open()
        file.leastFramesPerRead = 1
        let got = try readFrames(file, from: 0, most: 100_000)
        #expect(got.count >= 256 * Int(file.format.mBytesPerFrame))
        #expect(got.elementsEqual(try read(Array(pages.joined())).prefix(got.count)))
    }

    @Test("continues with the stream that follows, and has its tags", arguments: Broadcast.available)
    fileprivate func chained(broadcast: Broadcast) throws {
        let parts = try (1...3).map {
            Array(try #require(broadcast.pages(seconds: 2, title: "Title \($0)", seed: UInt64($0))).joined())
        }
        let file = try FilledPipe(Array(parts.joined()), pieceBytes: 3000).open()
        file.leastFramesPerRead = 1
        var titles: [String] = []
        var pcm: [UInt8] = []
        while true {
            let got = try readFrames(
                file, from: Int64(pcm.count / Int(file.format.mBytesPerFrame)), most: 10_000)
            guard !got.isEmpty else { break }
            pcm += got
            if let title = file.tags.title, titles.last != title { titles.append(title) }
        }
        expectEqual(titles, ["Title 1", "Title 2", "Title 3"])
        let isSame = try pcm == parts.flatMap { try read($0) }
        #expect(isSame)
        #expect(file.warnings.isEmpty)
    }

    private func pipe(_ bytes: [UInt8]) throws -> (file: AudioFile, pcm: [UInt8]) {
        let file = try FilledPipe(bytes, pieceBytes: 3000).open()
        return (file, try Contents(of: file).bytes)
    }

    @Test("with FLAC is silent where a page is damaged or missing, and reports it")
    func damagedFLAC() throws {
        let sound = FLACBytes(frames: 40_000, amplitude: 3000)
        let whole = sound.ogg()
        let starts = offsets(of: "OggS", in: whole)
        var damaged = whole
        damaged[starts[6] + 300] ^= 0x55
        let saved = TemporaryFile(damaged)
        let file = try AudioFile.open(path: saved.path)
        let (piped, pcm) = try pipe(damaged)
        let isSame = try pcm == Contents(of: file).bytes
        #expect(isSame)
        #expect(piped.problems == file.problems && piped.problems.map(\.grade) == [.damage])
        #expect(piped.containerName == "Ogg" && piped.decodedCodec == "FLAC" && !piped.isLossy)
        // Two pages are missing.
        var missing = whole
        missing.removeSubrange(starts[5]..<starts[7])
        var wanted = sound.pcm()
        wanted.replaceSubrange(12_288 * 4..<20_480 * 4, with: [UInt8](repeating: 0, count: 8192 * 4))
        let (lacking, rest) = try pipe(missing)
        let isSilent = rest == wanted
        #expect(isSilent && lacking.problems.map(\.grade) == [.damage])
        // The page's header is damaged, so the page is no page.
        damaged = whole
        damaged[starts[5]] = 0
        let (broken, frames) = try pipe(damaged)
        #expect(frames.count == sound.pcm().count && broken.problems.map(\.grade) == [.damage])
    }

    @Test("with pages of other streams between those of FLAC is read")
    func multiplexedFLAC() throws {
        let sound = FLACBytes()
        let whole = sound.ogg()
        let starts = offsets(of: "OggS", in: whole) + [whole.count]
        var bytes: [UInt8] = []
        for (index, pair) in zip(starts, starts.dropFirst()).enumerated() {
            bytes += whole[pair.0..<pair.1]
            bytes += OggBytes.page(
                [noise(count: 300)], serial: 77, number: index, position: 0, isFirst: index == 0)
        }
        let piped = try FilledPipe(bytes, pieceBytes: 777).open()
        let isSame = try Contents(of: piped).bytes == sound.pcm()
        #expect(isSame && piped.warnings.isEmpty)
    }
}
