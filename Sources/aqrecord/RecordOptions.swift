// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import AQToolSupport

/// The request of a command line of aqrecord.
enum Invocation: Equatable {
    case record(RecordOptions)
    case listDevices(isJSON: Bool)
    case help
    case version
}

/// The source, the file, and the settings of a recording.
struct RecordOptions: Equatable {
    /// The length of a recording.
    enum Length: Equatable {
        case seconds(Double)
        case frames(Int64)
    }

    /// The size of each of several files.
    enum Split: Equatable {
        case seconds(Double)
        case bytes(Int64)
    }

    /// The silence that ends a recording.
    struct Silence: Equatable {
        /// The linear level.
        var level: Float
        var seconds: Double
    }

    var target = RecordingTarget(path: "", type: .wave)
    var length: Length?
    /// The sample rate; nil for that of the device.
    var sampleRate: Double?
    var channels: Int?
    var bits = 16
    var isFloat = false
    var codec = RecordingCodec.pcm
    /// The bit rate of an encoder, in bits per second.
    var bitRate: Int?
    var source = SourceChoice.defaultSource
    var bufferCount = 80
    var bufferSeconds = 0.1
    /// The interval at which a file is forced to the disk, in seconds; nil for never.
    var syncSeconds: Double?
    /// The linear gain.
    var gain: Float = 1
    /// The linear level at which the recording starts; nil to start at once.
    var startLevel: Float?
    var silence: Silence?
    var preRollSeconds = 0.5
    var split: Split?
    var overwrites = false
    var recoverySeconds = 5.0
    /// Whether that is also the time to wait for a server at the start: if an option has set it.
    var waitsAtStart = false
    var isQuiet = false
    var isVerbose = false
    var isJSON = false

    /// Parses the command line, without the tool's own name.
    ///
    /// - Throws: ``UsageError`` if the command line is wrong.
    static func parse(_ arguments: [FilePath]) throws(UsageError) -> Invocation {
        let parsed = try parser.parse(arguments)
        var options = RecordOptions()
        var targets: [RecordingTarget] = []
        var sources: [SourceChoice] = []
        var bits: Int?
        var codec: RecordingCodec?
        var listsDevices = false
        for occurrence in parsed.options {
            let value = occurrence.value ?? ""
            switch occurrence.name {
            case "help": return .help
            case "version": return .version
            case "list-devices": listsDevices = true
            case "device": sources.append(try .named(occurrence.path ?? ""))
            case "monitor": sources.append(try .monitor(ofSinkNamed: value))
            case "bits": bits = try Self.bits(value)
            case "codec": codec = try Self.codec(value)
            default:
                if let type = targetTypes[occurrence.name] {
                    targets.append(RecordingTarget(path: occurrence.path ?? "", type: type))
                } else {
                    try options.apply(occurrence)
                }
            }
        }
        if listsDevices { return .listDevices(isJSON: options.isJSON) }
        for operand in parsed.operands { targets.append(try .operand(operand)) }
        options.target = try onlyTarget(targets)
        if let source = try onlySource(sources) { options.source = source }
        options.bits = bits ?? (options.isFloat ? 32 : 16)
        options.codec = codec ?? .usual(in: options.target.type)
        // Both codecs have files of the same name.
        if options.target.type == .oggVorbis, options.codec == .opus { options.target.type = .oggOpus }
        try options.check(hasBits: bits != nil)
        return .record(options)
    }

    static let targetTypes: [String: AudioFileType] = [
        "aiff": .aiff, "wav": .wave, "caf": .caf, "mp3": .mp3, "flac": .flac, "w64": .wave64, "aifc": .aiffC,
        "rf64": .rf64, "m4a": .m4a, "adts": .adts, "ogg": .oggVorbis, "opus": .oggOpus,
    ]

    private mutating func apply(_ occurrence: OptionParser.Parsed.Occurrence) throws(UsageError) {
        let name = "--\(occurrence.name)"
        let value = occurrence.value ?? ""
        switch occurrence.name {
        case "seconds": length = .seconds(try TimeParser.seconds(value, option: name))
        case "frames":
            length = .frames(Int64(try DecimalParser.integer(value, option: name, in: 1...Self.mostFrames)))
        case "rate": sampleRate = Double(try DecimalParser.integer(value, option: name, in: 1...384_000))
        case "channels": channels = try DecimalParser.integer(value, option: name, in: 1...32)
        case "float": isFloat = true
        case "bit-rate": bitRate = try Self.bitRate(value, name)
        case "gain":
            gain = GainParser.gain(decibels: try GainParser.decibels(value, option: name, in: -60...60))
        case "start-on-sound": startLevel = try Self.level(value, name)
        case "stop-on-silence": silence = try Self.silence(value, name)
        case "pre-roll":
            preRollSeconds = try TimeParser.seconds(value, option: name, in: 0...60, example: "500ms")
        case "split": split = try Self.split(value)
        case "overwrite": overwrites = true
        case "buffers": bufferCount = try DecimalParser.integer(value, option: name, in: 2...256)
        case "buffer-duration":
            bufferSeconds = try TimeParser.seconds(value, option: name, in: 0.005...10, example: "100ms")
        case "sync":
            syncSeconds = try TimeParser.seconds(value, option: name, in: 0.1...86_400, example: "10")
        case "wait-for-server":
            recoverySeconds = try TimeParser.seconds(value, option: name, in: 0...86_400, example: "5")
            waitsAtStart = true
        case "quiet": (isQuiet, isVerbose) = (true, false)
        case "verbose": (isQuiet, isVerbose) = (false, true)
        case "json": isJSON = true
        default: throw UsageError("option '\(name)' is not supported")
        }
    }

