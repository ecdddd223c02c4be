// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import aqlatency

@Suite("Advice")
struct AdviceTests {
    private func trial(
        _ frames: Int, gaps: Int, seconds: Double = 60, priority: GrantedPriority.Level? = .realTime
    ) -> Advice.Trial {
        Advice.Trial(
            setting: BufferSetting(buffers: 3, frames: frames), sampleRate: 48_000, gaps: gaps,
            seconds: seconds, median: 4.1, percentile99: 4.256, priority: priority)
    }

    @Test("the smallest buffers without a gap are advised, with their time and latency")
    func smallest() {
        let trials = [trial(24, gaps: 3), trial(192, gaps: 0), trial(96, gaps: 0)]
        expectEqual(
            Advice.text(for: trials),
            "use 3 buffers of 96 frames (6.0 ms): no gap in 60 s, audible after 4.10 ms, 99 % within "
                + "4.26 ms")
    }

    @Test("a short run advises a longer one, and a normal priority a higher one")
    func more() throws {
        let text = try #require(
            Advice.text(for: [trial(96, gaps: 0, seconds: 3.02, priority: .normal)]))
        #expect(text.contains("no gap in 3.0 s"))
        #expect(text.contains("real-time priority (RLIMIT_RTPRIO) would prevent gaps"))
        #expect(text.hasSuffix("; check with --minute"))
    }

    @Test("if all have gaps, more is advised than the longest")
    func none() {
        expectEqual(
            Advice.text(for: [trial(960, gaps: 1), trial(24, gaps: 9)]),
            "use more than 3 x 960 frames, because all settings had gaps; end other programs that use the "
                + "processor")
        expectEqual(
            Advice.text(for: [trial(960, gaps: 1, priority: .normal)])?
                .hasSuffix("allow real-time priority (RLIMIT_RTPRIO)"), true)
        expectEqual(Advice.best(of: [trial(960, gaps: 1)]), nil)
        expectEqual(Advice.text(for: []), nil)
    }
}
