// SPDX-License-Identifier: MIT

import AQExpectations
import CAQSndFile
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("FLAC that is damaged")
struct FLACDamageTests {
    private static let frames = 40_000
    private static let blockFrames = 4096
    private static let isAvailable = encode(amplitude: 1) != nil

    /// Two channels of 16-bit noise; nil if the machine's libsndfile does not encode FLAC.
    private static func encode(amplitude: Int16) -> (samples: [Int16], bytes: [UInt8])? {
        let folder = ScratchFolder()
        let path = folder.file("sound")
        var info = SF_INFO()
        info.samplerate = 48000
        info.channels = 2
        info.format = CInt(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        guard let handle = unsafe sf_open(path, CInt(SFM_WRITE), &info) else { return nil }
        var random = SplitMix(3)
        // Never silent, so silence marks the lost frames.
        let samples = (0..<2 * frames).map { _ in
            let noise = random.noise()
            return (1 + Int16(Double(amplitude - 1) * abs(noise))) * (noise < 0 ? -1 : 1)
        }
        unsafe sf_writef_short(handle, samples, sf_count_t(frames))
        unsafe sf_close(handle)
        return (samples, AQFilesTests.bytes(ofFile: path, atMost: 1 << 24))
    }

    private func samples(_ bytes: [UInt8]) -> [Int16] {
        stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    /// The offsets of a file's frames, and the end of the last.
    private func places(_ bytes: [UInt8]) throws -> [Int] {
        let saved = TemporaryFile(bytes)
        let info = try #require(FLACStreamInfo(file: OpenFile(path: FilePath(saved.path))))
        let starts = (Int(info.firstFrame)..<bytes.count).filter { place in
            unsafe bytes[place...].withUnsafeBytes { unsafe FLACFrameHeader($0, in: info) } != nil
        }
        expectEqual(starts.count, (Self.frames + Self.blockFrames - 1) / Self.blockFrames)
        return starts + [bytes.count]
    }

    /// Expects the audio, with silence instead of some blocks.
    private func expect(
        _ bytes: [UInt8], _ wanted: [Int16], silent blocks: [Int], warnings: [String]
    ) throws {
        var wanted = wanted
        for block in blocks {
            let first = 2 * Self.blockFrames * block
            for place in first..<min(first + 2 * Self.blockFrames, wanted.count) { wanted[place] = 0 }
        }
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        // Not printed, because it is long.
        let isWhole = try samples(Contents(of: file).bytes) == wanted
        #expect(isWhole)
        expectEqual(file.warnings, warnings)
        // From any frame, in any order.
        for frame in [39_000, 12_288, 17_000, 20_480, 0, 16_383] {
            let fresh = try AudioFile.open(path: saved.path)
            for file in [file, fresh] {
                let rest = try samples(Contents(of: file, from: Int64(frame)).bytes)
                let isRest = rest.elementsEqual(wanted[(2 * frame)...])
                #expect(isRest, "from frame \(frame)")
            }
        }
    }

    @Test(
        "replaces a damaged frame by silence, and continues after it",
        .enabled(if: isAvailable, "libFLAC is not installed"),
        arguments: [1, 3000])
    func damaged(amplitude: Int16) throws {
        let (wanted, whole) = try #require(Self.encode(amplitude: amplitude))
        let places = try places(whole)
        // In the middle of one frame, and over the end of another.
        for (range, blocks) in [
            (places[4] + 300..<places[4] + 320, [4]), (places[3] - 20..<places[3] + 20, [2, 3]),
            (places[0]..<places[0] + 2, [0]),
        ] {
            var bytes = whole
            for place in range { bytes[place] ^= 0xA5 }
            let words =
                "\(4096 * blocks.count) frames from frame \(4096 * blocks[0]) on, at byte "
                + "\(places[blocks[0]]), are lost, and replaced by silence"
            try expect(bytes, wanted, silent: blocks, warnings: [words])
        }
    }

    @Test(
        "keeps time if frames are missing and other bytes are between",
        .enabled(if: isAvailable, "libFLAC is not installed"))
    func missing() throws {
        let (wanted, whole) = try #require(Self.encode(amplitude: 3000))
        let places = try places(whole)
        var bytes = whole
        bytes.removeSubrange(places[2] + 10..<places[4] + 10)
        bytes.insert(contentsOf: [UInt8](repeating: 0xFF, count: 1000), at: places[0])
        try expect(
            bytes, wanted, silent: [2, 3, 4],
            warnings: [
                "1000 bytes at byte \(places[0]), before frame 0, are not FLAC",
                "12288 frames from frame 8192 on, at byte \(places[2] + 1000), are lost, and replaced by silence",
            ])
    }

    @Test(
        "reports the end of the audio if the file ends early",
        .enabled(if: isAvailable, "libFLAC is not installed"))
    func cut() throws {
        let (wanted, whole) = try #require(Self.encode(amplitude: 3000))
        let places = try places(whole)
        let saved = TemporaryFile(Array(whole.prefix(places[5] + 100)))
        let file = try AudioFile.open(path: saved.path)
        let isThere = try samples(Contents(of: file).bytes).elementsEqual(wanted.prefix(5 * 2 * 4096))
        #expect(isThere)
        expectEqual(file.warnings.count, 1)
        expectEqual(file.warnings.first?.hasPrefix("the audio ends at frame 20480 of 40000"), true)
    }

    @Test(
        "replaces only as many frames by silence as a file may have lost",
        .enabled(if: isAvailable, "libFLAC is not installed"))
    func hostile() throws {
        let (_, whole) = try #require(Self.encode(amplitude: 1))
        var head = Array(whole.prefix(try places(whole)[0]))
        // As many frames as the header can count.
        head[21] |= 0x0F
        head.replaceSubrange(22..<26, with: [UInt8](repeating: 0xFF, count: 4))
        let saved = TemporaryFile(head)
        let info = try #require(FLACStreamInfo(file: OpenFile(path: FilePath(saved.path))))
        let silence = FLACSilence.runs(for: 0..<1 << 35, isVariable: false, info: info)
        let first = (0..<20).flatMap { silence[0].block($0) }
        for run in 0..<4 {
            let lying = TemporaryFile(head + first + [0xFF, 0, 0xFF] + silence[run].block(25))
            let virtualFile = try RepairedFLAC(file: OpenFile(path: FilePath(lying.path)))
            expectEqual((virtualFile != nil), (run == 0), "run \(run)")
        }
    }
}
