// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

extension RecordOptions {
    /// The command line as a table.
    static var parser: OptionParser {
        OptionParser(
            toolName: "aqrecord", operandUsage: "FILE|-",
            operandKind: .file(extensions: AudioFileType.allCases.flatMap(\.pathExtensions)),
            summary: """
                Records audio through an audio queue into a file, whose extension selects its type, or to \
                standard output ('-', WAVE by default). Ctrl-C ends the recording, or an option does. A TIME \
                is written as 90, 1:30, 1:02:03.5, 500ms, 10s, 5min or 2h; a SIZE as 700M, 4G or 4GB; a \
                LEVEL in decibels relative to full scale, as -40 or -40dB.
                """,
            groups: [files, length, sound, source, reporting], sections: [keys, signals, statuses],
            manual: manual)
    }

    private static let files = OptionGroup(
        "Files",
        [
            CommandOption(
                "adts", value: .required("FILE"), kind: .file(extensions: AudioFileType.adts.pathExtensions),
                help: """
                    Write AAC in an ADTS stream (.aac), which cannot state the silence at its beginning and end.
                    """),
            CommandOption(
                "aiff", value: .required("FILE"), kind: .file(extensions: AudioFileType.aiff.pathExtensions),
                help: "Write AIFF (.aif, .aiff)."),
            CommandOption(
                "aifc", value: .required("FILE"), kind: .file(extensions: AudioFileType.aiffC.pathExtensions),
                help: "Write AIFF-C (.aifc)."),
            CommandOption(
                "caf", value: .required("FILE"), kind: .file(extensions: AudioFileType.caf.pathExtensions),
                help: "Write Core Audio Format (.caf)."),
            CommandOption(
                "flac", value: .required("FILE"), kind: .file(extensions: AudioFileType.flac.pathExtensions),
                help: "Write FLAC (.flac) with 8, 16 or 24 bits."),
            CommandOption(
                "m4a", value: .required("FILE"), kind: .file(extensions: AudioFileType.m4a.pathExtensions),
                help: "Write MPEG-4 audio (.m4a) with AAC or Apple Lossless."),
            CommandOption(
                "mp3", value: .required("FILE"), kind: .file(extensions: AudioFileType.mp3.pathExtensions),
                help: "Write MP3 (.mp3)."),
            CommandOption(
                "ogg", value: .required("FILE"),
                kind: .file(extensions: AudioFileType.oggVorbis.pathExtensions),
                help: "Write Ogg (.ogg) with Vorbis or Opus."),
            CommandOption(
                "opus", value: .required("FILE"),
                kind: .file(extensions: AudioFileType.oggOpus.pathExtensions),
                help: "Write Ogg (.opus) with Opus."),
            CommandOption(
                "rf64", value: .required("FILE"), kind: .file(extensions: AudioFileType.rf64.pathExtensions),
                help: "Write RF64 (.rf64)."),
            CommandOption(
                "w64", value: .required("FILE"), kind: .file(extensions: AudioFileType.wave64.pathExtensions),
                help: "Write Wave64 (.w64)."),
            CommandOption(
                "wav", value: .required("FILE"), kind: .file(extensions: AudioFileType.wave.pathExtensions),
                help: "Write WAVE (.wav), which becomes RF64 beyond 4 GiB."),
            CommandOption(
                "codec", value: .required("NAME"),
                kind: .words(RecordingCodec.allCases.map { ValueWord($0.rawValue, help: $0.name) }),
                help: """
                    Encode to NAME: pcm, aac, alac, ima4, mp3, ulaw or alaw in CAF (default pcm); pcm, ulaw \
                    or alaw in WAVE and AIFF (default pcm); aac or alac in MPEG-4 (default aac); vorbis or \
                    opus in Ogg (default vorbis).
                    """),
            CommandOption(
                "bits", short: "b", value: .required("N"), kind: .words(["8", "16", "24", "32"]),
                help: "Write samples of 8, 16, 24 or 32 bits (default 16); Apple Lossless has 16 or 24."),
            CommandOption("float", short: "F", help: "Write floating-point samples of 32 bits."),
            CommandOption(
                "bit-rate", value: .required("N"),
                help: """
                    Encode AAC, MP3, Vorbis or Opus at N kbit/s: 8 to 640, MP3 up to 320. The limits of \
                    Vorbis and Opus are narrower, and depend on the sample rate and the channels.
                    """),
            CommandOption(
                "split", value: .required("TIME|SIZE"),
                help: """
                    Begin a new file after TIME (at least 100ms) or SIZE (at least 64K): out-001.wav, \
                    out-002.wav, with no frame lost between them. Encoded files become a little larger than \
                    SIZE.
                    """),
            CommandOption(
                "sync", value: .required("TIME"),
                help: """
                    Force the file to the disk after each TIME of audio, 100ms to 24h, and at its end. A \
                    power failure then loses about TIME; a CAF file with AAC, Apple Lossless or MP3 may be \
                    lost completely. Without this option the system usually writes within 30 s, and a power \
                    failure may lose as much, also of a closed file. While the disk is busy, the buffers \
                    hold the captured audio.
                    """),
            CommandOption(
                "overwrite", short: "y", help: "Replace an existing file when the first frame arrives."),
        ])

