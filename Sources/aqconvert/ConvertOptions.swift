// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes
import AQNetworkInput
import AQToolSupport

/// The request of a command line of aqconvert.
enum Invocation: Equatable {
    case convert(ConvertOptions)
    case help
    case version
}

/// The inputs, the output, and the settings of the conversion.
struct ConvertOptions: Equatable {
    /// Files, folders, or "-".
    var inputs: [FilePath] = []
    /// A file, or "-"; nil if the files are written to ``outputDirectory``.
    var output: FilePath?
    /// The folder for the outputs, which have the names of their inputs.
    var outputDirectory: FilePath?
    /// Whether the folder was given by an option; false if the output operand is a folder.
    private var isFolderByOption = true
    /// The file type; nil for that of the output's extension.
    var type: AudioFileType?
    /// The codec; nil for that of the source, if the file type can store it.
    var coding: DataFormat.Coding?
    /// The sample rate; nil for that of the source.
    var sampleRate: Double?
    var channels: Int?
    /// The bit rate in bits per second.
    var bitRate: Int?
    var quality: CodecSettings.Quality?
    var rateQuality: RateQuality?
    var dither: DitherKind?
    /// The start and the end, in seconds of the source.
    var startSeconds: Double?
    var endSeconds: Double?
    /// The number of files that are converted at once; nil for one per core.
    var jobs: Int?
    var keepsInformation = true
    var overwrites = false
    /// Whether damage in the input fails its conversion.
    var isStrict = false
    var isQuiet = false
    var isVerbose = false

    /// Parses the command line, without the tool's own name.
    ///
    /// - Throws: ``UsageError`` if the command line is wrong.
    static func parse(_ arguments: [FilePath]) throws(UsageError) -> Invocation {
        let parsed = try parser.parse(arguments)
        var options = ConvertOptions()
        for occurrence in parsed.options {
            switch occurrence.name {
            case "help": return .help
            case "version": return .version
            default: try options.apply(occurrence)
            }
        }
        try options.place(parsed.operands)
        try options.check()
        return .convert(options)
    }

    private mutating func apply(_ occurrence: OptionParser.Parsed.Occurrence) throws(UsageError) {
        let name = "--\(occurrence.name)"
        let value = occurrence.value ?? ""
        switch occurrence.name {
        case "file-type": type = try Self.fileType(value)
        case "data":
            let format = try DataFormat.parse(value)
            (coding, sampleRate) = (format.coding ?? coding, format.sampleRate ?? sampleRate)
        case "channels":
            channels = try DecimalParser.integer(
                value, option: name, in: 1...AudioStreamBasicDescription.maximumChannels)
        case "bit-rate": bitRate = try Self.bitRate(value, name)
        case "quality": quality = try Self.quality(value, name)
        case "rate-quality":
            rateQuality = RateQuality(atMost: try Self.quality(value, name).rawValue)
        case "dither": dither = try Self.dither(value, name)
        case "start": startSeconds = try TimeParser.seconds(value, option: name)
        case "end": endSeconds = try TimeParser.seconds(value, option: name)
        case "output": output = occurrence.path
        case "output-dir": outputDirectory = occurrence.path
        case "jobs": jobs = try DecimalParser.integer(value, option: name, in: 1...256)
        case "no-metadata": keepsInformation = false
        case "overwrite": overwrites = true
        case "strict": isStrict = true
        case "quiet": (isQuiet, isVerbose) = (true, false)
        case "verbose": (isQuiet, isVerbose) = (false, true)
        default: throw UsageError("option '\(name)' is not supported")
        }
    }

    /// Separates the inputs from the output.
    private mutating func place(_ operands: [FilePath]) throws(UsageError) {
        inputs = operands
        if output == nil, outputDirectory == nil {
            guard operands.count > 1 else {
                throw UsageError(
                    operands.isEmpty
                        ? "nothing to convert; name an audio file and the file to write"
                        : "no output; name an output file, or a folder with '--output-dir'")
            }
            output = inputs.removeLast()
        }
        // As in other tools, files are written into the folder if the output is one.
        if let folder = output, outputDirectory == nil,
            folder.bytes.last == UInt8(ascii: "/") || AudioFolder.isFolder(folder)
        {
            (output, outputDirectory, isFolderByOption) = (nil, folder, false)
        }
        guard !inputs.isEmpty else { throw UsageError("nothing to convert; name an audio file") }
    }

    /// The type of the output files.
    var targetType: AudioFileType? {
        let named = type ?? output.flatMap { AudioFileType.forPathExtension($0.lowercasedExtension) }
        return named?.holding(coding)
    }

    private func check() throws(UsageError) {
        if output != nil, outputDirectory != nil {
            throw UsageError("choose one of '--output' and '--output-dir'")
        }
        if output == "" { throw UsageError("the name of the output is empty") }
        if outputDirectory == "" { throw UsageError("the name of the output folder is empty") }
        if let address = [output, outputDirectory].compactMap({ $0 }).first(where: {
            RemoteAddress(bytes: $0.bytes) != nil
        }) {
            throw UsageError("'\(address)' is an address; the output must be a file")
        }
        guard inputs.count(where: { $0 == "-" }) <= 1 else {
            throw UsageError("standard input ('-') can be read once only")
        }
        if let output {
            guard inputs.count == 1 else {
                throw UsageError("\(inputs.count) inputs for one output; name a folder with '--output-dir'")
            }
            guard !AudioFolder.isFolder(inputs[0]) else {
                throw UsageError(
                    "'\(inputs[0])' is a folder; name the folder for its files with '--output-dir'")
            }
            guard targetType != nil else {
                throw UsageError(
                    "cannot determine the file type of '\(output)'; set it with '--file-type', as in "
                        + "'--file-type=wav'")
            }
        } else if type == nil {
            if let outputDirectory, !isFolderByOption {
                throw UsageError(
                    "'\(outputDirectory)' is a folder; set the type of its files with '--file-type', as in "
                        + "'--file-type=caf'")
            }
            throw UsageError("'--output-dir' needs '--file-type', as in '--file-type=caf'")
        }
        if case .encoded(let id) = coding, let type = targetType, id != type.linearInputCodec, !type.holds(id)
        {
            throw UsageError(DataFormat.refusal(of: id, in: type))
        }
        if let endSeconds, endSeconds <= startSeconds ?? 0 {
            throw UsageError(
                startSeconds == nil ? "'--end' must be later than 0" : "'--end' must be later than '--start'")
        }
    }
}
