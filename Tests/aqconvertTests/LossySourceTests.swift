// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQFiles
import CAQSndFile
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

/// Lossy codecs that libsndfile decodes to samples.
enum LossyCoding: String, CaseIterable {
    case vorbis, opus, adpcm

    private var format: Int {
        switch self {
        case .vorbis: SF_FORMAT_OGG | SF_FORMAT_VORBIS
        case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
        case .adpcm: SF_FORMAT_WAV | SF_FORMAT_MS_ADPCM
        }
    }

    private var info: SF_INFO {
        var info = SF_INFO()
        (info.samplerate, info.channels, info.format) = (48_000, 1, CInt(format))
        return info
    }

    /// Whether libsndfile here encodes it.
    var isEncoded: Bool {
        var info = info
        return unsafe sf_format_check(&info) != 0
    }

    /// Writes a second of a tone.
    func write(_ path: String) throws {
        var info = info
        let opened = unsafe sf_open(path, CInt(SFM_WRITE), &info)
        let handle = try unsafe #require(opened)
        defer { unsafe _ = sf_close(handle) }
        // The library overruns its stack with large blocks.
        for first in stride(from: 0, to: 48_000, by: 1000) {
            let samples = (first..<first + 1000).map { Float(($0 * 7) % 100) / 200 - 0.25 }
            unsafe _ = sf_writef_float(handle, samples, 1000)
        }
    }
}

@Suite("Lossy audio that libsndfile decodes, converted")
struct LossySourceTests {
    private let folder: ScratchFolder

    init() throws { folder = ScratchFolder() }

    private func plan(_ arguments: [String], _ type: AudioFileType) throws -> Plan? {
        let parsed = try ConvertOptions.parse(arguments + ["in", "out.wav"])
        guard case .convert(let options) = parsed else { return nil }
        return try Plan(options, type: type, source: try AudioFile.open(path: folder.file("in")))
    }

    @Test(
        "becomes 16 bits without dither or a warning, like that of other codecs",
        .enabled(if: LossyCoding.allCases.allSatisfy(\.isEncoded), "libsndfile does not encode all"),
        arguments: LossyCoding.allCases)
    func sixteenBits(coding: LossyCoding) throws {
        try coding.write(folder.file("in"))
        for type in [AudioFileType.wave, .flac, .caf] {
            let plan = try #require(try plan([], type))
            expectEqual(plan.output.mBitsPerChannel, 16, "\(type)")
            #expect(!plan.output.isFloat)
            expectEqual(plan.dither, .none)
            expectEqual(plan.depthLoss, nil)
        }
    }

    @Test(
        "becomes the requested format",
        .enabled(if: LossyCoding.vorbis.isEncoded, "libsndfile does not encode Vorbis"))
    func asked() throws {
        try LossyCoding.vorbis.write(folder.file("in"))
        let deep = try #require(try plan(["-d", "F32"], .wave))
        #expect(deep.output.isFloat && deep.output.mBitsPerChannel == 32)
        try expectEqual(plan(["-d", "I16"], .wave)?.dither, DitherKind.none)
        try expectEqual(plan(["-d", "I16", "--dither", "shaped"], .wave)?.dither, .noiseShaping)
        try expectEqual(plan(["-d", "I24"], .wave)?.depthLoss, nil)
    }
}
