// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

extension ConvertOptions {
    /// The command line as a table.
    static var parser: OptionParser {
        OptionParser(
            toolName: "aqconvert", operandUsage: "INPUT... OUTPUT",
            operandKind: .file(extensions: AudioFolder.extensions.sorted()),
            summary: """
                Converts audio files between containers and codecs. The extension of OUTPUT selects its \
                type; an INPUT may be a URL with http: or https:; '-' is standard input or output; an OUTPUT \
                that is a folder is used as '--output-dir'. By default packets are copied unchanged if the \
                new container can hold them; otherwise samples keep their bit depth, lossy audio is decoded \
                to 16 bits, and M4A and ADTS files are encoded to AAC. A TIME is written as 90, 1:30, \
                1:02:03.5, 500ms, 10s, 5min or 2h.
                """,
            groups: [files, data, range, working], sections: [formats, statuses], manual: manual)
    }

    private static let files = OptionGroup(
        "Files",
        [
            CommandOption(
                "file-type", short: "f", value: .required("TYPE"),
                kind: .words(
                    AudioFileType.allCases.map {
                        ValueWord($0.pathExtensions.first ?? $0.rawValue, help: $0.name)
                    }),
                help: """
                    Write a file of TYPE: wav, rf64, aiff, aifc, caf, w64, mp3, flac, aac (ADTS), m4a, ogg or opus.
                    """),
            CommandOption("output", short: "o", value: .required("FILE"), help: "Write FILE."),
            CommandOption(
                "output-dir", short: "O", value: .required("FOLDER"),
                help: """
                    Write the output of each input into FOLDER, under the input's name; FOLDER is created if \
                    it is missing. If an input is a folder, all audio files below it are converted, into the \
                    same subfolders of FOLDER.
                    """),
            CommandOption("overwrite", short: "y", help: "Replace files that exist."),
            CommandOption("no-metadata", help: "Do not copy tags, cover art and markers."),
        ])

    private static let data = OptionGroup(
        "Audio",
        [
            CommandOption(
                "data", short: "d", value: .required("CODEC[@RATE]"), kind: .words(codecs),
                help: """
                    Write CODEC at RATE Hz: aac, alac@48000, I16, @44100. Without RATE, Opus files are \
                    resampled if Opus does not support the rate of the input.
                    """),
            CommandOption("channels", short: "c", value: .required("N"), help: "Mix to N channels."),
            CommandOption(
                "bit-rate", short: "b", value: .required("N"),
                help: "Encode at N kbit/s, or at N bit/s if N is 4000 or more."),
            CommandOption(
                "quality", short: "q", value: .required("QUALITY"), kind: .words(qualities),
                help: """
                    Effort of the encoder: min, low, medium, high, max, or 0 to 127. It applies to AAC, to \
                    Apple Lossless, and to MP3 in CAF files.
                    """),
            CommandOption(
                "rate-quality", short: "r", value: .required("QUALITY"), kind: .words(qualities),
                help: "Quality of resampling, with the same values (default high)."),
            CommandOption(
                "dither", value: .required("TYPE"), kind: .words(["none", "tpdf", "shaped"]),
                help: """
                    Noise that is added if samples lose bits: none, tpdf or shaped. The default is tpdf, and none \
                    for lossy inputs.
                    """),
        ])

    private static let range = OptionGroup(
        "Range",
        [
            CommandOption(
                "start", value: .required("TIME"), help: "Begin exactly at TIME of the input."),
            CommandOption(
                "end", value: .required("TIME"),
                help: "End at TIME of the input. A range outside the input is an error."),
        ])

    private static let working = OptionGroup(
        "General",
        [
            CommandOption(
                "jobs", short: "j", value: .required("N"),
                help: "Convert N files at once (default: one on each core)."),
            CommandOption(
                "strict",
                help: """
                    Fail on a damaged input, and leave no output, instead of replacing damaged packets with \
                    silence and printing a warning. Copied packets are not decoded; to check them, use \
                    'aqinfo --check'.
                    """),
            CommandOption("quiet", help: "Show errors only: no progress, no warnings."),
            CommandOption("verbose", short: "v", help: "Print a line for each converted file."),
            CommandOption("help", short: "h", help: "Show this help and exit."),
            CommandOption("version", help: "Show the version and exit."),
        ])

    /// The values of `--data` that completion offers.
    private static var codecs: [ValueWord] {
        DataFormat.codecs.map { ValueWord($0.name, help: titles[$0.name] ?? "") }
            + [ValueWord("pcm", help: "linear PCM with the bit depth of the source")]
            + ["I8", "I16", "I24", "I32"].map { ValueWord($0, help: "integers of \($0.dropFirst()) bits") }
            + ["F32", "F64"].map { ValueWord($0, help: "floating-point samples of \($0.dropFirst()) bits") }
    }

    /// The names of codecs whose short form is not their name.
    private static let titles = [
        "alac": "Apple Lossless", "ima4": "IMA 4:1", "ulaw": "µ-law of G.711", "alaw": "A-law of G.711",
    ]

    private static let qualities: [ValueWord] = ["min", "low", "medium", "high", "max"]

    private static let formats = HelpSection(
        "CODEC is one of", manualTitle: "Codecs",
        [
            .init("aac, alac, ima4, mp3, flac, vorbis, opus", "Compressed."),
            .init("ulaw, alaw", "G.711, in WAVE, RF64, Wave64, AIFF-C and CAF files."),
            .init(
                "I8 I16 I24 I32 F32 F64",
                """
                Linear PCM: integers (I) or floating point (F) of these bits. UI8 is unsigned; LE or BE in \
                front sets the byte order.
                """),
            .init("pcm", "Linear PCM with the bit depth of the source."),
        ])

    private static let statuses = HelpSection(
        "Exit status",
        [
            .init("0", "All files were converted, or a broadcast was recorded until Ctrl-C."),
            .init(
                "1",
                "A file could not be read or converted as requested, or, with --strict, it is damaged."
            ),
            .init("64", "The command line is wrong."),
            .init(
                "74",
                "A file cannot be created or written: it exists, the disk is full, a pipe is closed."),
            .init("130, 143", "Ended by SIGINT or SIGTERM; unfinished files are removed."),
        ])
}
