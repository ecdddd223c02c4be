// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing

@Suite("File types that can be written")
struct AudioFileTypeTests {
    @Test(
        "path extensions name one type each",
        arguments: [
            ("wav", AudioFileType.wave), ("WAV", .wave), ("wave", .wave), ("rf64", .rf64), ("aiff", .aiff),
            ("Aif", .aiff), ("aifc", .aiffC), ("caf", .caf), ("w64", .wave64), ("mp3", .mp3), ("flac", .flac),
            ("aac", .adts), ("m4a", .m4a), ("ogg", .oggVorbis), ("oga", .oggVorbis), ("OPUS", .oggOpus),
        ])
    func extensions(pathExtension: String, type: AudioFileType) {
        expectEqual(AudioFileType.forPathExtension(pathExtension), type)
        expectEqual(
            AudioFileType.allCases.filter { $0.pathExtensions.contains(pathExtension.lowercased()) }, [type]
        )
    }

    @Test("other extensions name no type", arguments: ["", "ogx", ".wav", "wav "])
    func unknownExtensions(pathExtension: String) {
        expectEqual(AudioFileType.forPathExtension(pathExtension), nil)
    }

    @Test("codes are the published ones")
    func codes() {
        let codes = AudioFileType.allCases.map(\.fourCharacterCode.description)
        expectEqual(
            codes,
            [
                "'WAVE'", "'RF64'", "'AIFF'", "'AIFC'", "'caff'", "'W64f'", "'MPG3'", "'flac'", "'adts'",
                "'m4af'", "'Oggf'", "'Oggf'",
            ])
        expectEqual(Set(AudioFileType.allCases.map(\.name)).count, AudioFileType.allCases.count)
    }

    @Test("samples have the container's own byte order and signedness")
    func formats() throws {
        func summary(_ type: AudioFileType, _ bits: Int, isFloat: Bool = false) throws -> String {
            try type.pcmFormat(sampleRate: 48000, channels: 2, bits: bits, isFloat: isFloat).encodingSummary
        }
        try expectEqual(summary(.wave, 8), "8-bit unsigned integer")
        try expectEqual(summary(.rf64, 16), "16-bit little-endian signed integer")
        try expectEqual(summary(.wave64, 64, isFloat: true), "64-bit little-endian float")
        try expectEqual(summary(.aiff, 8), "8-bit signed integer")
        try expectEqual(summary(.aiff, 24), "24-bit big-endian signed integer")
        try expectEqual(summary(.aiff, 32, isFloat: true), "32-bit big-endian float")
        try expectEqual(summary(.aiffC, 16), "16-bit little-endian signed integer")
        try expectEqual(summary(.aiffC, 32), "32-bit big-endian signed integer")
        try expectEqual(summary(.caf, 24), "24-bit little-endian signed integer")
    }

    @Test("samples that no container supports are refused")
    func noFormat() {
        for type in AudioFileType.allCases {
            for (rate, channels, bits, isFloat) in [
                (48000.0, 2, 12, false), (48000, 2, 64, false), (48000, 2, 16, true), (48000, 2, 0, false),
                (48000, 0, 16, false), (48000, -1, 16, false), (0, 2, 16, false), (.infinity, 2, 16, false),
                (48000, .max, 16, false), (48000, 2, .min, false),
            ] {
                let error = #expect(throws: AudioFileError.self) {
                    try type.pcmFormat(sampleRate: rate, channels: channels, bits: bits, isFloat: isFloat)
                }
                expectEqual(error?.code, .unsupported)
            }
        }
    }
}
