// SPDX-License-Identifier: MIT

import AQExpectations
import Testing
import AQToolSupport

@Suite("Wrapped lines")
struct WrappingTests {
    @Test("a line that fits is not changed, and a longer one is broken at spaces")
    func spaces() {
        expectEqual(DisplayText.wrapped("  a   b", toColumns: 7), ["  a   b"])
        expectEqual(DisplayText.wrapped("", toColumns: 7), [""])
        expectEqual(DisplayText.wrapped("one two three", toColumns: 8), ["one two", "three"])
        expectEqual(DisplayText.wrapped("  one two three", toColumns: 10), ["  one two", "  three"])
    }

    @Test("further lines begin below the text after the label")
    func label() {
        expectEqual(
            DisplayText.wrapped("Device  alpha beta gamma", toColumns: 18),
            ["Device  alpha beta", "        gamma"])
        expectEqual(DisplayText.wrapped("  Server   a b c", toColumns: 14), ["  Server   a b", "  c"])
    }

    @Test("a long word is not broken, and wide characters count as two")
    func words() {
        expectEqual(DisplayText.wrapped("a bcdefghij k", toColumns: 4), ["a", "bcdefghij", "k"])
        expectEqual(DisplayText.wrapped("音楽 音楽", toColumns: 8), ["音楽", "音楽"])
    }
}
