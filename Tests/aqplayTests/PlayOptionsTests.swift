// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Testing
import AQToolSupport

@testable import aqplay

@Suite("aqplay's command line")
struct PlayOptionsTests {
    @Test("the defaults")
    func defaults() throws {
        guard case .play(let options) = try PlayOptions.parse(["a.mp3"]) else {
            Issue.record("not to be played")
            return
        }
        var expected = PlayOptions()
        expected.operands = ["a.mp3"]
        expectEqual(options, expected)
        #expect((options.bufferCount, options.bufferSeconds) == (3, 0.5))
        #expect((options.latencySeconds, options.recoverySeconds) == (0.5, 5))
        expectEqual(options.passes, 1)
    }

    @Test("files alone are taken as the parser takes them", arguments: [["a.mp3"], ["a", ""], ["b", "b"]])
    func filesAlone(_ files: [String]) throws {
        guard case .play(let quick) = try PlayOptions.parse(files),
            case .play(let parsed) = try PlayOptions.parse(["--"] + files)
        else {
            Issue.record("not to be played")
            return
        }
        expectEqual(quick, parsed)
    }

    @Test("every option is carried out")
    func everyOption() throws {
        let arguments = [
            "--start=1:30", "--end", "500s", "--loop=3", "--shuffle", "--volume", "-20dB", "--device",
            "virtual",
            "--buffers=4", "--buffer-duration=250ms", "--latency=100ms", "--wait-for-server=0", "--verbose",
            "--json",
            "-",
        ]
        guard case .play(let options) = try PlayOptions.parse(arguments) else {
            Issue.record("not to be played")
            return
        }
        #expect((options.startSeconds, options.endSeconds) == (90, 500))
        expectEqual(options.passes, 3)
        #expect(options.isShuffled && options.isVerbose && options.isJSON && !options.isQuiet)
        #expect(abs(options.gain - 0.1) < 1e-6)
        expectEqual(options.deviceName, "virtual")
        #expect((options.bufferCount, options.bufferSeconds) == (4, 0.25))
        #expect((options.latencySeconds, options.recoverySeconds) == (0.1, 0))
        expectEqual(options.operands, ["-"])
        for group in PlayOptions.parser.groups {
            for option in group.options where option.value == .none {
                #expect(throws: Never.self) {
                    try PlayOptions.parse(["--replaygain=track", "--\(option.long)", "x"])
                }
            }
        }
    }

    @Test("'--loop' alone is endless, the last of '--quiet' and '--verbose' counts")
    func variants() throws {
        guard case .play(let options) = try PlayOptions.parse(["-l", "-v", "-q", "x"]) else {
            Issue.record("not to be played")
            return
        }
        expectEqual(options.passes, nil)
        #expect(options.isQuiet && !options.isVerbose)
    }

    @Test("options that need no files")
    func others() throws {
        try expectEqual(PlayOptions.parse(["--help"]), .help)
        try expectEqual(PlayOptions.parse(["-h", "x"]), .help)
        try expectEqual(PlayOptions.parse(["--version"]), .version)
        try expectEqual(PlayOptions.parse(["--list-devices"]), .listDevices(isJSON: false))
        try expectEqual(PlayOptions.parse(["--list-devices", "--json"]), .listDevices(isJSON: true))
    }

    @Test(
        "an invalid command line is reported with the correct form",
        arguments: [
            ([], "nothing to play; name a file, a folder, a playlist, or '-' for standard input"),
            (["-", "-"], "standard input ('-') can be played once only"),
            (["--volum", "1", "x"], "unknown option '--volum'; did you mean '--volume'?"),
            (
                ["--volume=2", "x"],
                "invalid volume '2' for '--volume'; write 0 to 1, or decibels such as -6dB"
            ),
            (["--start=10", "--end=5", "x"], "'--end' must be later than '--start'"),
            (
                ["--allow-clipping", "x"],
                "'--allow-clipping' needs '--replaygain=track' or '--replaygain=album'"
            ),
            (["--end=0", "x"], "'--end' must be later than '--start'"),
            (["--loop=0", "x"], "invalid number '0' for '--loop'; write a whole number from 1 to 1000000"),
            (["--loop=", "x"], "invalid number '' for '--loop'; write a whole number from 1 to 1000000"),
            (["--buffers=0", "x"], "invalid number '0' for '--buffers'; write a whole number from 1 to 100"),
            (["--latency=100", "x"], "'--latency 100' is out of range; write 5ms to 10s, such as 100ms"),
            (
                ["--buffer-duration=1ms", "x"],
                "'--buffer-duration 1ms' is out of range; write 10ms to 10s, such as 500ms"
            ),
            (
                ["--start=-5", "x"],
                "invalid time '-5' for '--start'; write seconds (90), 1:30, 1:02:03.5, 500ms or 10s"
            ),
            (["--device=", "x"], "option '--device' needs a name; '--list-devices' shows them"),
            (["--device"], "option '--device' needs a value; write '--device=NAME'"),
        ] as [([String], String)])
    func errors(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try PlayOptions.parse(arguments) }
    }

    @Test("the help fits 80 columns and is unchanged")
    func help() {
        let text = PlayOptions.parser.helpText()
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        expectEqual(text, expectedHelp)
    }
}

