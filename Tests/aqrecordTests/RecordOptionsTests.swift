// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQFiles
import AQDeviceListing
import Testing
import AQToolSupport

@testable import aqrecord

@Suite("aqrecord's command line")
struct RecordOptionsTests {
    private func options(_ arguments: String...) throws -> RecordOptions {
        guard case .record(let options) = try RecordOptions.parse(arguments) else {
            throw UsageError("not to be recorded")
        }
        return options
    }

    @Test("the defaults")
    func defaults() throws {
        var expected = RecordOptions()
        expected.target = RecordingTarget(path: "a.wav", type: .wave)
        try expectEqual(options("a.wav"), expected)
        #expect((expected.bits, expected.isFloat, expected.source) == (16, false, .defaultSource))
        // The memory for a slow disk, and the possible loss after a kill.
        #expect((expected.bufferCount, expected.bufferSeconds) == (80, 0.1))
        expectEqual(expected.syncSeconds, nil)
        #expect((expected.preRollSeconds, expected.recoverySeconds) == (0.5, 5))
    }

    @Test("files are synchronised to the disk on request, if they are files")
    func sync() throws {
        try expectEqual(options("a.wav", "--sync=2.5").syncSeconds, 2.5)
        try expectEqual(options("a.wav", "--sync=1min").syncSeconds, 60)
        for arguments in [["-", "--sync=10"], ["a.wav", "--sync=0"], ["a.wav", "--sync=2d"]] {
            #expect(throws: UsageError.self) { try RecordOptions.parse(arguments) }
        }
    }

    @Test("every option is carried out")
    func everyOption() throws {
        let options = try options(
            "--caf=x", "--seconds=1:30", "--rate", "44100", "--channels=1", "--bits=24", "--gain=-6",
            "--start-on-sound=-40dB", "--stop-on-silence=-60:2s", "--pre-roll=250ms", "--split=700M",
            "--overwrite", "--buffers=4", "--buffer-duration=250ms", "--wait-for-server=0", "--verbose",
            "--json",
            "--monitor=sink")
        expectEqual(options.target, RecordingTarget(path: "x", type: .caf))
        expectEqual(options.length, .seconds(90))
        #expect((options.sampleRate, options.channels) == (44_100, 1))
        #expect((options.bits, options.isFloat) == (24, false))
        #expect(abs(options.gain - 0.501187) < 1e-6)
        #expect(abs((options.startLevel ?? 0) - 0.01) < 1e-6)
        #expect(abs((options.silence?.level ?? 0) - 0.001) < 1e-6)
        #expect((options.silence?.seconds, options.preRollSeconds) == (2, 0.25))
        expectEqual(options.split, .bytes(734_003_200))
        #expect(options.overwrites && options.isVerbose && options.isJSON && !options.isQuiet)
        #expect((options.bufferCount, options.bufferSeconds, options.recoverySeconds) == (4, 0.25, 0))
        expectEqual(options.source, .monitor("sink"))
        for group in RecordOptions.parser.groups {
            for option in group.options where option.value == .none {
                #expect(throws: Never.self) { try RecordOptions.parse(["--\(option.long)", "x.wav"]) }
            }
        }
    }

    @Test(
        "the file type is that of an option or the extension",
        arguments: [
            (["a.aif"], "a.aif", .aiff), (["A.AIFF"], "A.AIFF", .aiff), (["a.aifc"], "a.aifc", .aiffC),
            (["d.x/a.flac"], "d.x/a.flac", .flac), (["a.mp3"], "a.mp3", .mp3), (["a.w64"], "a.w64", .wave64),
            (["-"], "-", .wave), (["--caf", "-"], "-", .caf), (["--aiff", "a.wav"], "a.wav", .aiff),
            (["--wav", "a"], "a", .wave), (["--mp3=a"], "a", .mp3), (["--flac=a"], "a", .flac),
            (["--w64=a"], "a", .wave64), (["--aifc=a"], "a", .aiffC), (["--rf64=a"], "a", .rf64),
            (["--", "-a.caf"], "-a.caf", .caf),
        ] as [([String], String, AudioFileType)])
    func targets(arguments: [String], path: String, type: AudioFileType) throws {
        guard case .record(let options) = try RecordOptions.parse(arguments) else {
            Issue.record("not to be recorded")
            return
        }
        expectEqual(options.target, RecordingTarget(path: FilePath(path), type: type))
    }

