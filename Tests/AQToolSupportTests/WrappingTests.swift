// SPDX-License-Identifier: MIT

import Testing
import AQToolSupport

@Suite("Wrapped lines")
struct WrappingTests {
    @Test("a line that fits is not changed, and a longer one is broken at spaces")
    func spaces() {
        #expect(DisplayText.wrapped("  a   b", toColumns: 7) == ["  a   b"])
        #expect(DisplayText.wrapped("", toColumns: 7) == [""])
        #expect(DisplayText.wrapped("one two three", toColumns: 8) == ["one two", "three"])
        #expect(DisplayText.wrapped("  one two three", toColumns: 10) == ["  one two", "  three"])
    }

    @Test("further lines begin below the text after the label")
    func label() {
        #expect(
            DisplayText.wrapped("Device  alpha beta gamma", toColumns: 18)
                == ["Device  alpha beta", "        gamma"])
        #expect(DisplayText.wrapped("  Server   a b c", toColumns: 14) == ["  Server   a b", "  c"])
    }

    @Test("a long word is not broken, and wide characters count as two")
    func words() {
        #expect(DisplayText.wrapped("a bcdefghij k", toColumns: 4) == ["a", "bcdefghij", "k"])
        #expect(DisplayText.wrapped("音楽 音楽", toColumns: 8) == ["音楽", "音楽"])
    }
}