    private static let length = OptionGroup(
        "Start and end",
        [
            CommandOption(
                "seconds", short: "s", value: .required("TIME"), help: "Record exactly TIME."),
            CommandOption("frames", short: "n", value: .required("N"), help: "Record N frames."),
            CommandOption(
                "start-on-sound", value: .required("LEVEL"),
                help: """
                    Begin when a sample reaches LEVEL, -120 to 0, with the audio just before it (see \
                    --pre-roll).
                    """),
            CommandOption(
                "stop-on-silence", value: .required("LEVEL:TIME"),
                help: "End when no sample has reached LEVEL for TIME, 1ms to 24h. This silence is recorded."),
            CommandOption(
                "pre-roll", value: .required("TIME"),
                help: "Keep TIME of audio from before the start of the recording, up to 60s (default 500ms)."),
        ])

    private static let sound = OptionGroup(
        "Audio",
        [
            CommandOption(
                "rate", short: "r", value: .required("HZ"),
                help: "Sample rate, up to 384000 (default: the device's own)."),
            CommandOption(
                "channels", short: "c", value: .required("N"),
                help: "Number of channels, 1 to 32 (default: the device's own)."),
            CommandOption(
                "gain", short: "g", value: .required("DB"), help: "Change the level by -60 to 60 dB."
            ),
        ])

    private static let source = OptionGroup(
        "Input",
        [
            CommandOption(
                "device", short: "d", value: .required("NAME"), kind: .listed(filePrefix: "virtual:file="),
                help: """
                    Record the source NAME. Without a server, 'virtual' is silence, 'virtual:tone=HZ' a tone, \
                    'virtual:sequence' counting samples, 'virtual:file=PATH' an audio file followed by silence. \
                    With ',fast' at the end, the audio is not limited to real time: a file is recorded to \
                    its end, other sources need --seconds or --frames.
                    """),
            CommandOption(
                "monitor", short: "m", value: .required("SINK"), kind: .listed(),
                help: "Record what SINK plays; 'default' is the default sink."),
            CommandOption("list-devices", help: "List the sources' names and exit."),
            CommandOption(
                "buffers", value: .required("N"),
                help: """
                    Use N buffers in the queue, 2 to 256 (default 80). While the disk is slow, the buffers \
                    hold N times their duration of audio.
                    """),
            CommandOption(
                "buffer-duration", value: .required("TIME"),
                help: """
                    Duration of each buffer, 5ms to 10s (default 100ms). With --seconds or --frames, buffers \
                    may be shorter, so that the recording ends with a full one. A buffer is written when it \
                    is full; its audio is lost if aqrecord is killed before that.
                    """),
            CommandOption(
                "wait-for-server", value: .required("TIME"),
                help: """
                    Wait up to TIME, at most 24h, for a sound server to start, or for a server or a device \
                    to return (default: 5s to return). The recording then continues, with silence for the \
                    missing time.
                    """),
        ])

    private static let reporting = OptionGroup(
        "Messages",
        [
            CommandOption("quiet", short: "q", help: "Show errors only: no progress, no warnings."),
            CommandOption(
                "verbose", short: "v",
                help: "Print the format, the memory and the latency, and each file's length and level."),
            CommandOption(
                "json", short: "j",
                help: """
                    Write a JSON object at the end of each file, to standard output, or to standard error if the \
                    recording goes to standard output. For a name that is not UTF-8, "fileBytes" contains its \
                    bytes, as in caf%E9.wav.
                    """),
            CommandOption("help", short: "h", help: "Show this help and exit."),
            CommandOption("version", help: "Show the version and exit."),
        ])

    /// The table of keys, which the key `?` shows too.
    static let keys = HelpSection(
        "Keys, on a terminal", manualTitle: "Keys",
        [
            .init("space", "Pause, and resume."),
            .init("n", "Begin a new file."),
            .init("?", "List the keys."),
            .init("q", "End the recording."),
        ])

    private static let signals = HelpSection(
        "Signals",
        [
            .init("INT, TERM, HUP", "End the recording; a second one does not wait for the disk."),
            .init("USR1", "Begin a new file, out-002.wav, with no frame lost."),
        ])

    private static let statuses = HelpSection(
        "Exit status",
        [
            .init("0", "The recording is complete; also if a key or a signal ended it."),
            .init(
                "1",
                """
                Frames were lost, for example while the server or the device was unavailable, or nothing was \
                recorded.
                """),
            .init("64", "The command line is wrong."),
            .init("69", "No sound server or no such device, or it did not return before the end."),
            .init(
                "74",
                """
                The file cannot be created or written: it exists, the disk is full, a pipe is closed. Audio \
                recorded until then is kept.
                """),
            .init("130, 143", "Ended by a second Ctrl-C or SIGTERM, without waiting for the disk."),
        ])
}