    @Test(
        "sources by name, monitors, and the virtual ones",
        arguments: [
            ("default", .defaultSource), ("usb", .source("usb")), ("virtual2", .source("virtual2")),
            ("virtual", .virtual(.silence, isFast: false)),
            ("virtual,fast", .virtual(.silence, isFast: true)),
            ("virtual:silence", .virtual(.silence, isFast: false)),
            ("virtual:tone", .virtual(.tone(frequency: 440), isFast: false)),
            ("virtual:tone=1000.5,fast", .virtual(.tone(frequency: 1000.5), isFast: true)),
            ("virtual:sequence,fast", .virtual(.sequence, isFast: true)),
            ("virtual:file=a,b.wav", .virtual(.file("a,b.wav"), isFast: false)),
            ("virtual:file=a.wav,fast", .virtual(.file("a.wav"), isFast: true)),
        ] as [(String, SourceChoice)])
    func sources(name: String, source: SourceChoice) throws {
        try expectEqual(options("a.wav", "--frames=1", "--device", name).source, source)
    }

    @Test("variants")
    func variants() throws {
        try expectEqual(options("a.wav", "--monitor", "default").source, .monitor(nil))
        try expectEqual(options("a.wav", "--float").bits, 32)
        try expectEqual(options("a.wav", "--frames", "7").length, .frames(7))
        try expectEqual(options("a.wav", "--split", "10min").split, .seconds(600))
        try expectEqual(options("a.mp3", "--bit-rate", "192k").bitRate, 192_000)
        try expectEqual(options("a.wav").codec, .pcm)
        try expectEqual(options("a.caf").codec, .pcm)
        try expectEqual(options("a.caf", "--codec", "ULAW").codec, .ulaw)
        try expectEqual(options("a.mp3").codec, .mp3)
        try expectEqual(options("a.ogg").codec, .vorbis)
        try expectEqual(options("a.opus").codec, .opus)
        try expectEqual(options("--opus", "-").target.type, .oggOpus)
        try expectEqual(options("a.ogg", "--codec=opus").target.type, .oggOpus)
        try expectEqual(options("a.ogg", "--bit-rate=500").bitRate, 500_000)
        try expectEqual(options("a.m4a").codec, .aac)
        try expectEqual(options("--adts", "-").codec, .aac)
        try expectEqual(options("a.m4a", "--codec=alac", "--bits=24").bits, 24)
        try expectEqual(options("a.aac", "--bit-rate=640").bitRate, 640_000)
        try expectEqual(RecordOptions.parse(["--list-devices"]), .listDevices(isJSON: false))
        try expectEqual(RecordOptions.parse(["--list-devices", "--json"]), .listDevices(isJSON: true))
        try expectEqual(RecordOptions.parse(["--help", "x"]), .help)
        try expectEqual(RecordOptions.parse(["--version"]), .version)
    }

