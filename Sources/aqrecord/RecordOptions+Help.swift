import ToolSupport

extension RecordOptions {
    /// The command line as a table.
    static var parser: OptionParser {
        OptionParser(
            toolName: "aqrecord", operandUsage: "FILE|-",
            summary: """
                Records sound through an audio queue into a file, whose kind its extension tells, or to standard \
                output ('-', WAVE unless an option says otherwise). It ends by Ctrl-C, or as the options say. A \
                TIME is written as 90, 1:30, 1:02:03.5, 500ms, 10s, 5min or 2h; a SIZE as 700M, 4G or 4GB; a \
                LEVEL in decibels below full scale, as -40 or -40dB.
                """,
            groups: [files, length, sound, source, reporting], sections: [keys, signals, statuses])
    }

    private static let files = OptionGroup(
        "What to write",
        [
            CommandOption(
                "adts", value: .required("FILE"),
                help: """
                    Write AAC in an ADTS stream (.aac), which cannot say that its first and last packets begin and \
                    end with a little silence.
                    """),
            CommandOption("aiff", value: .required("FILE"), help: "Write AIFF (.aif, .aiff)."),
            CommandOption("aifc", value: .required("FILE"), help: "Write AIFF-C (.aifc)."),
            CommandOption("caf", value: .required("FILE"), help: "Write Core Audio Format (.caf)."),
            CommandOption("flac", value: .required("FILE"), help: "Write FLAC (.flac), of 8, 16 or 24 bits."),
            CommandOption(
                "m4a", value: .required("FILE"), help: "Write MPEG-4 audio (.m4a), of AAC or Apple Lossless."),
            CommandOption("mp3", value: .required("FILE"), help: "Write MP3 (.mp3)."),
            CommandOption("rf64", value: .required("FILE"), help: "Write RF64 (.rf64)."),
            CommandOption("w64", value: .required("FILE"), help: "Write Wave64 (.w64)."),
            CommandOption(
                "wav", value: .required("FILE"), help: "Write WAVE (.wav), which becomes RF64 beyond 4 GiB."),
            CommandOption(
                "codec", value: .required("NAME"),
                help: """
                    Encode to NAME: pcm, aac, alac, ima4, mp3, ulaw or alaw in CAF (default pcm), aac or alac in \
                    MPEG-4 (default aac).
                    """),
            CommandOption(
                "bits", short: "b", value: .required("N"),
                help: "Write samples of 8, 16, 24 or 32 bits (default 16); Apple Lossless has 16 or 24."),
            CommandOption("float", short: "F", help: "Write floating-point samples of 32 bits."),
            CommandOption(
                "bit-rate", value: .required("N"),
                help: "Encode AAC or MP3 at N kbit/s: 8 to 640, MP3 up to 320."),
            CommandOption(
                "split", value: .required("TIME|SIZE"),
                help: """
                    Go on in a new file after TIME or SIZE: out-001.wav, out-002.wav, with no frame lost between \
                    them. Encoded files become a little larger than SIZE.
                    """),
            CommandOption(
                "sync", value: .required("TIME"),
                help: """
                    Force the file to the disk after every TIME of it, and at its end: a power failure then \
                    costs about TIME, and in CAF of packets (AAC, ALAC, IMA 4:1) perhaps the whole file. Without \
                    it, the system writes when it likes, usually within 30 s, and a power failure may cost as \
                    much of a file that was closed too. Meanwhile the buffers keep what is captured.
                    """),
            CommandOption(
                "overwrite", short: "y", help: "Replace a file that exists, when there is a first frame."),
        ])

    private static let length = OptionGroup(
        "When to record",
        [
            CommandOption(
                "seconds", short: "s", value: .required("TIME"), help: "Record TIME, to the frame."),
            CommandOption("frames", short: "n", value: .required("N"), help: "Record N frames."),
            CommandOption(
                "start-on-sound", value: .required("LEVEL"),
                help: "Begin when a sample reaches LEVEL; what lies just before it is kept (see --pre-roll)."),
            CommandOption(
                "stop-on-silence", value: .required("LEVEL:TIME"),
                help: "End when no sample has reached LEVEL for TIME, which is kept."),
            CommandOption(
                "pre-roll", value: .required("TIME"),
                help: "Keep TIME from before the sound that starts the recording (default 500ms)."),
        ])

