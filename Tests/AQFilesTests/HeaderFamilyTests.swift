// SPDX-License-Identifier: MIT

import AQExpectations
import CAQSndFile
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

/// Headers that libsndfile reads incorrectly, or refuses without a reason.
@Suite("Headers that libsndfile reads incorrectly")
struct HeaderFamilyTests {
    private let data = noise(count: 400)

    private func open(_ bytes: [UInt8]) throws -> AudioFile {
        let stored = TemporaryFile(bytes)
        return try AudioFile.open(path: stored.path)
    }

    private func failure(_ bytes: [UInt8]) throws -> String {
        let stored = TemporaryFile(bytes)
        let error = #expect(throws: AudioFileError.self) { try AudioFile.open(path: stored.path) }
        return try #require(error).message.replacing("cannot open '\(stored.path)': ", with: "")
    }

    private func expect(
        _ bytes: [UInt8], data wanted: [UInt8], problems: [AudioFileProblem] = []
    ) throws {
        let file = try open(bytes)
        expectEqual(file.frameCount, Int64(wanted.count / Int(file.format.mBytesPerFrame)))
        try expectEqual(Contents(of: file).bytes, wanted)
        expectEqual(file.problems, problems)
    }

    // MARK: AIFF

    private func aiff(frames: UInt32, sound: [UInt8]?) -> [UInt8] {
        var bytes = Array(Header.aiff(frames: frames, data: sound ?? []))
        if sound == nil { bytes.removeLast(16) }
        bytes.replaceSubrange(4..<8, with: big(UInt32(bytes.count - 8)))
        return bytes
    }

    @Test("AIFF without audio is empty if it counts no frames, else damaged")
    func noSound() throws {
        try expect(aiff(frames: 0, sound: nil), data: [])
        try expectEqual(failure(aiff(frames: 9, sound: nil)), "its audio is missing, the chunk 'SSND'")
    }

    @Test("AIFF has the frames that it counts, also in a pipe")
    func countedFrames() throws {
        let bytes = aiff(frames: 60, sound: data)
        let wanted = Array(data.prefix(240))
        try expect(
            bytes, data: wanted,
            problems: [AudioFileProblem(.oddity, "the header counts 60 frames, but the file holds 100")])
        let file = try FilledPipe(bytes, pieceBytes: 100).open()
        expectEqual(file.frameCount, 60)
        try expectEqual(Contents(of: file).bytes, wanted)
        expectEqual(file.problems.map(\.grade), [.oddity])
        // A killed recorder has counted nothing.
        try expectEqual(Contents(of: open(aiff(frames: 0, sound: data))).bytes, data)
    }

    @Test("a missing format chunk is named")
    func noFormat() throws {
        let sound = Array("SSND".utf8) + big(UInt32(8)) + big(UInt64(0))
        let file = Array("FORM".utf8) + big(UInt32(20)) + Array("AIFF".utf8) + sound
        try expectEqual(failure(file), "its format is missing, the chunk 'COMM'")
    }

    // MARK: RF64

    private func rf64(sizes: [UInt8]?) -> [UInt8] {
        let whole = Header.rf64(data: data, dataBytes: 400, frames: 100)
        guard let sizes else { return Array(whole[..<12] + whole[48...]) }
        return whole[..<16] + little(UInt32(sizes.count)) + sizes + whole[48...]
    }

    @Test("RF64 is read without the length of its table")
    func noTableLength() throws {
        let sizes = little(UInt64(468)) + little(UInt64(400)) + little(UInt64(100))
        try expect(rf64(sizes: sizes), data: data)
        // Of audio between chunks, with a list that must be hidden from libsndfile.
        let list =
            Array("LIST".utf8) + little(UInt32(12)) + Array("none".utf8)
            + [UInt8](repeating: 9, count: 8)
        let trapped = rf64(sizes: sizes)
        try expect(Array(trapped[..<44] + list + trapped[44...]), data: data)
    }