    @Test(
        "an invalid command line is reported with the correct form",
        arguments: [
            ([], "nothing to record into; name a file such as out.wav, or '-' for standard output"),
            (["a.wav", "b.wav"], "only one file can be recorded, not 'a.wav' and 'b.wav'"),
            (["--wav=a", "-"], "only one file can be recorded, not 'a' and standard output"),
            (
                ["a.ogx"],
                "unknown extension '.ogx'; end the name in .wav, .aif, .caf, .m4a, .aac, .flac, .mp3, .ogg or .opus, or write '--wav FILE'"
            ),
            (
                ["a"],
                "'a' has no extension; end the name in .wav, .aif, .caf, .m4a, .aac, .flac, .mp3, .ogg or .opus, or write '--wav FILE'"
            ),
            (["--wav="], "the file to be recorded needs a name"),
            (["-s0", "a.wav"], "'--seconds' must be more than 0"),
            (
                ["--frames=0", "a.wav"],
                "invalid number '0' for '--frames'; write a whole number from 1 to 9007199254740992"
            ),
            (["--bits=12", "a.wav"], "invalid number '12' for '--bits'; write 8, 16, 24 or 32"),
            (
                ["--bits=32", "a.flac"],
                "cannot record 'a.flac': FLAC files cannot contain integer samples of 32 bits"
            ),
            (
                ["--float", "--bits=24", "a.wav"],
                "cannot record 'a.wav': WAVE files cannot contain floating-point samples of 24 bits"
            ),
            (
                ["--bit-rate=192", "a.wav"],
                "'--bit-rate' is for AAC, MP3, Vorbis and Opus only, not for linear PCM"
            ),
            (["--bit-rate=5", "a.mp3"], "invalid bit rate '5' for '--bit-rate'; write 8 to 640, in kbit/s"),
            (["--bit-rate=321", "a.mp3"], "'--bit-rate' of MP3 is 320 kbit/s at most"),
            (
                ["--bit-rate=640", "--rate=48000", "--channels=2", "a.opus"],
                "cannot record 'a.opus': Ogg Opus files of 2 channels have bit rates of 6 to 512 kbit/s, not "
                    + "640 kbit/s"
            ),
            (["-F", "a.mp3"], "'--float' is for linear PCM only, not for MP3"),
            (["-F", "a.ogg"], "'--float' is for linear PCM only, not for Vorbis"),
            (["--bits=16", "a.opus"], "'--bits' is for linear PCM and Apple Lossless only, not for Opus"),
            (
                ["--codec=speex", "a.ogg"],
                "unknown codec 'speex' for '--codec'; write one of pcm, aac, alac, ima4, mp3, vorbis, opus, ulaw, alaw"
            ),
            (
                ["--codec=opus", "a.caf"],
                "CAF files cannot contain Opus; '--codec' may be pcm, aac, alac, ima4, mp3, ulaw, alaw for them"
            ),
            (
                ["--codec=vorbis", "a.opus"],
                "Ogg Opus files cannot contain Vorbis; '--codec' may be opus for them"
            ),
            (
                ["--codec=pcm", "a.ogg"],
                "Ogg Vorbis files cannot contain linear PCM; '--codec' may be vorbis, opus for them"
            ),
            (
                ["--codec=alac", "a.aac"],
                "ADTS files cannot contain Apple Lossless; '--codec' may be aac for them"
            ),
            (
                ["--codec=aac", "--wav=a"],
                "WAVE files cannot contain AAC; '--codec' may be pcm, ulaw, alaw for them"
            ),
            (
                ["--codec=pcm", "a.m4a"],
                "MPEG-4 files cannot contain linear PCM; '--codec' may be aac, alac for them"
            ),
            (["--codec=ulaw", "--float", "a.caf"], "'--float' is for linear PCM only, not for µ-law"),
            (
                ["--codec=ulaw", "--bits=8", "a.caf"],
                "'--bits' is for linear PCM and Apple Lossless only, not for µ-law"
            ),
            (
                ["--codec=ulaw", "--caf=-"],
                "CAF of µ-law cannot be written to standard output; record it into a file"
            ),
            (["--split=10", "-"], "standard output is one stream; '--split' needs the name of a file"),
            (["--split=1K", "a.wav"], "'--split 1K' is too small; write 64K or more"),
            (
                ["--split=7m5", "a.wav"],
                "invalid value '7m5' for '--split'; write a time such as 30, 10min or 1:00:00, or a size such as "
                    + "700M or 4GB"
            ),
            (
                ["--stop-on-silence=-50", "a.wav"],
                "invalid value '-50' for '--stop-on-silence'; write LEVEL:TIME, such as -50dB:3"
            ),
            (
                ["--start-on-sound=3", "a.wav"],
                "invalid level '3' for '--start-on-sound'; write decibels, -120 to 0, such as -12dB"
            ),
            (["--device=", "a.wav"], "option '--device' needs a name; '--list-devices' shows them"),
            (
                ["--device=virtual:noise", "a.wav"],
                "'virtual:noise' is not a virtual device; write virtual, virtual:tone, virtual:tone=440, "
                    + "virtual:sequence or virtual:file=PATH, followed by ',fast' to run at full speed"
            ),
            (["-d", "x", "-m", "y", "a.wav"], "choose one of '--device' and '--monitor', once"),
            (["--secnds=3", "a.wav"], "unknown option '--secnds'; did you mean '--seconds'?"),
        ] as [([String], String)])
    func errors(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try RecordOptions.parse(arguments) }
    }

    @Test("the help fits 80 columns and lists every exit status")
    func help() {
        let text = RecordOptions.parser.helpText()
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        for status in [ExitStatus.success, .failure, .usage, .noSoundServer, .inputOutput] {
            #expect(text.contains("\n  \(status.rawValue)  "))
        }
    }

    @Test("sources are listed in columns, monitors marked, without control characters")
    func deviceTable() {
        let devices = [
            DeviceInfo(
                name: "mic", description: "USB\u{1B}[2J", sampleRate: 44_100, channels: 1, isDefault: true),
            DeviceInfo(
                name: "out.monitor", description: "Monitor of Out", sampleRate: 48_000, channels: 2,
                isDefault: false, isMonitor: true),
        ]
        expectEqual(
            DeviceList(devices, virtual: RecordTool.virtualDescription).table,
            """
            mic          USB?[2J (44100 Hz, 1 ch, default)
            out.monitor  Monitor of Out (48000 Hz, 2 ch, monitor)
            virtual      silence, a tone or a file, without a server

            """)
    }
}