    private static let sound = OptionGroup(
        "Sound",
        [
            CommandOption(
                "rate", short: "r", value: .required("HZ"), help: "Sample rate (default: the device's own)."),
            CommandOption(
                "channels", short: "c", value: .required("N"),
                help: "Number of channels (default: the device's own)."),
            CommandOption(
                "gain", short: "g", value: .required("DB"), help: "Make it louder or softer, by -60 to 60 dB."
            ),
        ])

    private static let source = OptionGroup(
        "Sound input",
        [
            CommandOption(
                "device", short: "d", value: .required("NAME"),
                help: """
                    Record the source NAME. 'virtual' is silence without a server, 'virtual:tone=HZ' a tone, \
                    'virtual:sequence' samples that count, 'virtual:file=PATH' a sound file and then silence; \
                    with ',fast' behind it, as fast as it can be written: of a file to its end, of others as \
                    much as --seconds or --frames say.
                    """),
            CommandOption(
                "monitor", short: "m", value: .required("SINK"),
                help: "Record what SINK plays; 'default' is the default sink."),
            CommandOption("list-devices", help: "List the sources' names and exit."),
            CommandOption(
                "buffers", value: .required("N"),
                help: """
                    Use N buffers in the queue (default 80): while the disk is slow, N times the duration of a \
                    buffer is kept in memory.
                    """),
            CommandOption(
                "buffer-duration", value: .required("TIME"),
                help: """
                    Let each buffer hold TIME (default 100ms), or less if the recording is to end with a full \
                    one. It is written when it is full; until then, a kill loses it.
                    """),
            CommandOption(
                "wait-for-server", value: .required("TIME"),
                help: """
                    Wait up to TIME for a sound server or a device that went away to return (default 5s); then \
                    the recording goes on, with silence for the missing time.
                    """),
        ])

    private static let reporting = OptionGroup(
        "Messages",
        [
            CommandOption("quiet", short: "q", help: "Show errors only: no progress, no warnings."),
            CommandOption(
                "verbose", short: "v",
                help: "Tell the format, the memory and the latency, and each file's length and level."),
            CommandOption(
                "json", short: "j",
                help: """
                    Write a JSON object for each file at its end, to standard output, or to standard error while \
                    standard output is recorded to. A name that is not UTF-8 has its bytes in "fileBytes", as in \
                    caf%E9.wav.
                    """),
            CommandOption("help", short: "h", help: "Show this help and exit."),
            CommandOption("version", help: "Show the version and exit."),
        ])

    /// What `?` lists, too.
    static let keys = HelpSection(
        "Keys, on a terminal",
        [
            .init("space", "Pause, and go on."),
            .init("n", "Go on in a new file."),
            .init("?", "List the keys."),
            .init("q", "End the recording."),
        ])

    private static let signals = HelpSection(
        "Signals",
        [
            .init("INT, TERM, HUP", "End the recording; a second one does not wait for the disk."),
            .init("USR1", "Go on in a new file, out-002.wav, with no frame lost."),
        ])

    private static let statuses = HelpSection(
        "Exit status",
        [
            .init("0", "What was asked for was recorded; so too if a key or a signal ended it."),
            .init("1", "Frames were lost, or nothing was recorded."),
            .init("64", "The command line is wrong."),
            .init("69", "No sound server or no such device, or it went away for good."),
            .init(
                "74",
                """
                The file cannot be created or written: it exists, the disk is full, the reader went away. What \
                was recorded until then is safe.
                """),
            .init("130, 143", "Ended by a second Ctrl-C or SIGTERM, without waiting for the disk."),
        ])
}
