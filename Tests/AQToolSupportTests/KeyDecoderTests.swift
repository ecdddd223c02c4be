// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing
import AQToolSupport

@Suite("KeyDecoder")
struct KeyDecoderTests {
    private func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        var decoder = KeyDecoder()
        return bytes.compactMap { decoder.decode($0) }
    }

    @Test(
        "decodes what terminals send",
        arguments: [
            ("q", [.character("q")]), (" ", [.character(" ")]),
            ("é日😀", [.character("é"), .character("日"), .character("😀")]),
            ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}OA\u{1B}OD", [.up, .left]), ("\u{1B}[1;5C", [.right]),
            ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
            ("\u{1B}[1~\u{1B}[4~\u{1B}[H\u{1B}[F", [.home, .end, .home, .end]),
            ("\u{1B}[3~x", [.character("x")]), ("\u{1B}[200~q", [.character("q")]),
            ("\u{1B}[?1;2cq", [.character("q")]),
            ("\u{1B}qn", [.character("n")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
        ] as [(String, [Key])])
    func sequences(text: String, expected: [Key]) {
        expectEqual(keys(text.utf8), expected)
    }

    @Test("an incomplete sequence does not consume the next key")
    func broken() {
        expectEqual(keys([0x1B, 0x5B, 0x1B, 0x5B, 0x41]), [.up])
        expectEqual(keys([0xC3, 0x71]), [.character("q")])
        expectEqual(keys([0xFF, 0x80, 0xC0, 0x71]), [.character("q")])
        expectEqual(keys([0xED, 0xA0, 0x80, 0x71]), [.character("q")])
        let endless = [0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 10_000) + [0x0A, 0x71]
        expectEqual(keys(endless).last, .character("q"))
    }

    @Test("a lone Escape is recognised by a timeout, an incomplete sequence is dropped")
    func timeOut() {
        var decoder = KeyDecoder()
        expectEqual(decoder.timeOut(), nil)
        expectEqual(decoder.decode(0x1B), nil)
        #expect(decoder.isPending)
        expectEqual(decoder.timeOut(), .escape)
        #expect(!decoder.isPending)
        _ = decoder.decode(0x1B)
        _ = decoder.decode(0x5B)
        expectEqual(decoder.timeOut(), nil)
        expectEqual(decoder.decode(0x41), .character("A"))
    }

    @Test("accepts any bytes without a hang or a trap")
    func anyBytes() {
        var generator = SplitMix(7)
        var decoder = KeyDecoder()
        for _ in 0..<100_000 { _ = decoder.decode(UInt8.random(in: 0...255, using: &generator)) }
        #expect(decoder.timeOut() != .up)
    }
}
