// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

/// Compares FLAC from pipes with files, which libsndfile reads.
@Suite("FLAC in a pipe")
struct FLACPipeTests {
    struct Kind: CustomTestStringConvertible {
        var bits = 16
        var channels = 2
        var blockFrames = 4096
        var testDescription: String { "\(bits) bits, \(channels) channels, blocks of \(blockFrames)" }

        static let all =
            [8, 16, 24].flatMap { bits in (1...8).map { Kind(bits: bits, channels: $0) } }
            + [16, 192, 576, 1152, 4608, 5000, 16_384, 65_535].map { Kind(blockFrames: $0) }
    }

    @Test("states the checksum of its samples, as the file does, also in Ogg", arguments: [16, 20, 24])
    func digest(bits: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("a.flac")
        if bits == 20 {
            var bytes = FLACBytes(bits: 20, frames: 5000).file
            // The encoder of the tests cannot seek back to write it.
            bytes.replaceSubrange(26..<42, with: 1...16)
            let file = try FilledPipe(bytes, pieceBytes: 5000).open()
            expectEqual(file.sampleDigest, SampleDigest(md5: Array(1...16), bits: 20))
            return
        }
        let format = try AudioFileType.flac.pcmFormat(
            sampleRate: 48000, channels: 2, bits: bits, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: .flac, format: format)
        try writer.write(noise(count: 5000 * Int(format.mBytesPerFrame)))
        try writer.close()
        let stored = bytes(ofFile: path, atMost: 1 << 20)
        let digest = SampleDigest(md5: Array(stored[26..<42]), bits: bits)
        try expectEqual(AudioFile.open(path: path).sampleDigest, digest)
        try expectEqual(FilledPipe(stored, pieceBytes: 5000).open().sampleDigest, digest)
        // None is stated.
        let unknown = TemporaryFile(FLACBytes(frames: 5000).file)
        try expectEqual(AudioFile.open(path: unknown.path).sampleDigest, nil)
    }

    private func readFile(_ bytes: [UInt8]) throws -> (file: AudioFile, pcm: [UInt8]) {
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        return (file, try Contents(of: file).bytes)
    }

    private func readPipe(_ bytes: [UInt8], pieceBytes: Int = 5000) throws -> (file: AudioFile, pcm: [UInt8])
    {
        let file = try FilledPipe(bytes, pieceBytes: pieceBytes).open()
        return (file, try Contents(of: file).bytes)
    }

    @Test("has the samples and facts of the file", arguments: Kind.all)
    func same(kind: Kind) throws {
        let sound = FLACBytes(
            bits: kind.bits, channels: kind.channels, blockFrames: kind.blockFrames, frames: 9000)
        let (file, wanted) = try readFile(sound.file)
        for pieceBytes in [211, 65_536] {
            let (piped, pcm) = try readPipe(sound.file, pieceBytes: pieceBytes)
            #expect(!piped.isSeekable)
            #expect(piped.format.isSame(as: file.format))
            expectEqual(piped.channelLabels, file.channelLabels)
            expectEqual(piped.containerName, file.containerName)
            #expect(piped.decodedCodec == file.decodedCodec && piped.isLossy == file.isLossy)
            expectEqual(piped.packetTable, file.packetTable)
            expectEqual(piped.packetSizeUpperBound, file.packetSizeUpperBound)
            expectEqual(piped.information, file.information)
            #expect(piped.warnings.isEmpty)
            let isSame = pcm == wanted && pcm == sound.pcm()
            #expect(isSame)
        }
    }

    @Test(
        "is returned with all its bits, also those that libsndfile does not read", arguments: [5, 12, 20, 32])
    func depth(bits: Int) throws {
        let sound = FLACBytes(bits: bits, frames: 9000)
        let (piped, pcm) = try readPipe(sound.file)
        expectEqual(piped.format.mBitsPerChannel, UInt32((bits + 7) / 8 * 8))
        let isSame = pcm == sound.pcm()
        #expect(isSame)
    }