    @Test("any beginning of such a file is read without a trap")
    func cutAnywhere() throws {
        let sizes = little(UInt64(468)) + little(UInt64(400)) + little(UInt64(100))
        for whole in [
            rf64(sizes: sizes), rf64(sizes: nil), aiff(frames: 0, sound: nil), aiff(frames: 60, sound: data),
        ] {
            for count in 0..<min(whole.count, 120) {
                let stored = TemporaryFile(Array(whole[..<count]))
                guard let file = try? AudioFile.open(path: stored.path) else { continue }
                _ = try Contents(of: file)
            }
        }
    }

    @Test("other files of chunks keep their own reasons")
    func foreignChunks() throws {
        let movie =
            Array("RIFF".utf8) + little(UInt32(12)) + Array("AVI LIST".utf8) + little(UInt32(0))
        try expectEqual(failure(movie), "the AVI container is not supported")
    }

    @Test("RF64 without its sizes is read to the end of the file, and is damaged")
    func noSizes() throws {
        try expect(
            rf64(sizes: nil), data: data,
            problems: [AudioFileProblem(.damage, "the chunk 'ds64' with the sizes is missing")])
    }

    // MARK: WAVE

    @Test("a file that ends inside the header of its audio is damaged")
    func cutHeader() throws {
        let whole = Header.wave(data: data)
        let words = "the file ends inside the header of a chunk, at byte 36"
        for left in 1..<8 { try expectEqual(failure(Array(whole[..<(36 + left)])), words) }
    }

    @Test("a file that is shorter than its header says is damaged, by more than the header")
    func outermostLength() throws {
        var bytes = Header.wave(data: data)
        for (more, grade) in [(8, AudioFileProblem.Grade.oddity), (9, .damage), (40_000, .damage)] {
            bytes.replaceSubrange(4..<8, with: little(UInt32(bytes.count - 8 + more)))
            let words = "the header promises a file of \(bytes.count + more) bytes, but it has \(bytes.count)"
            try expect(bytes, data: data, problems: [AudioFileProblem(grade, words)])
        }
        // The padding of the last chunk may be missing, and output to a pipe has no length.
        for length in [UInt32(bytes.count - 7), UInt32.max, 0x7FFF_FFFF] {
            bytes.replaceSubrange(4..<8, with: little(length))
            try expect(bytes, data: data)
        }
    }

    // MARK: AU

    @Test("AU of a killed recorder is read to its end", arguments: [false, true])
    func unfinishedSun(isLittle: Bool) throws {
        func number(_ value: UInt32) -> [UInt8] { isLittle ? little(value) : big(value) }
        let head = Array((isLittle ? "dns." : ".snd").utf8) + number(24)
        let format = number(3) + number(8000) + number(2)
        try expect(
            head + number(0) + format + data, data: data,
            problems: [
                AudioFileProblem(
                    .oddity, "the header was never finished; all that follows it is read as audio")
            ])
        try expect(head + number(0) + format, data: [])
    }

    // MARK: Codings in blocks

    /// A file that libsndfile encodes; nil if it does not.
    private func encoded(_ coding: Int, frames: Int) -> [UInt8]? {
        let folder = ScratchFolder()
        let path = folder.file("sound")
        var info = SF_INFO()
        (info.samplerate, info.channels) = (8000, 1)
        info.format = CInt(SF_FORMAT_WAV | coding)
        guard let handle = unsafe sf_open(path, CInt(SFM_WRITE), &info) else { return nil }
        let samples = (0..<frames).map { Int16(truncatingIfNeeded: $0 * 1237 % 20_000) }
        unsafe sf_writef_short(handle, samples, sf_count_t(frames))
        unsafe sf_close(handle)
        return bytes(ofFile: path, atMost: 1 << 20)
    }

