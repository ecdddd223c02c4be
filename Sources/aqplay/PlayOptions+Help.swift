// SPDX-License-Identifier: MIT

import AQToolSupport

extension PlayOptions {
    /// The command line as a table.
    static var parser: OptionParser {
        OptionParser(
            toolName: "aqplay", operandUsage: "FILE|FOLDER|PLAYLIST|URL|-...",
            operandKind: .file(extensions: AudioFolder.extensions.sorted() + ["m3u", "m3u8", "pls", "xspf"]),
            summary: """
                Plays audio files, radio stations and HLS streams through an audio queue. Folders are searched \
                for audio files; playlists (M3U, PLS, XSPF) are followed; a URL begins with http: or https:; \
                '-' is standard input. A TIME is written as 90, 1:30, 1:02:03.5, 500ms, 10s, 5min or 2h.
                """,
            groups: [playing, sound, network, reporting], sections: [keys, statuses], manual: manual)
    }

    private static let playing = OptionGroup(
        "Playback",
        [
            CommandOption("start", short: "s", value: .required("TIME"), help: "Start each track at TIME."),
            CommandOption("end", short: "e", value: .required("TIME"), help: "End each track at TIME."),
            CommandOption(
                "loop", short: "l", value: .optional("N"), help: "Play the list N times, or without end."),
            CommandOption("shuffle", short: "z", help: "Play in random order, a new one for each loop."),
            CommandOption(
                "volume", short: "V", value: .required("LEVEL"),
                help: "Play at LEVEL: 0 to 1, or decibels such as -6dB (default 1)."),
            CommandOption(
                "speed", value: .required("N"),
                help: "Play at N times the speed, 0.25 to 4, with the same pitch (default 1)."),
            CommandOption(
                "replaygain", short: "r", value: .required("MODE"), kind: .words(["track", "album", "off"]),
                help: """
                    Bring tracks to the same loudness by the gains in their tags: 'track', 'album', or 'off' (default).
                    """),
            CommandOption(
                "preamp", value: .required("DB"),
                help: "Add DB decibels to these gains, -30 to 30 (default 0)."),
            CommandOption(
                "allow-clipping",
                help: "Keep gains that raise peaks above full scale, instead of lowering them."),
        ])

    private static let sound = OptionGroup(
        "Output",
        [
            CommandOption(
                "device", short: "d", value: .required("NAME"), kind: .listed(),
                help:
                    "Play on the device NAME; 'virtual' plays in real time without sound and without a server."
            ),
            CommandOption("list-devices", help: "List the devices' names and exit."),
            CommandOption(
                "latency", value: .required("TIME"),
                help: "Buffer TIME of audio in the sound server (default 500ms)."
            ),
            CommandOption("buffers", value: .required("N"), help: "Use N buffers in the queue (default 3)."),
            CommandOption(
                "buffer-duration", value: .required("TIME"),
                help: "Duration of each buffer (default 500ms)."),
            CommandOption(
                "wait-for-server", value: .required("TIME"),
                help: "Wait up to TIME for a sound server to start, or to return (default: 5s to return)."),
        ])

    private static let network = OptionGroup(
        "Network",
        [
            CommandOption(
                "buffer", value: .required("TIME"),
                help: """
                    Receive TIME of audio before playing, and more after each stall; without a stated bit rate, \
                    receive for TIME (default 1s).
                    """),
            CommandOption(
                "reconnect", value: .required("TIME"),
                help: "Try a lost connection again for TIME (default 5min)."),
        ])

    private static let reporting = OptionGroup(
        "Messages",
        [
            CommandOption("quiet", short: "q", help: "Show errors only: no progress, no warnings."),
            CommandOption(
                "verbose", short: "v",
                help: "Print each track's format, the queue's buffers, the granted latency, and underruns."),
            CommandOption(
                "json", short: "j",
                help: """
                    Write a JSON object to standard output at the end of each track. For a name that is not UTF-8, \
                    "fileBytes" contains its bytes, as in caf%E9.wav.
                    """),
            CommandOption("help", short: "h", help: "Show this help and exit."),
            CommandOption("version", help: "Show the version and exit."),
        ])

    /// The table of keys, which the key `?` shows too.
    static let keys = HelpSection(
        "Keys, on a terminal", manualTitle: "Keys",
        [
            .init("space", "Pause, and resume."),
            .init("left, right", "Seek 5 seconds back, or forward."),
            .init("up, down", "Louder, or softer, by 2 dB."),
            .init("[, ]", "Slower, or faster, by a tenth; backspace: normal speed."),
            .init("n, p", "Next track; start of this track, or the previous one."),
            .init("?", "List the keys."),
            .init("q", "Quit."),
        ])

    private static let statuses = HelpSection(
        "Exit status",
        [
            .init("0", "Everything was played."),
            .init("1", "A track could not be played; the others were."),
            .init("64", "The command line is wrong."),
            .init("69", "No sound server or no such device."),
            .init("74", "Reports or help cannot be written: the disk is full, a pipe is closed."),
            .init("130, 143", "Ended by Ctrl-C, or by SIGTERM."),
        ])
}
