// SPDX-License-Identifier: MIT

import BenchKit
import Testing

@Suite("What a library holds")
struct StandingTests {
    private func run(
        _ peer: String, frames: Int, latency: Double?, gaps: Int = 0, seconds: Double = 2
    ) -> OutputResult {
        var result = OutputResult(
            measure: "", peer: peer, server: "", setting: .init(buffers: 3, frames: frames), seconds: seconds,
            isLoaded: false)
        result.latency = latency.flatMap { Summary([$0]) }
        result.gaps.number = gaps
        return result
    }

    @Test("libraries come in the order of their latencies, and those without a setting that held last")
    func order() {
        let sweep = [
            run("pacat", frames: 48, latency: 4), run("sdl2", frames: 48, latency: 2),
            run("audioqueue", frames: 48, latency: 3),
        ]
        let frontier = [
            run("audioqueue", frames: 48, latency: 3), run("audioqueue", frames: 96, latency: 6),
            run("cubeb", frames: 48, latency: 2.5), run("sdl2", frames: 48, latency: 2, gaps: 1),
        ]
        let standings = Standing.all(sweep: sweep, frontier: frontier)
        #expect(standings.map(\.peer) == ["cubeb", "audioqueue", "sdl2", "pacat"])
        #expect(standings.map(\.best?.latency?.median) == [2.5, 3, nil, nil])
    }

    @Test("a setting that had no gap in a short run and some in a long one is one with gaps")
    func longRunCounts() throws {
        let sweep = [
            run("cubeb", frames: 24, latency: 1.2, gaps: 3), run("cubeb", frames: 48, latency: 2.2),
            run("cubeb", frames: 96, latency: 4.5),
        ]
        let frontier = [run("cubeb", frames: 48, latency: 2.3, gaps: 1, seconds: 60)]
        let standing = try #require(Standing.all(sweep: sweep, frontier: frontier).first)
        #expect(standing.gapFree == [4.5])
        #expect(standing.withGaps.sorted() == [1.2, 2.3])
    }

    @Test("failed runs are not settings, and a library whose runs all failed is still listed")
    func failures() throws {
        var failed = run("openal", frames: 48, latency: nil)
        failed.failure = "was not audible"
        let standing = try #require(Standing.all(sweep: [failed], frontier: []).first)
        #expect(standing.best == nil && standing.gapFree.isEmpty && standing.withGaps.isEmpty)
    }

    @Test("every library has a name of its own")
    func names() {
        let names = PeerTraits.allNames.map { PeerTraits(name: $0).library }
        #expect(Set(names).count == PeerTraits.allNames.count)
    }
}
