// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite("Properties of a stream at the server")
struct PulseStreamPropertiesTests {
    @Test(
        "the user's value of a property is the one that libpulse would use",
        arguments: [
            ([:], nil), (["PULSE_PROP": "media.name=a"], "a"),
            (["PULSE_PROP": "media.role=event media.name='a \"b\" c'"], "a \"b\" c"),
            (["PULSE_PROP": "media.role=event"], nil), (["PULSE_PROP": "media.name"], nil),
            (["PULSE_PROP": ""], nil), (["PULSE_PROP_media.name": "a b"], "a b"),
            (["PULSE_PROP_media.name": "a", "PULSE_PROP": "media.name=b"], "a"),
            (["PULSE_PROP_OVERRIDE_media.name": "a", "PULSE_PROP_media.name": "b"], "a"),
            (["PULSE_PROP_OVERRIDE": "media.name=a", "PULSE_PROP_OVERRIDE_media.name": "b"], "a"),
            (["PULSE_PROP_OVERRIDE": "media.role=a", "PULSE_PROP": "media.name=b"], "b"),
        ] as [([String: String], String?)])
    func user(environment: [String: String], value: String?) {
        expectEqual(PulseStreamProperties.valueOfUser("media.name") { environment[$0] }, value)
    }

    private static let accented = String(repeating: "é", count: 512)
    private static let noncharacters = [0xFFFE, 0xFDD0, 0x1FFFF].compactMap(Unicode.Scalar.init)
    private static let texts: [(String, String)] = [
        ("", ""), ("Für Elise – 月光", "Für Elise – 月光"), ("a\0b", "a\u{FFFD}b"),
        (String(String.UnicodeScalarView(noncharacters)), String(repeating: "\u{FFFD}", count: 3)),
        (accented, accented), (accented + "a", accented),
        ("a" + accented, String(("a" + accented).dropLast())),
    ]

    @Test("characters that libpulse refuses are removed from text, and long text is cut", arguments: texts)
    func text(given: String, accepted: String) {
        expectEqual(PulseStreamProperties.accepted(given), accepted)
    }
}
