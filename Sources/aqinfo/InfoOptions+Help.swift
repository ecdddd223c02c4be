import ToolSupport

extension InfoOptions {
    /// The command line as a table.
    static var parser: OptionParser {
        OptionParser(
            toolName: InfoTool.name, operandUsage: "FILE|-...",
            summary: """
                Tells what sound files are: container, format, channels, packets, duration, tags, what a \
                decoder needs to know, and what is wrong. '-' is standard input.
                """,
            groups: [content, pictures, general], sections: [keys, statuses])
    }

    private static let content = OptionGroup(
        "What to tell",
        [
            CommandOption("brief", short: "b", help: "One line for each file."),
            CommandOption(
                "json", short: "j",
                help: "A JSON object for each file, in an array if there are several; keys below."),
            CommandOption(
                "packets", short: "p",
                help: "A table of the packets instead: number, place in the file, bytes, frames, time."),
            CommandOption(
                "limit", short: "n", value: .required("N"), help: "Only the first N packets of each file."),
            CommandOption(
                "check", short: "c",
                help: "Read and decode each file to its end, and tell whether it is intact."),
        ])

    private static let pictures = OptionGroup(
        "Waveforms",
        [
            CommandOption("graph", short: "g", help: "Draw the sound with characters."),
            CommandOption(
                "waveform", short: "w", value: .required("FILE"),
                help: "Draw the sound into a PNG image; '-' is standard output, alone."),
            CommandOption(
                "size", short: "s", value: .required("WxH"),
                help: "Size of the image (default 1200 and 200 for each channel)."),
            CommandOption(
                "overwrite", short: "y", help: "Replace a PNG image that exists, and nothing else."),
        ])

    private static let general = OptionGroup(
        "General",
        [
            CommandOption("help", short: "h", help: "Show this help and exit."),
            CommandOption("version", help: "Show the version and exit."),
        ])

    private static let keys = HelpSection(
        "Keys of --json; what is unknown is null",
        [
            .init("file, error", "The path as given; why it could not be read, or null."),
            .init(
                "fileBytes",
                """
                Only if the path is not UTF-8: its bytes, those that are not ASCII as %E9; \"file\" has them as \
                \\xe9.
                """),
            .init("bytes", "Of the whole file."),
            .init("container", "What holds the sound: \"WAVE\", \"CAF\" and so on."),
            .init("codec", "The coding in the file: \"PCM\", \"Vorbis\" and so on."),
            .init(
                "format",
                """
                id, flags, sampleRate, channels, bitsPerChannel, bytesPerFrame, bytesPerPacket, \
                framesPerPacket, and the encoding in words; of what is decoded while the file is read, the \
                result.
                """),
            .init("layout", "A name, if the channels' order has one; labels: what each is for."),
            .init("packets", "How many; largestPacketBytes, packetBytesBound."),
            .init("frames", "Of sound; primingFrames and remainderFrames around them; seconds."),
            .init("bitRate", "Bits per second on average."),
            .init("dataOffset", "Where the packets begin; dataBytes."),
            .init("magicCookie", "In hexadecimal; cookieFields: what it says."),
            .init("information", "An object of texts: title, artist, album and so on."),
            .init("artwork", "The picture: type, bytes, width, height; null without one."),
            .init("markers, regions", "Named places and stretches, in frames."),
            .init("chunks", "type, offset, bytes and depth of each."),
            .init(
                "warnings", "What is not as it should be, a line each; damage: those that concern the audio."),
            .init("check", "With --check: intact, frames, damagedPackets, peakDecibels."),
            .init("packetList", "With --packets: packet, offset, bytes, frames, seconds of each."),
        ])

    private static let statuses = HelpSection(
        "Exit status",
        [
            .init("0", "All was told; with --check, all files are intact."),
            .init("1", "A file could not be read, or with --check, is not intact."),
            .init("2", "With --check: all audio is intact, but there are warnings."),
            .init("64", "The command line is wrong."),
            .init("74", "The image or the output cannot be written."),
        ])
}