    @Test("has the file's tags and picture")
    func tags() throws {
        let folder = ScratchFolder()
        let path = folder.file("sound.flac")
        let writer = try AudioFileWriter.create(
            path: path, type: .flac, format: .signedInteger(bits: 16, channels: 2, sampleRate: 44_100))
        try writer.setInformation([
            AudioFileInformation("title", "A title"), AudioFileInformation("artist", "Another"),
        ])
        try writer.setArtwork(AudioFileArtwork(bytes: noise(count: 50_000), mimeType: "image/png"))
        try unsafe noise(count: 40_000).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        let file = try AudioFile.open(path: path)
        let piped = try FilledPipe(bytes(ofFile: path, atMost: 1 << 20), pieceBytes: 3000).open()
        #expect(piped.information == file.information && piped.tags.title == "A title")
        #expect(piped.artwork == file.artwork && piped.artwork != nil)
        try expectEqual(Contents(of: piped).bytes, Contents(of: file).bytes)
    }

    @Test(
        "returns each frame once its last byte has arrived", .timeLimit(.minutes(20)),
        arguments: [false, true])
    func arrival(isOgg: Bool) throws {
        let sound = FLACBytes(blockFrames: 1152)
        let bytes = isOgg ? sound.ogg() : sound.file
        let ends =
            isOgg
            ? offsets(of: "OggS", in: bytes).dropFirst(2) + [bytes.count]
            : sound.ends
        let pcm = sound.pcm()
        let blockBytes = 1152 * 4
        let pipe = try HeldPipe()
        try pipe.write(bytes[..<ends[1]])
        let file = try pipe.open()
        file.leastFramesPerRead = 1
        try expectEqual(readFrames(file, from: 0, most: 10_000), Array(pcm[..<blockBytes]))
        // A frame and a half: the half is not waited for.
        let half = (ends[2] + ends[3]) / 2
        try pipe.write(bytes[ends[1]..<half])
        try expectEqual(readFrames(file, from: 1152, most: 10_000), Array(pcm[blockBytes..<(2 * blockBytes)]))
        try pipe.write(bytes[half..<ends[5]])
        let rest = try readFrames(file, from: 2304, most: 10_000)
        expectEqual(rest, Array(pcm[(2 * blockBytes)..<(5 * blockBytes)]))
        // A read that must wait, for frames that are there before it.
        file.leastFramesPerRead = .max
        try pipe.write(bytes[ends[5]..<ends[7]])
        try expectEqual(readFrames(file, from: 5760, most: 2304).count, 2 * blockBytes)
        try pipe.write(bytes[ends[7]...])
        pipe.end()
        try expectEqual(readFrames(file, from: 8064, most: 20_000), Array(pcm[(7 * blockBytes)...]))
        #expect(try readFrames(file, from: 20_000, most: 1).isEmpty)
        #expect(file.warnings.isEmpty)
    }

    @Test("that is damaged has the silence and warnings of the file")
    func damaged() throws {
        let sound = FLACBytes(frames: 40_000, amplitude: 3000)
        let ends = sound.ends
        var changes: [[UInt8]] = []
        for range in [
            ends[4] + 300..<ends[4] + 320, ends[3] - 20..<ends[3] - 5, ends[0]..<ends[0] + 2,
            ends[5] + 40..<ends[7] + 40, ends[8] + 50..<ends[8] + 51,
        ] {
            var bytes = sound.file
            for place in range { bytes[place] ^= 0xA5 }
            changes.append(bytes)
        }
        var bytes = sound.file
        bytes.removeSubrange(ends[2] + 10..<ends[4] + 10)
        bytes.insert(contentsOf: [UInt8](repeating: 0xFF, count: 1000), at: ends[0])
        changes.append(bytes)
        for bytes in changes {
            let (file, wanted) = try readFile(bytes)
            let (piped, pcm) = try readPipe(bytes)
            #expect(!piped.warnings.isEmpty && piped.problems == file.problems)
            let isSame = pcm == wanted
            #expect(isSame)
        }
    }

