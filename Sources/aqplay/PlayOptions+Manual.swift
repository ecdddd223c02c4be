// SPDX-License-Identifier: MIT

import AQToolSupport

extension PlayOptions {
    /// The parts of the manual page that `--help` does not show.
    static let manual = Manual(
        purpose: "play audio files",
        paragraphs: [
            """
            WAV, RF64, Wave64, AIFF, AIFF-C, CAF, AU, MP3, AAC (ADTS, M4A, MP4), Apple Lossless, FLAC, Ogg and other \
            files are recognised by their contents, not by their names. Tracks of the same format follow each other \
            without a gap. Seeking is exact to the frame.
            """,
            """
            On a terminal, a line shows the title, the position and the level. Otherwise only errors, warnings and \
            the output that an option requests are printed.
            """,
            """
            An address with http: or https: is a file, a radio station, a playlist or an HLS stream. Seeking is \
            possible in a file whose server sends parts of it, but not in broadcasts and HLS. A broadcast resumes \
            after a lost connection. CURL_CA_BUNDLE or SSL_CERT_FILE selects another file of certificates; proxies \
            are those of curl(1).
            """,
            """
            Media keys, playerctl(1) and the panel of a desktop control aqplay over the session's message bus. A \
            single file shorter than three seconds is not shown there.
            """,
            """
            Audio from a pipe is played while it arrives. If the sound server disappears, playback resumes at the \
            last audible frame when a server has returned.
            """,
        ],
        examples: [
            .init("aqplay song.mp3", "Play a file."),
            .init("aqplay --shuffle Music/ list.m3u", "Play a folder and a playlist in random order."),
            .init("aqplay --start 59:50 --end 1:00:10 long.mp3", "Play 20 seconds, exact to the frame."),
            .init("aqplay --loop=3 --volume=-6dB chime.wav", "Play a file three times, at half its level."),
            .init("aqplay https://example.org/live.m3u8", "Play a radio station or an HLS stream."),
            .init(
                "aqplay --replaygain album --speed 1.25 talk/", "Play a folder louder or softer, and faster."),
            .init("decoder song.xyz | aqplay -", "Play what another program writes."),
            .init(
                "aqplay --json song.wav", "Print the number of played frames and of underruns, for a program."
            ),
            .init("aqplay --device virtual song.mp3", "Play without a sound server, in real time."),
        ],
        environment: [
            .init(
                "AQ_LATENCY",
                """
                The latency, instead of the default of the tool: lowest, interactive, balanced or least-power. \
                --latency takes precedence.
                """),
            .init(
                "DBUS_SESSION_BUS_ADDRESS",
                "The session's message bus; if it is empty, nothing controls aqplay from outside."),
        ] + Manual.serverEnvironment + [
            Manual.schedulingEnvironment, Manual.temporaryFolderEnvironment, Manual.localeEnvironment,
            Manual.terminalEnvironment,
        ],
        related: ["pactl(1)", "playerctl(1)", "pulse-client.conf(5)"])
}
