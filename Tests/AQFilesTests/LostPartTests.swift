// SPDX-License-Identifier: MIT

@testable import AQFiles
import AQExpectations
import CAQSndFile
import CoreAudioTypes
import Testing
import AQTestSupport

/// Missing or damaged parts that a reader can find only by other fields.
@Suite("Lost parts of files")
struct LostPartTests {
    /// The warnings of a file that was read to its end.
    private func warnings(_ bytes: [UInt8]) throws -> [String] {
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        _ = try Contents(of: file)
        return withExtendedLifetime(saved) { file.warnings }
    }

    @Test("a truncated Wave64 file has a warning")
    func wave64() throws {
        let folder = ScratchFolder()
        let path = folder.file("sound.w64")
        let writer = try AudioFileWriter.create(
            path: path, type: .wave64, format: .signedInteger(bits: 16, channels: 2, sampleRate: 48_000))
        try unsafe [UInt8](repeating: 1, count: 4000).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        let bytes = AQFilesTests.bytes(ofFile: path, atMost: 1 << 16)
        try expectEqual(warnings(bytes), [])
        try expectEqual(
            warnings(Array(bytes.dropLast(400))),
            [
                "the header promises 4000 bytes of audio, but the file ends after 3600"
            ])
    }

    @Test(
        "a damaged or missing page of Ogg has a warning, also the last",
        .enabled(if: hasVorbis, "no Vorbis encoder is installed"))
    func oggPages() throws {
        let bytes = try #require(vorbis)
        let starts = offsets(of: "OggS", in: bytes)
        try #require(starts.count > 5)
        try expectEqual(warnings(bytes), [])
        var damaged = bytes
        damaged[starts[3] + 100] ^= 1
        let words = "the page before byte \(starts[4]) is damaged or missing"
        // The library may add that it reached the end too early.
        #expect(try warnings(damaged).contains(words))
        damaged.removeSubrange(starts[2]..<starts[4])
        #expect(try warnings(damaged).contains("2 pages before byte \(starts[2]) are damaged or missing"))
        damaged = bytes
        damaged[(starts.last ?? 0) + 100] ^= 1
        #expect(try warnings(damaged).contains { $0.contains("the last page") })
    }

    #if HAVE_MPEG_AUDIO
    @Test("zeros are a lost packet of MPEG audio if they are as long as one, else padding")
    func mpegZeros() throws {
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        let (before, after) = (MPEGBytes.packets(10), MPEGBytes.packets(10))
        try expectEqual(warnings(before + zeros(100) + after), [])
        try expectEqual(
            warnings(before + zeros(834) + after),
            [
                "834 bytes at byte 4170, before packet 10, are not MPEG audio"
            ])
    }
    #endif

    @Test("a track without one of its tables has a warning", arguments: ["stts", "stsc", "stco", "stsz"])
    func mpeg4Tables(table: String) throws {
        var bytes = MP4File().bytes
        let place = try #require(
            bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual(table.utf8) })
        try expectEqual(warnings(bytes), [])
        bytes[place] ^= 1
        #expect(try warnings(bytes).contains { $0.contains(" is missing") })
    }

    @Test("a fragment without a track has a warning")
    func mpeg4Fragment() throws {
        let fragment = MP4File.box("moof") { $0.append(raw: MP4File.box("mfhd") { _ in }) }
        try expectEqual(warnings(MP4File().bytes), [])
        var movie = MP4File()
        movie.userData = MP4File.box("mvex") { _ in }
        #expect(try warnings(movie.bytes + fragment).contains { $0.contains("has no track") })
    }

    private static let hasVorbis = vorbis != nil

    /// A second of noise; nil if the machine's libsndfile does not encode it.
    private static let vorbis: [UInt8]? = {
        let folder = ScratchFolder()
        let path = folder.file("sound.ogg")
        var info = SF_INFO()
        (info.samplerate, info.channels) = (48_000, 2)
        info.format = CInt(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
        guard let handle = unsafe sf_open(path, CInt(SFM_WRITE), &info) else { return nil }
        var noise: UInt32 = 1
        for _ in 0..<47 {
            let samples = (0..<2048).map { _ in
                noise = noise &* 1_664_525 &+ 1_013_904_223
                return Float(noise >> 8) / 0x200_0000 - 0.25
            }
            unsafe sf_writef_float(handle, samples, 1024)
        }
        unsafe sf_close(handle)
        return AQFilesTests.bytes(ofFile: path, atMost: 1 << 24)
    }()

    private var vorbis: [UInt8]? { Self.vorbis }
}
