// SPDX-License-Identifier: MIT

import AQToolSupport

extension InfoOptions {
    /// The command line as a table.
    static var parser: OptionParser {
        OptionParser(
            toolName: InfoTool.name, operandUsage: "FILE|URL|-...",
            operandKind: .file(extensions: AudioFolder.extensions.sorted()),
            summary: """
                Prints facts about audio files: container, format, channels, packets, duration, tags, magic \
                cookie, and problems. A URL begins with http: or https:; '-' is standard input.
                """,
            groups: [content, loudness, pictures, general], sections: [keys, statuses], manual: manual)
    }

    private static let content = OptionGroup(
        "Content",
        [
            CommandOption("brief", short: "b", help: "One line for each file."),
            CommandOption(
                "json", short: "j",
                help: "A JSON object for each file, in an array if there are several; keys below."),
            CommandOption(
                "packets", short: "p",
                help: "A table of the packets instead: number, offset in the file, bytes, frames, time."),
            CommandOption(
                "limit", short: "n", value: .required("N"), help: "Only the first N packets of each file."),
            CommandOption(
                "check", short: "c",
                help: "Read and decode each file to its end, and report whether it is intact."),
        ])

    private static let loudness = OptionGroup(
        "Loudness",
        [
            CommandOption(
                "loudness", short: "l",
                help: """
                    A table of the loudness as in EBU R 128 instead: integrated, range, true peak, and the gain to \
                    -18 LUFS.
                    """),
            CommandOption(
                "album", short: "a", help: "The same, and the values of all files together, as one album."),
            CommandOption(
                "write-tags",
                help: """
                    Write gains and peaks into the files as ReplayGain tags; in Opus, only gains, as R128 \
                    tags. Other tags and the audio are kept.
                    """),
        ])

    private static let pictures = OptionGroup(
        "Waveforms",
        [
            CommandOption("graph", short: "g", help: "Draw the waveform with characters."),
            CommandOption(
                "waveform", short: "w", value: .required("FILE"), kind: .file(extensions: ["png"]),
                help: "Draw the waveform into a PNG image; '-' writes only the image, to standard output."),
            CommandOption(
                "size", short: "s", value: .required("WxH"),
                help: "Size of the image in pixels (default: 1200 wide, 200 high for each channel)."),
            CommandOption(
                "overwrite", short: "y", help: "Replace an existing PNG image, and no other file."),
        ])

    private static let general = OptionGroup(
        "General",
        [
            CommandOption("help", short: "h", help: "Show this help and exit."),
            CommandOption("version", help: "Show the version and exit."),
        ])

    private static let keys = HelpSection(
        "Keys of --json; unknown values are null", manualTitle: "JSON keys",
        [
            .init("file, error", "The path as given; the reason why it could not be read, or null."),
            .init(
                "fileBytes",
                """
                Only if the path is not UTF-8: its bytes, with each byte that is not ASCII as %E9. In \"file\" such \
                a byte is \\xe9.
                """),
            .init("bytes", "Size of the whole file."),
            .init("container", "The container: \"WAVE\", \"CAF\" and so on."),
            .init("codec", "The codec in the file: \"PCM\", \"Vorbis\" and so on."),
            .init(
                "format",
                """
                id, flags, sampleRate, channels, bitsPerChannel, bytesPerFrame, bytesPerPacket, \
                framesPerPacket, and encoding, a description. If the file is decoded while it is read, they \
                describe the decoded audio.
                """),
            .init("layout", "The name of the channel order, or null; labels: the name of each channel."),
            .init(
                "packets",
                """
                The number of packets; largestPacketBytes: the size of the largest one; packetBytesBound: a \
                size that no packet exceeds.
                """),
            .init("frames", "Valid frames; primingFrames before and remainderFrames after them; seconds."),
            .init("bitRate", "Average bits per second."),
            .init("dataOffset", "Offset of the audio data in the file; dataBytes: its size."),
            .init("magicCookie", "In hexadecimal; cookieFields: its fields."),
            .init("information", "An object of tags: title, artist, album and so on."),
            .init("artwork", "The picture: type, bytes, width, height; null without one."),
            .init("markers, regions", "Named positions and ranges, in frames."),
            .init("chunks", "type, offset, bytes and depth (of nesting) of each."),
            .init(
                "warnings", "Problems, one line each; damage: those that affect the audio."),
            .init(
                "check",
                """
                With --check: intact, frames, damagedPackets, peakDecibels, fault. Without a decoder, intact is null \
                and fault is the reason.
                """),
            .init(
                "loudness",
                """
                With --loudness: integrated (LUFS), range (LU), truePeak (dBTP), gain (dB), peak (linear). With --album, \
                the last object of the array contains only those of the album, as "album".
                """),
            .init("packetList", "With --packets: packet, offset, bytes, frames, seconds of each."),
        ])

    private static let statuses = HelpSection(
        "Exit status",
        [
            .init("0", "All files were read; with --check, all are intact."),
            .init(
                "1",
                """
                A file could not be read or measured, or its tags could not be written, or, with --check, it \
                is not intact.
                """),
            .init("2", "With --check: all audio is intact, but there are warnings."),
            .init(
                "3", "With --check: the audio of a file was not checked, because there is no decoder for it."),
            .init("64", "The command line is wrong."),
            .init("74", "The image or the output cannot be written."),
        ])
}
