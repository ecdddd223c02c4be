import ToolSupport

extension ConvertOptions {
    /// The command line as a table.
    static var parser: OptionParser {
        OptionParser(
            toolName: "aqconvert", operandUsage: "INPUT... OUTPUT",
            summary: """
                Converts sound files between containers and codecs. The extension of OUTPUT tells its kind; '-' \
                is standard input or output; an OUTPUT that is a folder is meant as by '--output-dir'. Unless an option asks for something else, packets are copied as \
                they are where the new container can hold them; otherwise samples keep their depth, lossy sound \
                becomes 16 bits, and M4A and ADTS files hold AAC. A TIME is written as 90, 1:30, 1:02:03.5, \
                500ms, 10s, 5min or 2h.
                """,
            groups: [files, data, range, working], sections: [formats, statuses])
    }

    private static let files = OptionGroup(
        "Files",
        [
            CommandOption(
                "file-type", short: "f", value: .required("TYPE"),
                help: "Write a file of TYPE: wav, rf64, aiff, aifc, caf, w64, mp3, flac, aac (ADTS) or m4a."),
            CommandOption("output", short: "o", value: .required("FILE"), help: "Write FILE."),
            CommandOption(
                "output-dir", short: "O", value: .required("FOLDER"),
                help: """
                    Write each input's output into FOLDER, under its own name; FOLDER is made if it is missing. \
                    Of an input that is a folder, all sound files below it are converted, into the same \
                    folders below FOLDER.
                    """),
            CommandOption("overwrite", short: "y", help: "Replace files that exist."),
            CommandOption("no-metadata", help: "Leave out title, artist, cover and markers."),
        ])

    private static let data = OptionGroup(
        "Sound",
        [
            CommandOption(
                "data", short: "d", value: .required("CODEC[@RATE]"),
                help: "Write CODEC at RATE Hz: aac, alac@48000, I16, @44100."),
            CommandOption("channels", short: "c", value: .required("N"), help: "Mix to N channels."),
            CommandOption(
                "bit-rate", short: "b", value: .required("N"), help: "Encode at N kbit/s (or bit/s)."),
            CommandOption(
                "quality", short: "q", value: .required("QUALITY"),
                help: "How hard the encoder tries: min, low, medium, high, max, or 0 to 127."),
            CommandOption(
                "rate-quality", short: "r", value: .required("QUALITY"),
                help: "The same for the conversion of sample rates (default high)."),
            CommandOption(
                "dither", value: .required("KIND"),
                help: """
                    The noise where samples lose bits: none, tpdf or shaped. Default tpdf for sources of more \
                    bits, none for lossy ones.
                    """),
        ])

    private static let range = OptionGroup(
        "Range",
        [
            CommandOption(
                "start", value: .required("TIME"), help: "Begin at TIME of the input, to the frame."),
            CommandOption(
                "end", value: .required("TIME"),
                help: "End at TIME of the input. A range that holds nothing of it is an error."),
        ])

    private static let working = OptionGroup(
        "Working",
        [
            CommandOption(
                "jobs", short: "j", value: .required("N"),
                help: "Convert N files at once (default: one on each core)."),
            CommandOption(
                "strict",
                help: """
                    Fail on an input that is damaged, and leave no output, rather than warn and put silence in place \
                    of what is lost. Packets copied as they are are not decoded; 'aqinfo --check' does that.
                    """),
            CommandOption("quiet", help: "Show no progress and no warnings."),
            CommandOption("verbose", short: "v", help: "Tell what was converted, a line each."),
            CommandOption("help", short: "h", help: "Show this help."),
            CommandOption("version", help: "Show the version."),
        ])

    private static let formats = HelpSection(
        "CODEC is one of",
        [
            .init("aac, alac, ima4, mp3, flac", "Compressed."),
            .init("ulaw, alaw", "G.711, in CAF files."),
            .init(
                "I8 I16 I24 I32 F32 F64", "Linear PCM; UI8 unsigned; LE or BE in front for the byte order."),
            .init("pcm", "Linear PCM as deep as the source."),
        ])

    private static let statuses = HelpSection(
        "Exit status",
        [
            .init("0", "All files were converted."),
            .init(
                "1",
                "A file could not be read, or cannot become what it is to be; with --strict also if it is damaged."
            ),
            .init("64", "The command line is wrong."),
            .init(
                "74",
                "A file cannot be created or written: it exists, the disk is full, the reader went away."),
            .init("130, 143", "Ended by SIGINT or SIGTERM; unfinished files are removed."),
        ])
}
