// SPDX-License-Identifier: MIT

import AQToolSupport

extension LatencyOptions {
    /// The command line as a table.
    static var parser: OptionParser {
        OptionParser(
            toolName: "aqlatency", operandUsage: "",
            summary: """
                Measures the latency of a sound device. Plays quiet noise on the device, finds it in the \
                device's monitor, and determines which buffers play without a gap. With --loopback, plays \
                chirps and finds them in a source, through a cable or the air. Stop other programs that \
                play. A TIME is written as 90, 1:30, 500ms, 10s or 5min.
                """,
            groups: [measurement, device, reporting], sections: [statuses], manual: manual)
    }

    private static let measurement = OptionGroup(
        "Measurement",
        [
            CommandOption(
                "seconds", short: "s", value: .required("TIME"),
                help: "Measure each setting of the buffers for TIME, 1s to 5min (default 3s)."),
            CommandOption("minute", help: "Measure each setting for a minute: --seconds=60."),
            CommandOption(
                "settings", value: .required("LIST"),
                help: """
                    Try these settings, the smallest first, until one has no gap: 2 to 16 buffers of 16 to \
                    48000 frames, as in 3x24,3x48, at most 32 settings (default: 3 buffers of 24, 48, 96, \
                    192, 480 and 960 frames). The smallest also measures the round trip (default 3x96). With \
                    --loopback, one setting is possible (default 3x480).
                    """),
            CommandOption(
                "loopback", short: "L",
                help: """
                    Measure the delay from the device to a source: through a cable from the output to the \
                    input, or from the loudspeaker to the microphone.
                    """),
            CommandOption(
                "source", value: .required("NAME"), kind: .listed(),
                help: "Record the source NAME with --loopback (default: the server's default source)."),
            CommandOption(
                "volume", short: "V", value: .required("LEVEL"),
                help: """
                    Play at LEVEL: 0 to 1, or decibels such as -20dB (default -46dB, with --loopback -26dB).
                    """),
        ])

    private static let device = OptionGroup(
        "Device",
        [
            CommandOption(
                "device", short: "d", value: .required("NAME"), kind: .listed(),
                help: "Measure the device NAME (default: the server's default device)."),
            CommandOption(
                "list-devices",
                help: "List the devices' names and exit; with --loopback, those of the sources."),
        ])

    private static let reporting = OptionGroup(
        "Messages",
        [
            CommandOption("quiet", short: "q", help: "Show errors only: no progress, no warnings."),
            CommandOption(
                "verbose", short: "v",
                help: "Print the granted buffers, the underruns and the gaps of each run."),
            CommandOption(
                "json", short: "j", help: "Write the results to standard output as one JSON object."),
            CommandOption("help", short: "h", help: "Show this help and exit."),
            CommandOption("version", help: "Show the version and exit."),
        ])

    private static let statuses = HelpSection(
        "Exit status",
        [
            .init("0", "The latency was measured."),
            .init("1", "The signal was not found, or every setting had gaps."),
            .init("64", "The command line is wrong."),
            .init("69", "No sound server or no such device."),
            .init("74", "The results cannot be written: the disk is full, a pipe is closed."),
            .init("130, 143", "Ended by Ctrl-C, or by SIGTERM, after a report of the results so far."),
        ])
}
