// SPDX-License-Identifier: MIT

import ToolSupport

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
                "aqconvert -f flac -O converted/ Music/", "Convert all audio files of a folder, on all cores."
            ),
            .init(
                "aqconvert --start 1:30 --end 2:00 -d I24 long.flac part.wav",
                "Write 30 seconds, exact to the frame, with 24 bits."),
            .init("aqconvert -f wav song.ogg - | aqplay -", "Write to standard output."),
        ],
        environment: [
            Manual.temporaryFolderEnvironment, Manual.terminalEnvironment,
        ],
        files: [
            .init(
                ".NAME.PROCESS.NUMBER.part",
                """
                An output that is not complete, beside its final place. Those of killed processes are removed by the \
                next conversion into the same folder.
                """)
        ])
}
