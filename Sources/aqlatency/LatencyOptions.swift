// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

/// The request of a command line of aqlatency.
enum Invocation: Equatable {
    case measure(LatencyOptions)
    /// The list of the sources instead of the devices if `isOfSources`.
    case listDevices(isOfSources: Bool, isJSON: Bool)
    case help
    case version
}

/// The measurement, the device, and the messages.
struct LatencyOptions: Equatable {
    /// The time for which each setting is measured.
    var seconds = 3.0
    /// The buffers to try; nil for the usual ones.
    var settings: [BufferSetting]?
    /// Whether a source is recorded instead of the device's monitor.
    var isLoopback = false
    /// The name of the source; nil for the server's default.
    var sourceName: String?
    /// The linear level of the signal; nil for that of the measurement.
    var gain: Float?
    /// The name of the device; nil for the server's default.
    var deviceName: String?
    var isQuiet = false
    var isVerbose = false
    var isJSON = false

    /// The level of the noise, -46 dB, and that of chirps, which may have to cross a room, -26 dB.
    var level: Float { gain ?? (isLoopback ? 0.05 : 0.005) }

    /// Parses the command line, without the tool's own name.
    ///
    /// - Throws: ``UsageError`` if the command line is wrong.
    static func parse(_ arguments: [FilePath]) throws(UsageError) -> Invocation {
        var options = LatencyOptions()
        let parsed = try parser.parse(arguments)
        var listsDevices = false
        var durations: Set<String> = []
        for occurrence in parsed.options {
            switch occurrence.name {
            case "help": return .help
            case "version": return .version
            case "list-devices": listsDevices = true
            case "seconds", "minute":
                durations.insert(occurrence.name)
                try options.apply(occurrence)
            default: try options.apply(occurrence)
            }
        }
        if listsDevices {
            return .listDevices(isOfSources: options.isLoopback, isJSON: options.isJSON)
        }
        if let operand = parsed.operands.first {
            throw UsageError("unexpected operand '\(operand)'; a device is chosen with '--device=NAME'")
        }
        if durations.count > 1 { throw UsageError("choose one of '--seconds' and '--minute'") }
        try options.check()
        return .measure(options)
    }

    private mutating func apply(_ occurrence: OptionParser.Parsed.Occurrence) throws(UsageError) {
        let name = "--\(occurrence.name)"
        let value = occurrence.value ?? ""
        switch occurrence.name {
        case "seconds":
            seconds = try TimeParser.seconds(value, option: name, in: 1...300, example: "10")
        case "minute": seconds = 60
        case "settings": settings = try Self.settings(value)
        case "loopback": isLoopback = true
        case "source": sourceName = value
        case "volume": gain = try GainParser.gain(value, option: name)
        case "device": deviceName = value
        case "quiet": (isQuiet, isVerbose) = (true, false)
        case "verbose": (isQuiet, isVerbose) = (false, true)
        case "json": isJSON = true
        default: throw UsageError("option '\(name)' is not supported")
        }
    }

    private static func settings(_ text: String) throws(UsageError) -> [BufferSetting] {
        var settings: [BufferSetting] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let setting = BufferSetting(text: word) else {
                throw UsageError(
                    "invalid buffers '\(word)' for '--settings'; write 2 to 16 buffers of 16 to 48000 frames, "
                        + "such as 3x96,3x240")
            }
            settings.append(setting)
        }
        guard settings.count <= 32 else { throw UsageError("'--settings' accepts at most 32 settings") }
        return settings.sorted { $0.totalFrames < $1.totalFrames }
    }

    private func check() throws(UsageError) {
        if deviceName == "" {
            throw UsageError("option '--device' needs a name; '--list-devices' shows them")
        }
        if deviceName == "virtual" {
            throw UsageError(
                "the virtual device has no latency to measure; '--list-devices' shows the others")
        }
        if sourceName == "" {
            throw UsageError("option '--source' needs a name; '--loopback --list-devices' shows them")
        }
        if sourceName != nil, !isLoopback {
            throw UsageError("'--source' is for '--loopback'; otherwise the device's monitor is recorded")
        }
        if isLoopback, let settings, settings.count > 1 {
            throw UsageError("with '--loopback', '--settings' accepts one setting, such as 3x480")
        }
        if gain == 0 { throw UsageError("'--volume' must be more than 0: silence cannot be found") }
    }
}
