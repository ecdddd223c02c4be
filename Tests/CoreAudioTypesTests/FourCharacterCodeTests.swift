// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

@Suite("Codes and status as text")
struct FourCharacterCodeTests {
    @Test("a printable code is its four characters in quotes")
    func printable() {
        expectEqual(FourCharacterCode(rawValue: kAudioFormatMPEG4AAC).description, "'aac '")
        expectEqual(FourCharacterCode(rawValue: 0).description, "0x00000000")
        expectEqual(FourCharacterCode(rawValue: kAudioFormatDVIIntelIMA).description, "0x6D730011")
        expectEqual(FourCharacterCode(rawValue: 0x6161_61FF).description, "0x616161FF")
    }

    @Test(
        "printed codes can be read",
        arguments: [kAudioFormatULaw, 0, .max, 0x2727_2727, kAudioFormatDVIIntelIMA])
    func roundTrip(code: UInt32) {
        let written = FourCharacterCode(rawValue: code).description
        expectEqual(FourCharacterCode(written)?.rawValue, code)
    }

    @Test("plain text of four characters is a code")
    func plain() {
        expectEqual(FourCharacterCode("lpcm")?.rawValue, kAudioFormatLinearPCM)
        expectEqual(FourCharacterCode("'ab'")?.rawValue, 0x2761_6227)
    }

    @Test(
        "other text is none",
        arguments: [
            "", "abc", "abcde", "'abc'", "äbc", "a\nbc", "0x123", "0x+1234567", "0x1234567g", "'abcd\"",
        ])
    func rejected(text: String) {
        expectEqual(FourCharacterCode(text), nil)
    }

    @Test("a status is named if it is general, and printed as characters if it is a code")
    func status() {
        expectEqual(StatusCode(rawValue: kAudio_ParamError).description, "kAudio_ParamError (-50)")
        expectEqual(StatusCode(rawValue: noErr).description, "noErr (0)")
        expectEqual(StatusCode(rawValue: 1_718_449_215).description, "'fmt?' (1718449215)")
        expectEqual(StatusCode(rawValue: -66681).description, "-66681")
        expectEqual(StatusCode(rawValue: .min).description, "-2147483648")
    }
}
