// SPDX-License-Identifier: MIT

import AQToolSupport

extension InfoOptions {
    /// The parts of the manual page that `--help` does not show.
    static let manual = Manual(
        purpose: "print the contents and the problems of audio files",
        paragraphs: [
            """
            Files are recognised by their contents, not by their names. Without options, aqinfo reads the \
            headers and tables of a file, and its packets if they differ in size, but it decodes no audio. \
            With --check it also decodes all audio, and finds damage inside packets.
            """,
            """
            A URL with http: or https: is a file, a radio station, a playlist or an HLS stream. If the \
            server states no size for a stream, only the first bytes are read, and the duration is unknown, \
            unless an option needs all packets.
            """,
            "With --json, unknown values are null.",
        ],
        examples: [
            .init("aqinfo song.m4a", "Print the container, format, packets, chunks, tags and problems."),
            .init("aqinfo --check --brief *.mp3", "Decode files completely, and print a line for each."),
            .init("aqinfo --packets --limit 10 song.caf", "Print a table of the first ten packets."),
            .init("aqinfo --waveform=song.png --size=800x200 song.caf", "Draw the waveform into an image."),
            .init("aqinfo --json song.caf", "Print all facts for a program."),
            .init("aqinfo https://example.org/a.mp3", "Inspect a file on a server."),
        ],
        environment: Manual.networkEnvironment + [
            Manual.temporaryFolderEnvironment, Manual.localeEnvironment,
        ],
        related: ["curl(1)"])
}
