// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Testing
import AQToolSupport

@testable import aqlatency

@Suite("aqlatency's command line")
struct LatencyOptionsTests {
    private func measured(_ arguments: [String]) throws -> LatencyOptions {
        guard case .measure(let options) = try LatencyOptions.parse(arguments) else {
            throw UsageError("not to be measured")
        }
        return options
    }

    @Test("the defaults: a quiet signal, a few seconds, the default device")
    func defaults() throws {
        let options = try measured([])
        expectEqual(options, LatencyOptions())
        #expect(options.seconds == 3 && options.settings == nil && options.deviceName == nil)
        #expect(abs(GainParser.decibels(options.level) + 46) < 0.1)
        #expect(abs(GainParser.decibels(try measured(["--loopback"]).level) + 26) < 0.1)
    }

    @Test("every option is carried out, and settings are sorted by their length")
    func everyOption() throws {
        let options = try measured([
            "--seconds=10", "--settings", "3x480,2x96", "--volume=-40dB", "--device", "speaker", "--json",
            "--verbose",
        ])
        expectEqual(options.seconds, 10)
        expectEqual(
            options.settings,
            [
                BufferSetting(buffers: 2, frames: 96), BufferSetting(buffers: 3, frames: 480),
            ])
        #expect(abs(options.level - 0.01) < 1e-6)
        #expect(options.deviceName == "speaker" && options.isJSON && options.isVerbose && !options.isQuiet)
        try expectEqual(measured(["--minute"]).seconds, 60)
        let loopback = try measured(["-L", "--source=microphone", "--settings=3x240"])
        #expect(loopback.isLoopback && loopback.sourceName == "microphone")
    }

    @Test("options that measure nothing")
    func others() throws {
        try expectEqual(LatencyOptions.parse(["--help"]), .help)
        try expectEqual(LatencyOptions.parse(["--version"]), .version)
        try expectEqual(
            LatencyOptions.parse(["--list-devices"]), .listDevices(isOfSources: false, isJSON: false))
        try expectEqual(
            LatencyOptions.parse(["--loopback", "--list-devices", "--json"]),
            .listDevices(isOfSources: true, isJSON: true))
    }

    @Test(
        "an invalid command line is reported with the correct form",
        arguments: [
            (["null"], "unexpected operand 'null'; a device is chosen with '--device=NAME'"),
            (["--device="], "option '--device' needs a name; '--list-devices' shows them"),
            (
                ["--device=virtual"],
                "the virtual device has no latency to measure; '--list-devices' shows the others"
            ),
            (
                ["--source=mic"],
                "'--source' is for '--loopback'; otherwise the device's monitor is recorded"
            ),
            (
                ["--loopback", "--source="],
                "option '--source' needs a name; '--loopback --list-devices' shows them"
            ),
            (
                ["--loopback", "--settings=3x96,3x240"],
                "with '--loopback', '--settings' accepts one setting, such as 3x480"
            ),
            (
                ["--settings=96"],
                "invalid buffers '96' for '--settings'; write 2 to 16 buffers of 16 to 48000 frames, "
                    + "such as 3x96,3x240"
            ),
            (["--seconds=0.5"], "'--seconds 0.5' is out of range; write 1s to 5min, such as 10"),
            (["--minute", "--seconds", "3"], "choose one of '--seconds' and '--minute'"),
            (["--volume=0"], "'--volume' must be more than 0: silence cannot be found"),
            (["--volume=2"], "invalid volume '2' for '--volume'; write 0 to 1, or decibels such as -6dB"),
            (["--loopbak"], "unknown option '--loopbak'; did you mean '--loopback'?"),
        ] as [([String], String)])
    func errors(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try LatencyOptions.parse(arguments) }
    }

    @Test("the help states the limits of values")
    func limits() {
        let text = LatencyOptions.parser.helpText().split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        #expect(text.contains("1s to 5min"))
        #expect(text.contains("2 to 16 buffers of 16 to 48000 frames") && text.contains("32 settings"))
    }

    @Test("the help fits 80 columns and names every option")
    func help() {
        let text = LatencyOptions.parser.helpText()
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(text.hasPrefix("Usage: aqlatency [OPTION]...\nMeasures "))
        for group in LatencyOptions.parser.groups {
            for option in group.options { #expect(text.contains("--\(option.long)")) }
        }
    }
}
