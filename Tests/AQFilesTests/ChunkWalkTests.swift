// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("The walk of chunks")
struct ChunkWalkTests {
    private static let grammars: [ChunkGrammar] = [
        .riff(isBigEndian: false), .riff(isBigEndian: true), .aiff, .caf, .wave64,
    ]

    private func chunk(
        _ type: String, _ contents: [UInt8], promised: Int64? = nil, in grammar: ChunkGrammar
    ) -> [UInt8] {
        let header = grammar.header(
            ChunkGrammar.code(type), contentsBytes: promised ?? Int64(contents.count))
        let bytes = header + contents
        return bytes + [UInt8](repeating: 0, count: Int(grammar.aligned(Int64(bytes.count))) - bytes.count)
    }

    /// All chunks of bytes that begin with one, and the reason for the end.
    private func walk(
        _ bytes: [UInt8], _ grammar: ChunkGrammar
    ) -> (chunks: [ChunkWalk.Chunk], stop: ChunkWalk.Stop?) {
        var walk = ChunkWalk(grammar, from: 0, to: Int64(bytes.count))
        var chunks: [ChunkWalk.Chunk] = []
        while let chunk = walk.next(in: bytes) { chunks.append(chunk) }
        return (chunks, walk.stop)
    }

    @Test("returns each chunk with its contents, after the padding", arguments: grammars)
    func contents(grammar: ChunkGrammar) {
        let contents: [[UInt8]] = [[1, 2, 3], [], [4, 5, 6, 7, 8, 9, 10, 11]]
        let bytes = contents.flatMap { chunk("abcd", $0, in: grammar) }
        let (chunks, stop) = walk(bytes, grammar)
        expectEqual(chunks.map(\.name), ["abcd", "abcd", "abcd"])
        let found = chunks.map {
            Array(bytes[Int($0.contents.lowerBound)..<Int($0.contents.upperBound)])
        }
        expectEqual(found, contents)
        expectEqual(stop, .end)
    }

    @Test("stops inside a header that is cut short, but not where padding is missing", arguments: grammars)
    func cut(grammar: ChunkGrammar) {
        let bytes = chunk("abcd", [1, 2, 3], in: grammar)
        let whole = Int(grammar.headerBytes) + 3
        expectEqual(walk(Array(bytes[..<whole]), grammar).stop, .end)
        expectEqual(walk(Array(bytes[..<(whole - 1)]), grammar).stop, .cutChunk)
        expectEqual(walk(Array(bytes[..<(Int(grammar.headerBytes) - 1)]), grammar).stop, .cutHeader)
        expectEqual(walk(bytes + [9], grammar).stop, .cutHeader)
    }

    @Test(
        "ends at a chunk of any impossible length, without an overflow",
        arguments: grammars, [-1, -24, -25, .min, .max, .max - 23, .max - 24, 1 << 62] as [Int64])
    func hostile(grammar: ChunkGrammar, promised: Int64) throws {
        let field =
            grammar == .wave64
            ? little(UInt64(bitPattern: promised)) : grammar.lengthField(contentsBytes: promised)
        let type = grammar.typeField(ChunkGrammar.code("abcd"))
        let (chunks, stop) = walk(type + field + [1, 2], grammar)
        let found = try #require(chunks.first)
        expectEqual(chunks.count, 1)
        #expect(stop == .cutChunk || grammar != .wave64 && grammar != .caf && promised < 0)
        expectEqual(found.contents.lowerBound, grammar.headerBytes)
        #expect(found.contents.upperBound <= ChunkWalk.furthest)
    }

    @Test("leaves the length of audio open if the file does")
    func open() throws {
        for grammar in Self.grammars {
            let audio = grammar == .aiff ? "SSND" : "data"
            let bytes = chunk(audio, [1, 2, 3], promised: grammar.openBytes, in: grammar)
            let found = try #require(walk(bytes, grammar).chunks.first)
            expectEqual(found.length, .open)
            expectEqual(found.contents, grammar.headerBytes..<Int64(bytes.count))
        }
    }

    @Test("takes the length of audio from the sizes of RF64")
    func large() throws {
        let grammar = ChunkGrammar.riff(isBigEndian: false)
        let bytes = chunk("data", [1, 2, 3, 4], promised: Int64(UInt32.max), in: grammar)
        for (audioBytes, length) in [(3, .large), (1 << 43, .open)] as [(UInt64, ChunkWalk.Chunk.Length)] {
            var walk = ChunkWalk(grammar, from: 0, to: Int64(bytes.count))
            expectEqual(walk.takeSizes(little(UInt64(100)) + little(audioBytes)), 108)
            let next = walk.next(in: bytes)
            let found = try #require(next)
            expectEqual(found.length, length)
            expectEqual(found.contents, 8..<(length == .large ? 11 : 12))
        }
    }

    @Test("returns no more chunks than are read of a file")
    func most() {
        let bytes = (0..<5000).flatMap { _ in chunk("abcd", [], in: .caf) }
        let (chunks, stop) = walk(bytes, .caf)
        expectEqual(chunks.count, FormatLimits.mostChunks)
        expectEqual(stop, .mostChunks)
    }
}
