// SPDX-License-Identifier: MIT

import AQToolSupport

extension RecordOptions {
    /// The parts of the manual page that `--help` does not show.
    static let manual = Manual(
        purpose: "record audio to a file",
        paragraphs: [
            """
            The default is the sound server's default source, at its own sample rate and number of channels, in \
            samples of 16 bits. A recording of a given length has exactly that length.
            """,
            """
            The file is valid at every moment, also after SIGKILL or on a full disk. If the sound server or the \
            device disappears, the recording continues in the same file when it has returned, with silence for the \
            missing time.
            """,
            """
            On a terminal, a line shows the length, the size and the level. Otherwise only errors, warnings and the \
            output that an option requests are printed.
            """,
        ],
        examples: [
            .init("aqrecord --aiff out.aif --seconds 10", "Record exactly ten seconds."),
            .init("aqrecord --monitor default what.flac", "Record what is played, until q or Ctrl-C."),
            .init("aqrecord --split 1h --bits 24 log.wav", "Record into log-001.wav, log-002.wav and so on."),
            .init(
                "aqrecord --start-on-sound -40 --stop-on-silence -50:5 memo.mp3",
                "Begin half a second before the first sound, and end after five seconds of silence."),
            .init(
                "aqrecord --m4a talk.m4a --bit-rate 96 --seconds 1h", "Record an hour of AAC at 96 kbit/s."),
            .init("aqrecord --caf talk.caf --codec alac", "Record Apple Lossless."),
            .init("aqrecord --wait-for-server 1h talk.caf", "Wait up to an hour for a lost sound server."),
            .init("aqrecord --seconds 5 - | aqplay -", "Write to standard output."),
        ],
        environment: Manual.serverEnvironment + [
            Manual.schedulingEnvironment, Manual.localeEnvironment, Manual.terminalEnvironment,
        ],
        related: ["pactl(1)", "pulse-client.conf(5)"])
}
