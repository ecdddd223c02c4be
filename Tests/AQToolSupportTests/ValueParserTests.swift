// SPDX-License-Identifier: MIT

import AQExpectations
import Testing
import AQToolSupport

@Suite("Values on a command line")
struct ValueParserTests {
    @Test(
        "times in every documented form",
        arguments: [
            ("90", 90), ("0", 0), (".5", 0.5), ("1.25", 1.25), ("1:30", 90), ("0:05.5", 5.5), ("90:00", 5400),
            ("1:02:03.5", 3723.5), ("500ms", 0.5), ("10s", 10), ("2min", 120), ("2m", 120), ("1h", 3600),
        ] as [(String, Double)])
    func times(text: String, seconds: Double) throws {
        #expect(abs(try TimeParser.seconds(text, option: "--start") - seconds) < 1e-9)
    }

    @Test(
        "an invalid time is refused with the valid forms",
        arguments: [
            "", " ", "abc", "-1", "+1", "1:", ":30", "1:60", "1:2:3:4", "1:60:00", "1:-3", "1.5:30", "inf",
            "nan",
            "0x10", "1e3", "10 s", "s", "1..5", ".", "99999999999", "1:02ms", "٣",
        ])
    func badTimes(text: String) {
        #expect(
            throws: UsageError(
                "invalid time '\(text)' for '--start'; write seconds (90), 1:30, 1:02:03.5, 500ms or 10s")
        ) { try TimeParser.seconds(text, option: "--start") }
    }

    @Test(
        "clock times, rounded down",
        arguments: [
            (0, "0:00"), (0.999, "0:00"), (59.99, "0:59"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00"),
            (36610, "10:10:10"), (-1, "0:00"), (.nan, "0:00"), (.infinity, "0:00"),
        ] as [(Double, String)])
    func clock(seconds: Double, text: String) {
        expectEqual(TimeParser.clock(seconds), text)
    }

    @Test(
        "volumes from 0 to 1 and in decibels",
        arguments: [
            ("0", 0), ("1", 1), ("0.5", 0.5), (".25", 0.25), ("0dB", 1), ("-6dB", 0.501187),
            ("-6.0 dB", 0.501187),
            ("-20DB", 0.1), ("-2000dB", 0),
        ] as [(String, Float)])
    func volumes(text: String, gain: Float) throws {
        #expect(abs(try GainParser.gain(text, option: "--volume") - gain) < 1e-6)
    }

    @Test(
        "a volume above 1, or an invalid one, is refused",
        arguments: ["1.01", "-0.5", "+3dB", "dB", "-dB", "loud", "", "nan", "1e-1", "50%"])
    func badVolumes(text: String) {
        #expect(
            throws: UsageError(
                "invalid volume '\(text)' for '--volume'; write 0 to 1, or decibels such as -6dB")
        ) { try GainParser.gain(text, option: "--volume") }
    }

    @Test(
        "decimals are rounded and padded",
        arguments: [
            (1.006, 2, "1.01"), (0.05, 1, "0.1"), (-0.04, 1, "0.0"), (-1.25, 1, "-1.3"), (12, 3, "12.000"),
            (3.07, 2, "3.07"), (2.6, 0, "3"), (.infinity, 1, "0"), (.nan, 1, "0"), (1e300, 1, "0"),
        ] as [(Double, Int, String)])
    func decimals(value: Double, places: Int, text: String) {
        expectEqual(Decimal.text(value, decimals: places), text)
    }
}