    /// The file with less audio.
    private func cut(_ bytes: [UInt8], audioBytes: Int) throws -> [UInt8] {
        let mark = Array("data".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
        var file =
            bytes[..<(place + 4)] + little(UInt32(audioBytes))
            + bytes[(place + 8)...].prefix(audioBytes)
        if audioBytes % 2 == 1 { file.append(0) }
        file.replaceSubrange(4..<8, with: little(UInt32(file.count - 8)))
        return Array(file)
    }

    @Test("GSM 6.10 ends with its last block, also if the number of blocks is odd")
    func gsm() throws {
        let whole = try #require(encoded(SF_FORMAT_GSM610, frames: 3200))
        let all = try Contents(of: open(whole)).bytes
        let file = try open(cut(whole, audioBytes: 7 * 65))
        expectEqual(file.decodedCodec, "GSM 6.10")
        expectEqual(file.frameCount, Int64(2240))
        try expectEqual(Contents(of: file).bytes, Array(all.prefix(2 * 7 * 320)))
        #expect(file.problems.isEmpty)
    }

    @Test("ADPCM ends at its count")
    func counted() throws {
        let whole = try #require(encoded(SF_FORMAT_MS_ADPCM, frames: 2700))
        let file = try open(whole)
        expectEqual(file.decodedCodec, "Microsoft ADPCM")
        expectEqual(file.frameCount, Int64(2700))
        try expectEqual(Contents(of: file).bytes.count, 5400)
    }

    @Test("an incomplete block of ADPCM is decoded as far as possible, or a warning")
    func cutBlock() throws {
        // A block of 256 bytes, and 107 bytes of the next.
        let whole = try #require(encoded(SF_FORMAT_IMA_ADPCM, frames: 2700))
        let all = try Contents(of: open(whole)).bytes
        let file = try open(cut(whole, audioBytes: 363))
        expectEqual(file.decodedCodec, "IMA ADPCM")
        expectEqual(file.frameCount, Int64(505 + 201))
        try expectEqual(Contents(of: file).bytes, Array(all.prefix(2 * 706)))
        #expect(file.problems.isEmpty)
        let other = try #require(encoded(SF_FORMAT_MS_ADPCM, frames: 2700))
        let short = try open(cut(other, audioBytes: 363))
        expectEqual(short.frameCount, Int64(500))
        expectEqual(
            short.problems, [AudioFileProblem(.damage, "the last block is cut short: 107 bytes of 256")])
    }

    // MARK: Reasons

    @Test("an unsupported stream of Ogg is named")
    func oggCodecs() throws {
        let speex = Array("Speex   1.2".utf8) + [UInt8](repeating: 0, count: 69)
        let page = OggBytes.page([speex], serial: 1, number: 0, position: 0, isFirst: true)
        try expectEqual(failure(page), "its first stream is Speex, which is not supported")
        let vorbis = [1] + Array("vorbis".utf8) + [UInt8](repeating: 0, count: 23)
        let broken = OggBytes.page([vorbis], serial: 1, number: 0, position: 0, isFirst: true)
        try expectEqual(failure(broken), "the headers of its first stream are damaged or incomplete")
    }

    @Test("a header that libsndfile refuses without a reason has one")
    func silentFailures() throws {
        let head = Array(".snd".utf8) + big(UInt32(24)) + big(UInt32(400)) + big(UInt32(3))
        try expectEqual(
            failure(head + big(UInt32.max) + big(UInt32(2)) + data),
            "its AU header is damaged: its sample rate or number of channels is not possible")
        var blocks = try #require(encoded(SF_FORMAT_IMA_ADPCM, frames: 2700))
        let position = try #require(blocks.indices.first { blocks[$0...].starts(with: "fmt ".utf8) })
        blocks[position + 8 + 18] = 0
        #expect(try failure(blocks).hasPrefix("its WAVE header is damaged: samplesperblock should be "))
        let flac = FLACBytes(frames: 5000).file
        let sounds = [head + big(UInt32(8000)) + big(UInt32(2)) + data, blocks, flac]
        for sound in sounds {
            for index in 4..<60 {
                for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                    var bytes = sound
                    bytes[index] = value
                    let saved = TemporaryFile(bytes)
                    guard let file = try? AudioFile.open(path: saved.path) else {
                        let words = try failure(bytes)
                        #expect(
                            !words.contains("internal error") && !words.contains("unknown error"), "\(words)")
                        continue
                    }
                    _ = try? Contents(of: file)
                    #expect(
                        file.warnings.allSatisfy {
                            !$0.contains("nspecified") && !$0.contains("unknown error")
                        })
                }
            }
        }
    }

    @Test("an unsupported coding of WAVE is named")
    func waveCodec() throws {
        try expectEqual(
            failure(Header.wave(tag: 0x161, data: data)), "its coding, WAVE format 0x0161, is not supported")
    }
}
