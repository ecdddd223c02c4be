// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import aqplay

@Suite("ServerGaps")
struct ServerGapsTests {
    /// Underruns as a queue counts them at a time, the end of a gap before it, and whether they are a new gap.
    struct Step: CustomTestStringConvertible {
        var underruns = 0
        var time = 0.0
        var resumesBefore: Double?
        var isGap = false

        var testDescription: String { "\(underruns) at \(time)" }
    }

    @Test(
        "each gap is noticed once, also if it is counted after its end",
        arguments: [
            [Step(underruns: 0, time: 1)],
            [Step(underruns: 1, time: 1, isGap: true), Step(underruns: 1, time: 2)],
            // Counted within a second of the end, and another gap after it.
            [
                Step(underruns: 1, time: 1, isGap: true),
                Step(underruns: 2, time: 9.5, resumesBefore: 9),
                Step(underruns: 2, time: 11),
                Step(underruns: 3, time: 12, isGap: true),
            ],
            // Several underruns within one wait are one gap.
            [Step(underruns: 4, time: 5, isGap: true), Step(underruns: 4, time: 6)],
        ])
    func gaps(steps: [Step]) {
        var gaps = ServerGaps()
        for step in steps {
            if let end = step.resumesBefore { gaps.resume(at: end) }
            expectEqual(gaps.isGap(underruns: step.underruns, at: step.time), step.isGap, "\(step)")
        }
    }

    @Test("filling again ends when audio is enqueued")
    func resumption() {
        var gaps = ServerGaps()
        gaps.isFillingAgain = true
        gaps.resume(at: 3)
        #expect(!gaps.isFillingAgain)
    }
}
