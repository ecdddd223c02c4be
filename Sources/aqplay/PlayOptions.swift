// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

/// The request of a command line of aqplay.
enum Invocation: Equatable {
    case play(PlayOptions)
    case listDevices(isJSON: Bool)
    case help
    case version
}

/// The tracks, and the settings of playback.
struct PlayOptions: Equatable {
    /// Files, directories, playlists, or "-".
    var operands: [FilePath] = []
    var startSeconds = 0.0
    var endSeconds: Double?
    /// The number of times that the whole list is played; nil for no end.
    var passes: Int? = 1
    var isShuffled = false
    /// The linear gain.
    var gain: Float = 1
    var leveling = Leveling()
    /// The speed; nil if the option was not given.
    var speed: Double?
    /// The name of the device; nil for the server's default.
    var deviceName: String?
    var bufferCount = 3
    var bufferSeconds = 0.5
    var latencySeconds = 0.5
    /// Whether an option set the latency.
    var isLatencyChosen = false
    var recoverySeconds = 5.0
    /// Whether that is also the time to wait for a server at the start: if an option has set it.
    var waitsAtStart = false
    /// The duration of audio that arrives from a server before it is played.
    var networkBufferSeconds = 1.0
    /// The time for which a lost connection to a server is tried again.
    var reconnectSeconds = 300.0
    var isQuiet = false
    var isVerbose = false
    var isJSON = false

    /// Parses the command line, without the tool's own name.
    ///
    /// - Throws: ``UsageError`` if the command line is wrong.
    static func parse(_ arguments: [FilePath]) throws(UsageError) -> Invocation {
        var options = PlayOptions()
        let parsed = try parser.parse(arguments)
        options.operands = parsed.operands
        var listsDevices = false
        for occurrence in parsed.options {
            switch occurrence.name {
            case "help": return .help
            case "version": return .version
            case "list-devices": listsDevices = true
            default: try options.apply(occurrence)
            }
        }
        if listsDevices { return .listDevices(isJSON: options.isJSON) }
        try options.check()
        return .play(options)
    }

    private mutating func apply(_ occurrence: OptionParser.Parsed.Occurrence) throws(UsageError) {
        let name = "--\(occurrence.name)"
        let value = occurrence.value ?? ""
        switch occurrence.name {
        case "start": startSeconds = try TimeParser.seconds(value, option: name)
        case "end": endSeconds = try TimeParser.seconds(value, option: name)
        case "loop":
            passes = try occurrence.value.map { text throws(UsageError) in
                try DecimalParser.integer(text, option: name, in: 1...1_000_000)
            }
        case "shuffle": isShuffled = true
        case "volume": gain = try GainParser.gain(value, option: name)
        case "replaygain": leveling.mode = try Leveling.mode(value, option: name)
        case "preamp":
            leveling.preampDecibels = Double(
                try GainParser.decibels(value, option: name, in: Leveling.preampRange))
        case "allow-clipping": leveling.allowsClipping = true
        case "speed": speed = try Player.speed(value, option: name)
        case "device": deviceName = value
        case "buffers": bufferCount = try DecimalParser.integer(value, option: name, in: 1...100)
        case "buffer-duration":
            bufferSeconds = try TimeParser.seconds(value, option: name, in: 0.01...10, example: "500ms")
        case "latency":
            latencySeconds = try TimeParser.seconds(value, option: name, in: 0.005...10, example: "100ms")
            isLatencyChosen = true
        case "wait-for-server":
            recoverySeconds = try TimeParser.seconds(value, option: name, in: 0...86_400, example: "5")
            waitsAtStart = true
        case "buffer":
            networkBufferSeconds = try TimeParser.seconds(value, option: name, in: 0...60, example: "5")
        case "reconnect":
            reconnectSeconds = try TimeParser.seconds(value, option: name, in: 0...86_400, example: "5min")
        case "quiet": (isQuiet, isVerbose) = (true, false)
        case "verbose": (isQuiet, isVerbose) = (false, true)
        case "json": isJSON = true
        default: throw UsageError("option '\(name)' is not supported")
        }
    }

    private func check() throws(UsageError) {
        guard !operands.isEmpty else {
            throw UsageError(
                "nothing to play; name a file, a folder, a playlist, or '-' for standard input")
        }
        guard operands.count(where: { $0 == "-" }) <= 1 else {
            throw UsageError("standard input ('-') can be played once only")
        }
        if let endSeconds, endSeconds <= startSeconds {
            throw UsageError("'--end' must be later than '--start'")
        }
        if leveling.mode == .off, leveling.preampDecibels != 0 {
            throw UsageError("'--preamp' needs '--replaygain=track' or '--replaygain=album'")
        }
        if leveling.mode == .off, leveling.allowsClipping {
            throw UsageError("'--allow-clipping' needs '--replaygain=track' or '--replaygain=album'")
        }
        if deviceName == "" {
            throw UsageError("option '--device' needs a name; '--list-devices' shows them")
        }
    }
}
