// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("The command line of aqconvert")
struct ConvertOptionsTests {
    private func options(_ arguments: String...) throws -> ConvertOptions {
        guard case .convert(let options) = try ConvertOptions.parse(arguments) else {
            throw UsageError("nothing to convert")
        }
        return options
    }

    private func complaint(_ arguments: [String]) -> String? {
        do throws(UsageError) {
            _ = try ConvertOptions.parse(arguments)
            return nil
        } catch {
            return error.message
        }
    }

    @Test("the last name is the output, unless an option names it")
    func places() throws {
        let pair = try options("in.mp3", "out.wav")
        expectEqual(pair.inputs, ["in.mp3"])
        expectEqual(pair.output, "out.wav")
        try expectEqual(options("in.mp3", "-o", "out.wav").inputs, ["in.mp3"])
        let folder = try options("-O", "there", "-f", "caf", "a.wav", "b.wav")
        expectEqual(folder.inputs, ["a.wav", "b.wav"])
        expectEqual(folder.output, nil)
        try expectEqual(options("-", "-", "-f", "wav").output, "-")
    }

    @Test(
        "data formats are accepted in their usual spellings",
        arguments: [
            ("aac", .encoded(kAudioFormatMPEG4AAC), nil),
            ("alac@48000", .encoded(kAudioFormatAppleLossless), 48000),
            ("@22050", nil, 22050), ("pcm", .anyLinearPCM, nil),
            ("LEI24", .linearPCM(bits: 24, isFloat: false, isSigned: true, isBigEndian: false), nil),
            ("BEF32@8000", .linearPCM(bits: 32, isFloat: true, isSigned: true, isBigEndian: true), 8000),
            ("UI8", .linearPCM(bits: 8, isFloat: false, isSigned: false, isBigEndian: nil), nil),
            ("s16", .linearPCM(bits: 16, isFloat: false, isSigned: true, isBigEndian: nil), nil),
        ] as [(String, DataFormat.Coding?, Double?)])
    func dataFormats(text: String, coding: DataFormat.Coding?, rate: Double?) throws {
        let format = try DataFormat.parse(text)
        expectEqual(format.coding, coding)
        expectEqual(format.sampleRate, rate)
    }

    @Test(
        "invalid options are reported with the correct form",
        arguments: [
            ([], "nothing to convert; name an audio file and the file to write"),
            (["a.wav"], "no output; name an output file, or a folder with '--output-dir'"),
            (["a.wav", "b.wav", "c.wav"], "2 inputs for one output; name a folder with '--output-dir'"),
            (
                ["a.wav", "b"],
                "cannot determine the file type of 'b'; set it with '--file-type', as in '--file-type=wav'"
            ),
            (
                ["a.wav", "-"],
                "cannot determine the file type of '-'; set it with '--file-type', as in '--file-type=wav'"
            ),
            (
                ["a.wav", "no such folder/"],
                "'no such folder/' is a folder; set the type of its files with '--file-type', as in "
                    + "'--file-type=caf'"
            ),
            (["/", "b.wav"], "'/' is a folder; name the folder for its files with '--output-dir'"),
            (["-d", "vorbis", "a.wav", "b.opus"], "Ogg Opus files cannot contain Vorbis"),
            (["-d", "flac", "a.wav", "b.ogg"], "Ogg Vorbis files cannot contain FLAC"),
            (["-d", "opus", "a.wav", "b.caf"], "CAF files cannot contain Opus"),
            (["-O", "d", "a.wav"], "'--output-dir' needs '--file-type', as in '--file-type=caf'"),
            (["-O", "d", "-o", "x.wav", "a.wav"], "choose one of '--output' and '--output-dir'"),
            (["--start", "5", "--end", "5", "a.wav", "b.wav"], "'--end' must be later than '--start'"),
            (["-", "-", "-O", "d", "-f", "wav"], "standard input ('-') can be read once only"),
            (
                ["-c", "0", "a.wav", "b.wav"],
                "invalid number '0' for '--channels'; write a whole number from 1 to 1024"
            ),
            (
                ["-q", "best", "a.wav", "b.wav"],
                "invalid quality 'best' for '--quality'; write min, low, medium, high, max, or 0 to 127"
            ),
        ] as [([String], String)])
    func complaints(arguments: [String], message: String) {
        expectEqual(complaint(arguments), message)
    }

    @Test("unknown codecs and file types are refused by name", arguments: ["-d", "-f"])
    func unknownNames(option: String) {
        expectEqual(complaint([option, "speex", "a.wav", "b.wav"])?.hasPrefix("invalid"), true)
        for odd in ["", "I7", "F16", "LE", "aac@0", "aac@x", "I999999999999", "@"] {
            #expect(complaint([option, odd, "a.wav", "b.wav"]) != nil, "\(odd)")
        }
    }

    @Test("the codec selects the type of an Ogg file")
    func ogg() throws {
        try expectEqual(options("a.wav", "b.OGG").targetType, .oggVorbis)
        try expectEqual(options("a.wav", "b.oga", "-d", "vorbis").targetType, .oggVorbis)
        try expectEqual(options("a.wav", "b.ogg", "-d", "opus@16000").targetType, .oggOpus)
        try expectEqual(options("a.wav", "b.opus").targetType, .oggOpus)
        try expectEqual(options("-O", "d", "-f", "ogg", "-d", "opus", "a.wav").targetType, .oggOpus)
        try expectEqual(options("-", "-", "-f", "vorbis").targetType, .oggVorbis)
    }

    @Test("bit rates are kilobits, or bits")
    func bitRates() throws {
        try expectEqual(options("-b", "128", "a.wav", "b.m4a").bitRate, 128_000)
        try expectEqual(options("-b", "96k", "a.wav", "b.m4a").bitRate, 96_000)
        try expectEqual(options("-b", "64000", "a.wav", "b.m4a").bitRate, 64_000)
    }

    @Test("help fits 80 columns")
    func help() {
        let lines = ConvertOptions.parser.helpText().split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.count > 20)
    }
}
