// SPDX-License-Identifier: MIT

import AQToolSupport

extension LatencyOptions {
    /// The parts of the manual page that `--help` does not show.
    static let manual = Manual(
        purpose: "measure the latency of a sound device",
        paragraphs: [
            """
            The report names the server, the device, the granted period and the priority of the audio thread. It \
            contains the time from a queue's callback to the device's monitor, with a histogram, and the smallest \
            buffers that played without a gap. The last line gives advice.
            """,
            """
            The time to the monitor does not include the latency of the hardware. With --loopback, the delay \
            from the output to the input is measured through a cable, or through the air.
            """,
            "Ctrl-C ends the measurement. The results so far are printed.",
        ],
        examples: [
            .init("aqlatency", "Measure the default device in less than a minute."),
            .init(
                "aqlatency --minute --json",
                "Try each setting for a minute, and print the report for a program."),
            .init("aqlatency --loopback", "Measure the delay through a cable from the output to the input."),
            .init("aqlatency --settings 3x96,3x192 --seconds 10s", "Compare two settings."),
        ],
        environment: Manual.serverEnvironment + [
            Manual.schedulingEnvironment, Manual.localeEnvironment, Manual.terminalEnvironment,
        ],
        related: ["pactl(1)", "pulse-client.conf(5)"])
}
