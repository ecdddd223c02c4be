// SPDX-License-Identifier: MIT

import AQFiles
import AQNetworkInput
import AQToolSupport

/// The request of a command line of aqinfo.
enum Invocation: Equatable {
    case inspect(InfoOptions)
    case help
    case version
}

/// The requested facts, and the files.
struct InfoOptions: Equatable {
    /// Files, or "-".
    var operands: [FilePath] = []
    var isBrief = false
    var isJSON = false
    var showsPackets = false
    /// The number of packets that are shown; nil for all.
    var packetLimit: Int?
    var isCheck = false
    var measuresLoudness = false
    /// Whether all files are also measured together.
    var measuresAlbum = false
    var writesTags = false
    var showsGraph = false
    /// The path of the image; "-" is standard output.
    var imagePath: FilePath?
    /// The size of the image; nil for a size that depends on the number of channels.
    var imageSize: ImageSize?
    var overwrites = false

    struct ImageSize: Equatable {
        var width: Int
        var height: Int
    }

    /// Whether files are decoded.
    var needsSound: Bool { isCheck || measuresLoudness || showsGraph || imagePath != nil }

    /// Parses the command line, without the tool's own name.
    ///
    /// - Throws: ``UsageError`` if the command line is wrong.
    static func parse(_ arguments: [FilePath]) throws(UsageError) -> Invocation {
        let parsed = try parser.parse(arguments)
        var options = InfoOptions()
        options.operands = parsed.operands
        for occurrence in parsed.options {
            switch occurrence.name {
            case "help": return .help
            case "version": return .version
            default: try options.apply(occurrence)
            }
        }
        try options.check()
        return .inspect(options)
    }

    private mutating func apply(_ occurrence: OptionParser.Parsed.Occurrence) throws(UsageError) {
        let value = occurrence.value ?? ""
        switch occurrence.name {
        case "brief": isBrief = true
        case "json": isJSON = true
        case "packets": showsPackets = true
        case "limit":
            guard let limit = DecimalParser.integer(value, in: 1...1_000_000_000) else {
                throw UsageError("invalid number '\(value)' for '--limit'; write a whole number from 1")
            }
            packetLimit = limit
        case "check": isCheck = true
        case "loudness": measuresLoudness = true
        case "album": (measuresLoudness, measuresAlbum) = (true, true)
        case "write-tags": (measuresLoudness, writesTags) = (true, true)
        case "graph": showsGraph = true
        case "waveform": imagePath = occurrence.path
        case "size": imageSize = try Self.imageSize(value)
        case "overwrite": overwrites = true
        default: throw UsageError("option '--\(occurrence.name)' is not supported")
        }
    }

    private func check() throws(UsageError) {
        guard !operands.isEmpty else {
            throw UsageError("no input; name an audio file, or '-' for standard input")
        }
        guard operands.count(where: { $0 == "-" }) <= 1 else {
            throw UsageError("standard input ('-') can be read once only")
        }
        if isJSON, isBrief { throw UsageError("choose one of '--json' and '--brief'") }
        if isJSON, showsGraph {
            throw UsageError("choose one of '--graph' and '--json'")
        }
        if isBrief, showsPackets { throw UsageError("choose one of '--brief' and '--packets'") }
        if measuresLoudness, showsPackets {
            throw UsageError("choose one of '--\(measuresAlbum ? "album" : "loudness")' and '--packets'")
        }
        if writesTags, operands.contains("-") {
            throw UsageError("'--write-tags' needs files; standard input ('-') cannot be written")
        }
        if writesTags, let address = operands.first(where: { RemoteAddress(bytes: $0.bytes) != nil }) {
            throw UsageError("'--write-tags' needs files; '\(address)' is an address, and cannot be written")
        }
        if packetLimit != nil, !showsPackets { throw UsageError("'--limit' needs '--packets'") }
        guard let imagePath else {
            if imageSize != nil { throw UsageError("'--size' needs '--waveform=FILE'") }
            if overwrites { throw UsageError("'--overwrite' needs '--waveform=FILE'") }
            return
        }
        guard imagePath != "" else {
            throw UsageError("option '--waveform' needs a name; write '--waveform=out.png'")
        }
        guard operands.count == 1 else {
            throw UsageError("'--waveform' draws one file; name one, not \(operands.count)")
        }
        if imagePath == "-", isJSON || showsPackets || showsGraph || isBrief || measuresLoudness {
            throw UsageError("with '--waveform=-' nothing else can go to standard output")
        }
    }

    static let imageSides = 16...10_000

    private static func imageSize(_ text: String) throws(UsageError) -> ImageSize {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map {
            DecimalParser.integer(String($0), in: imageSides)
        }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else {
            throw UsageError(
                "invalid size '\(text)' for '--size'; write 1200x400, each from \(imageSides.lowerBound) to "
                    + "\(imageSides.upperBound)")
        }
        return ImageSize(width: width, height: height)
    }
}