    @Test("with missing or repeated frames keeps time")
    func misplaced() throws {
        let sound = FLACBytes(frames: 40_000, amplitude: 3000)
        let ends = sound.ends
        var wanted = sound.pcm()
        var bytes = sound.file
        bytes.insert(contentsOf: sound.file[ends[4]..<ends[6]], at: ends[7])
        let (repeating, pcm) = try readPipe(bytes)
        let isSame = pcm == wanted
        #expect(isSame)
        expectEqual(
            repeating.warnings,
            [
                "\(ends[6] - ends[4]) bytes at byte \(ends[7]), before frame 28672, are not FLAC"
            ])
        bytes = sound.file
        bytes.removeSubrange(ends[2]..<ends[4])
        wanted.replaceSubrange(8192 * 4..<16_384 * 4, with: [UInt8](repeating: 0, count: 8192 * 4))
        let (lacking, rest) = try readPipe(bytes)
        let isSilent = rest == wanted
        #expect(isSilent)
        expectEqual(
            lacking.warnings,
            [
                "8192 frames from frame 8192 on, at byte \(ends[2]), are lost, and replaced by silence"
            ])
    }

    @Test(
        "with random damage has every frame that the file has, at its time",
        arguments: someCases(4, of: 0..<20 as Range<UInt64>))
    func randomlyDamaged(seed: UInt64) throws {
        let sound = FLACBytes(blockFrames: 1024, frames: 30_000, amplitude: 1 << 10)
        var bytes = sound.file
        var random = SplitMix(seed)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let place = Int.random(in: sound.ends[0]..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.removeSubrange(place..<min(place + 50, bytes.count))
            case 1: bytes.insert(contentsOf: noise(count: 50), at: place)
            default: bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            }
        }
        let (file, wanted) = try readFile(bytes)
        let (piped, pcm) = try readPipe(bytes, pieceBytes: 3000)
        let original = sound.pcm()
        #expect(pcm.count <= original.count && pcm.count >= wanted.count)
        // A file also loses an intact frame before a damaged header.
        let isKept = zip(pcm, wanted).allSatisfy { $1 == 0 || $0 == $1 }
        #expect(isKept)
        let isOriginal = zip(pcm, original).enumerated().allSatisfy { index, bytes in
            bytes.0 == bytes.1 || pcm[index & ~3..<index | 3].allSatisfy { $0 == 0 }
        }
        #expect(isOriginal)
        #expect(!piped.problems.isEmpty && !file.problems.isEmpty)
    }

    @Test("that is cut has the frames before the cut")
    func cut() throws {
        let sound = FLACBytes(frames: 20_000)
        let uncounted = FLACBytes(frames: 20_000, isCounted: false)
        for cut in someCases(5, of: Array(stride(from: sound.ends[0], to: sound.file.count, by: 4099)))
            + sound.ends
        {
            let (file, wanted) = try readFile(Array(sound.file[..<cut]))
            let (piped, pcm) = try readPipe(Array(sound.file[..<cut]))
            let isSame = pcm == wanted
            #expect(isSame && piped.frameCount == 20_000, "cut at \(cut)")
            let start = "the audio ends at frame \(pcm.count / 4) of 20000"
            expectEqual(piped.warnings.first?.hasPrefix(start), (cut < sound.file.count ? true : nil))
            expectEqual(file.warnings.first?.hasPrefix(start), piped.warnings.first?.hasPrefix(start))
            let (other, rest) = try readPipe(Array(uncounted.file[..<cut]))
            #expect(rest.count == pcm.count && other.frameCount == nil)
            expectEqual(
                other.warnings.count, (sound.ends.contains(cut) ? 0 : 1), "cut at \(cut): \(other.warnings)"
            )
        }
        for cut in [1, 4, 7, 41, 42, 43, 46, 60, sound.ends[0] - 1] {
            let error = try #require(throws: AudioFileError.self) { try readPipe(Array(sound.file[..<cut])) }
            #expect(error.code == .damaged || error.code == .unrecognised, "cut at \(cut): \(error)")
        }
    }

    @Test(
        "that a listener joins begins with the first whole frame",
        arguments: Kind.all.filter { $0.blockFrames < 9000 })
    func joined(kind: Kind) throws {
        let sound = FLACBytes(
            bits: kind.bits, channels: kind.channels, blockFrames: kind.blockFrames,
            frames: 4 * kind.blockFrames,
            isCounted: false)
        let pcm = sound.pcm(fromBlock: 2)
        for start in [sound.ends[2], sound.ends[1] + 1, sound.ends[2] - 5] {
            let rest = Array(sound.file[start...])
            for bytes in [rest, sound.header + rest] {
                let (piped, got) = try readPipe(bytes, pieceBytes: 700)
                let isSame = got == pcm
                #expect(isSame, "from byte \(start)")
                #expect(piped.format.mSampleRate == 48_000 && piped.frameCount == nil)
                #expect(piped.warnings.isEmpty)
                #expect(piped.decodedCodec == "FLAC" && piped.containerName == "FLAC")
            }
        }
    }

    @Test("joined without a header begins while it arrives", .timeLimit(.minutes(20)))
    func joinedArrival() throws {
        let sound = FLACBytes(blockFrames: 1152, isCounted: false)
        let pipe = try HeldPipe()
        // The header of the next frame confirms the first one.
        try pipe.write(sound.file[(sound.ends[1] - 100)..<(sound.ends[2] + 16)])
        let file = try pipe.open()
        file.leastFramesPerRead = 1
        #expect(
            try readFrames(file, from: 0, most: 10_000).elementsEqual(
                sound.pcm(fromBlock: 1).prefix(1152 * 4)))
    }

    @Test("continues with a recording that follows, and has its tags")
    func recordings() throws {
        let first = FLACBytes(isCounted: false)
        let second = FLACBytes(blockFrames: 1152, isCounted: false, seed: 2)
        let other = FLACBytes(bits: 24, isCounted: false, seed: 3)
        let otherRate = FLACBytes(sampleRate: 44_100, isCounted: false, seed: 4)
        let comments = VorbisComments.bytes(of: [AudioFileInformation("title", "Second")], vendor: [])
        var tagged = Array(second.file[..<42])
        tagged += [0x84, 0, 0, UInt8(comments.count)] + comments
        tagged += second.file[second.ends[0]...]
        let piped = try FilledPipe(
            first.file + other.file + otherRate.file + tagged, pieceBytes: 3000
        ).open()
        #expect(piped.tags.title == nil && piped.frameCount == nil)
        let pcm = try Contents(of: piped).bytes
        let isSame = pcm == first.pcm() + second.pcm()
        #expect(isSame)
        expectEqual(piped.tags.title, "Second")
        expectEqual(
            piped.warnings,
            [
                "recording 2 has another format, 48000 Hz, 2 ch, 24-bit little-endian signed integer, "
                    + "and is left out",
                "recording 3 has another format, 44100 Hz, 2 ch, 16-bit little-endian signed integer, "
                    + "and is left out",
            ])
    }

    @Test("whose numbers begin again is continued")
    func restarted() throws {
        let sound = FLACBytes(frames: 100_000, isCounted: false)
        let again = FLACBytes(frames: 100_000, isCounted: false, seed: 2)
        let (piped, pcm) = try readPipe(sound.file + again.file[again.ends[0]...])
        let isSame = pcm == sound.pcm() + again.pcm()
        #expect(isSame)
        expectEqual(piped.problems.map(\.grade), [.oddity])
    }

    @Test("whose end is needed is read to it first if the header has no count")
    func endNeeded() throws {
        for isCounted in [false, true] {
            let sound = FLACBytes(isCounted: isCounted)
            let piped = try FilledPipe(sound.file, pieceBytes: 3000).open(isEndNeeded: true)
            expectEqual(piped.isSeekable, !isCounted)
            try expectEqual(piped.countFrames(), 20_000)
            let isSame = try Contents(of: piped).bytes == sound.pcm()
            #expect(isSame)
        }
    }

    @Test("can skip frames forwards only")
    func forwards() throws {
        let sound = FLACBytes()
        let piped = try FilledPipe(sound.file, pieceBytes: 3000).open()
        let rest = try Contents(of: piped, from: 9999).bytes
        #expect(rest.elementsEqual(sound.pcm().dropFirst(4 * 9999)))
        let error = try #require(throws: AudioFileError.self) { try readFrames(piped, from: 5, most: 5) }
        expectEqual(error.code, .notSeekable)
        #expect(throws: AudioFileError.self) { try piped.seekPoint(forFrame: 5) }
        #expect(throws: AudioFileError.self) { try piped.seekPoint(forFrame: 20_001) }
    }
}