    private func check(hasBits: Bool) throws(UsageError) {
        if case .seconds(let seconds) = length, seconds <= 0 {
            throw UsageError("'--seconds' must be more than 0")
        }
        if length == nil, source.isEndless {
            throw UsageError(
                "a virtual device at full speed fills the disk; limit it with '--seconds' or '--frames'")
        }
        if target.isStandardOutput && split != nil {
            throw UsageError("standard output is one stream; '--split' needs the name of a file")
        }
        if target.isStandardOutput && syncSeconds != nil {
            throw UsageError("'--sync' needs the name of a file; standard output belongs to another program")
        }
        let (type, name) = (target.type, codec.name)
        guard codec.fits(type) else {
            throw UsageError(
                "\(type.name) files cannot contain \(name); '--codec' may be \(RecordingCodec.names(in: type)) for them"
            )
        }
        if bitRate != nil && !codec.hasBitRate {
            throw UsageError("'--bit-rate' is for AAC, MP3, Vorbis and Opus only, not for \(name)")
        }
        if let sampleRate, case let stored = type.storedSampleRate(of: sampleRate), stored != sampleRate {
            throw UsageError(
                "\(type.name) files do not support \(Decimal.text(sampleRate, decimals: 0)) Hz; "
                    + "'--rate' may be 8000, 12000, 16000, 24000 or 48000 for them")
        }
        if let bitRate, codec == .mp3, bitRate > 320_000 {
            throw UsageError("'--bit-rate' of MP3 is 320 kbit/s at most")
        }
        if isFloat, codec != .pcm {
            throw UsageError("'--float' is for linear PCM only, not for \(name)")
        }
        if hasBits, codec != .pcm, codec != .alac {
            throw UsageError("'--bits' is for linear PCM and Apple Lossless only, not for \(name)")
        }
        guard let encoding = encoding(sampleRate: sampleRate ?? 48_000, channels: channels ?? 1) else {
            if let sampleRate, let channels {
                try checkBitRate(sampleRate: sampleRate, channels: channels)
            }
            return try checkSamples()
        }
        if target.isStandardOutput && type == .caf {
            throw UsageError("CAF of \(name) cannot be written to standard output; record it into a file")
        }
        // A missing encoder is not a fault of the command line, and is reported later.
        guard CodecAvailability.encoder(of: codec.formatID).isAvailable else { return }
        // Checked here, so that a wrong rate or number of channels is reported before the device is opened.
        do throws(CodecError) {
            _ = try encoding.makeEncoder()
        } catch {
            throw UsageError("cannot record \(target.name): \(error.message)")
        }
    }

    /// The encoding of the samples; nil if the file contains them, or if its writer encodes.
    func encoding(sampleRate: Double, channels: Int) -> RecordingEncoding? {
        codec.encoding(
            in: target.type, sampleRate: sampleRate, channels: channels, bits: bits, bitRate: bitRate)
    }

    /// Checks the bit rate for the encoder of the file's writer, before the device is opened if the rate and the
    /// channels are options, or else when the device has answered.
    func checkBitRate(sampleRate: Double, channels: Int) throws(UsageError) {
        guard let bitRate else { return }
        do throws(AudioFileError) {
            try target.type.checkBitRate(bitRate, sampleRate: sampleRate, channels: channels)
        } catch {
            throw UsageError("cannot record \(target.name): \(error.message)")
        }
    }

    /// Checks the limits of the file type before the device is opened.
    private func checkSamples() throws(UsageError) {
        do throws(AudioFileError) {
            _ = try target.type.pcmFormat(
                sampleRate: sampleRate ?? 48_000, channels: channels ?? 1, bits: bits, isFloat: isFloat)
        } catch {
            throw UsageError("cannot record \(target.name): \(error.message)")
        }
    }
}