private let expectedHelp = """
    Usage: aqplay [OPTION]... FILE|FOLDER|PLAYLIST|URL|-...
    Plays audio files, radio stations and HLS streams through an audio queue.
    Folders are searched for audio files; playlists (M3U, PLS, XSPF) are followed; a
    URL begins with http: or https:; '-' is standard input. A TIME is written as 90,
    1:30, 1:02:03.5, 500ms, 10s, 5min or 2h.

    Playback:
      -s, --start=TIME          Start each track at TIME.
      -e, --end=TIME            End each track at TIME.
      -l, --loop[=N]            Play the list N times, or without end.
      -z, --shuffle             Play in random order, a new one for each loop.
      -V, --volume=LEVEL        Play at LEVEL: 0 to 1, or decibels such as -6dB
                                (default 1).
          --speed=N             Play at N times the speed, 0.25 to 4, with the same
                                pitch (default 1).
      -r, --replaygain=MODE     Bring tracks to the same loudness by the gains in
                                their tags: 'track', 'album', or 'off' (default).
          --preamp=DB           Add DB decibels to these gains, -30 to 30 (default
                                0).
          --allow-clipping      Keep gains that raise peaks above full scale,
                                instead of lowering them.

    Output:
      -d, --device=NAME         Play on the device NAME; 'virtual' plays in real
                                time without sound and without a server.
          --list-devices        List the devices' names and exit.
          --latency=TIME        Buffer TIME of audio in the sound server (default
                                500ms).
          --buffers=N           Use N buffers in the queue (default 3).
          --buffer-duration=TIME
                                Duration of each buffer (default 500ms).
          --wait-for-server=TIME
                                Wait up to TIME for a sound server to start, or to
                                return (default: 5s to return).

    Network:
          --buffer=TIME         Receive TIME of audio before playing, and more after
                                each stall; without a stated bit rate, receive for
                                TIME (default 1s).
          --reconnect=TIME      Try a lost connection again for TIME (default 5min).

    Messages:
      -q, --quiet               Show errors only: no progress, no warnings.
      -v, --verbose             Print each track's format, the queue's buffers, the
                                granted latency, and underruns.
      -j, --json                Write a JSON object to standard output at the end of
                                each track. For a name that is not UTF-8,
                                "fileBytes" contains its bytes, as in caf%E9.wav.
      -h, --help                Show this help and exit.
          --version             Show the version and exit.

    Keys, on a terminal:
      space                     Pause, and resume.
      left, right               Seek 5 seconds back, or forward.
      up, down                  Louder, or softer, by 2 dB.
      [, ]                      Slower, or faster, by a tenth; backspace: normal
                                speed.
      n, p                      Next track; start of this track, or the previous
                                one.
      ?                         List the keys.
      q                         Quit.

    Exit status:
      0                         Everything was played.
      1                         A track could not be played; the others were.
      64                        The command line is wrong.
      69                        No sound server or no such device.
      74                        Reports or help cannot be written: the disk is full,
                                a pipe is closed.
      130, 143                  Ended by Ctrl-C, or by SIGTERM.

    """
