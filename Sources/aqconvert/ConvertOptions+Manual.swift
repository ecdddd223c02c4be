// SPDX-License-Identifier: MIT

import AQToolSupport

extension ConvertOptions {
    /// The parts of the manual page that `--help` does not show.
    static let manual = Manual(
        purpose: "convert audio files between containers and codecs",
        paragraphs: [
            """
            Tags, cover art and markers are copied if the new container can hold them; those that it cannot hold are \
            listed in a warning.
            """,
            """
            A URL is a file, a radio station, a playlist or an HLS stream. A broadcast, or a stream whose \
            server states no size, is recorded until it ends, until --end, or until a signal: Ctrl-C \
            (SIGINT) or SIGTERM. The output is then complete, and the status is 0. The recording resumes \
            after a lost connection, with a warning. A second signal ends aqconvert at once, without an \
            output. If the disk is full, the output keeps the audio that fits, and the status is 74.
            """,
            """
            An output appears under its name when it is complete. In CAF and M4A files the tables precede the audio, \
            so that the files can be played while they are downloaded.
            """,
        ],
        examples: [
            .init("aqconvert song.mp3 song.wav", "Decode a file."),
            .init("aqconvert -d alac take.aiff take.m4a", "Encode without loss."),
            .init(
                "aqconvert -d aac@44100 -b 192 take.wav take.m4a", "Encode to AAC at 44.1 kHz and 192 kbit/s."
            ),
            .init("aqconvert talk.m4a talk.caf", "Copy the packets unchanged."),
            .init(
                "aqconvert -f flac -O converted/ Music/", "Convert all audio files in a folder, on all cores."
            ),
            .init(
                "aqconvert --start 1:30 --end 2:00 -d I24 long.flac part.wav",
                "Write 30 seconds, exact to the frame, with 24 bits."),
            .init("aqconvert -f wav song.ogg - | aqplay -", "Write to standard output."),
            .init("aqconvert https://example.org/radio show.flac", "Record a radio station until Ctrl-C."),
        ],
        environment: Manual.networkEnvironment + [
            Manual.temporaryFolderEnvironment, Manual.terminalEnvironment,
        ],
        files: [
            .init(
                ".NAME.PROCESS.NUMBER.part",
                """
                An incomplete output, in the folder of the final file. Those that killed processes left are \
                removed by the next conversion into the same folder.
                """)
        ],
        related: ["curl(1)"])
}
