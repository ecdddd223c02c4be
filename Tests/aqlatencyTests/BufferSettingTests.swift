// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import aqlatency

@Suite("Buffers as text")
struct BufferSettingTests {
    @Test("a setting is read as it is written", arguments: ["3x24", "2x16", "16x48000"])
    func text(text: String) { expectEqual(BufferSetting(text: text)?.description, text) }

    @Test(
        "anything else is refused",
        arguments: ["", "x", "3", "3x", "x96", "1x96", "17x96", "3x15", "3x48001", "3x9x6", "-3x96", "3x96 "])
    func refused(text: String) { expectEqual(BufferSetting(text: text), nil) }
}
