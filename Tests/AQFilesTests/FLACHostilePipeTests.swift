// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("Hostile FLAC in a pipe")
struct FLACHostilePipeTests {
    @Test(
        "is read without a trap", .timeLimit(.minutes(20)),
        arguments: someCases(12, of: 0..<80 as Range<UInt64>))
    func anyBytes(seed: UInt64) throws {
        let begun = ContinuousClock.now
        defer { expectWithinMinute(since: begun) }
        let sound = FLACBytes(blockFrames: 256, frames: 5000, isCounted: seed % 2 == 0)
        var random = SplitMix(seed)
        var bytes = seed % 3 == 0 ? sound.ogg() + sound.ogg(serial: 2) : sound.file + sound.file
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let range = Bool.random(using: &random) ? 0..<200 : bytes.indices
            bytes[Int.random(in: range, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if seed % 5 == 0 { bytes.removeFirst(Int.random(in: 1..<bytes.count / 2, using: &random)) }
        if seed % 7 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count / 2, using: &random)) }
        guard let file = try? FilledPipe(bytes, pieceBytes: 999).open() else { return }
        file.leastFramesPerRead = seed % 4 == 0 ? 1 : .max
        // Silence is limited.
        let frames = try Contents(of: file, roomBytes: 1 << 16).packets
        #expect(frames <= 2 * 5000 + 1 << 20 + 5000 * (bytes.count / 10 + 2))
        _ = (file.warnings, file.packetTable, try? file.countPackets())
    }

    @Test("with frame numbers that jump has limited silence", .timeLimit(.minutes(20)))
    func jumps() throws {
        let begun = ContinuousClock.now
        defer { expectWithinMinute(since: begun) }
        let sound = FLACBytes(bits: 8, channels: 1, frames: 8192, amplitude: 1, isCounted: false)
        let info = try #require(FLACStreamInfo(head: sound.file))
        // Each a million frames after the one before.
        let bytes =
            sound.header
            + (0..<200 as Range<Int64>).flatMap { number in
                let first = 4096 * 250 * number
                return FLACSilence.runs(for: first..<first + 4096, isVariable: false, info: info)[0].block(0)
            }
        let file = try FilledPipe(bytes, pieceBytes: 65_536).open()
        let frames = try Contents(of: file, roomBytes: 1 << 20).packets
        #expect(200 * 4096...(200 * 4096 + 2 << 20) ~= frames)
        #expect(file.problems.count > 20)
    }

    @Test("with a frame that never ends is read in limited time and memory", .timeLimit(.minutes(20)))
    func endless() throws {
        let begun = ContinuousClock.now
        defer { expectWithinMinute(since: begun) }
        let sound = FLACBytes(isCounted: false)
        let start = sound.file[sound.ends[1]..<(sound.ends[1] + 8)]
        var bytes = Array(sound.file[..<sound.ends[1]])
        // Many headers of frames without an end, and one before zeros.
        for _ in 0..<20_000 { bytes += start }
        bytes += [UInt8](repeating: 0, count: 4 << 20)
        bytes += sound.file[sound.ends[2]...]
        let file = try FilledPipe(bytes, pieceBytes: 65_536).open()
        let pcm = try Contents(of: file, roomBytes: 1 << 16).bytes
        #expect(pcm.starts(with: sound.pcm().prefix(4096 * 4)))
        expectEqual(pcm.suffix(1000), sound.pcm().suffix(1000))
    }

    @Test("with a header that promises more than there is needs no memory for it")
    func hugeBlocks() throws {
        let sound = FLACBytes()
        var bytes = Array(sound.file[..<42])
        bytes[4] &= 0x7F
        // A picture of 16 MB, and one of 3 MB that ends early.
        bytes += [6, 0xFF, 0xFF, 0xFF] + noise(count: 1000)
        #expect(throws: AudioFileError.self) { try FilledPipe(bytes, pieceBytes: 500).open() }
        bytes.replaceSubrange(43..<46, with: [0x30, 0, 0])
        #expect(throws: AudioFileError.self) { try FilledPipe(bytes, pieceBytes: 500).open() }
    }
}
