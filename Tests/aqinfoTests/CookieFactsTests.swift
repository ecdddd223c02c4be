// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

@testable import aqinfo

@Suite("Cookies in words")
struct CookieFactsTests {
    @Test("a bare AudioSpecificConfig: LC, 44.1 kHz, stereo is 12 10")
    func config() {
        let facts = CookieFacts(cookie: [0x12, 0x10], formatID: kAudioFormatMPEG4AAC)
        expectEqual(facts.problem, nil)
        #expect(facts.fields.contains(.init(key: "profile", value: .text("AAC-LC"))))
        #expect(facts.fields.contains(.init(key: "sampleRate", value: .number(44100))))
        #expect(facts.fields.contains(.init(key: "channels", value: .number(2))))
    }

    @Test("24 bytes of ALAC")
    func alac() {
        let cookie: [UInt8] = [
            0, 0, 0x10, 0, 0, 16, 40, 10, 14, 2, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xAC, 0x44,
        ]
        let facts = CookieFacts(cookie: cookie, formatID: kAudioFormatAppleLossless)
        expectEqual(facts.kind, "ALACSpecificConfig")
        #expect(facts.fields.contains(.init(key: "frameLength", value: .number(4096))))
        #expect(facts.fields.contains(.init(key: "bitDepth", value: .number(16))))
        #expect(facts.fields.contains(.init(key: "sampleRate", value: .number(44100))))
    }

    @Test("an unreadable cookie is reported with a reason, and an unknown one not at all")
    func wrong() {
        #expect(CookieFacts(cookie: [3], formatID: kAudioFormatMPEG4AAC).problem != nil)
        #expect(CookieFacts(cookie: [1, 2], formatID: kAudioFormatAppleLossless).problem != nil)
        let unknown = CookieFacts(cookie: [1, 2], formatID: kAudioFormatQDesign2)
        #expect(unknown.kind == nil && unknown.problem == nil && unknown.fields.isEmpty)
    }
}
