// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQUnits

@Suite("DriftCorrection")
struct DriftCorrectionTests {
    /// Simulates a source whose clock is `partsPerMillion` fast, read in slices of 10 ms with jitter of the reading. The
    /// first readings are wrong by 10 ms.
    ///
    /// - Parameter clockError: What is added to the readings of a time.
    /// - Returns: The difference from the wanted delay at the end, and the largest after `settled` seconds.
    private func simulate(
        partsPerMillion: Double, jitter: Double = 0.0002, seconds: Double = 600, settled: Double = 30,
        clockError: (_ second: Double) -> Double = { $0 < 0.2 ? 0.01 : 0 }
    ) -> (end: Double, largest: Double) {
        let begin = 0.02
        // The delay in the middle of the second half of the first second.
        let wanted = begin + partsPerMillion * 1e-6 * 0.75
        var correction = DriftCorrection()
        var delay = begin
        var largest = 0.0
        var sign = 1.0
        let step = 0.01
        for index in 0..<Int(seconds / step) {
            // The source adds its seconds, and the resampler takes the output's at the ratio.
            delay += step * (1 + partsPerMillion * 1e-6) - step * correction.ratio
            sign = -sign
            let reading = delay + sign * jitter + clockError(Double(index) * step)
            correction.add(delaySeconds: reading, after: step)
            if Double(index) * step > settled { largest = max(largest, abs(delay - wanted)) }
        }
        return (delay - wanted, largest)
    }

    @Test("keeps the delay within 0.2 ms for clocks that differ", arguments: [0, 20, 200, -200, 1_000])
    func drift(partsPerMillion: Double) {
        let result = simulate(partsPerMillion: partsPerMillion)
        #expect(abs(result.end) < 0.0001)
        #expect(result.largest < 0.0002, "\(result.largest)")
    }

    @Test("keeps the delay within 0.6 ms if a clock is wrong by 3 ms for a second")
    func wrongClock() {
        let result = simulate(partsPerMillion: 200) { 300..<301 ~= $0 ? 0.003 : 0 }
        #expect(result.largest < 0.0006, "\(result.largest)")
        #expect(abs(result.end) < 0.0001)
    }

    @Test("changes the ratio by at most 0.5 %, and ignores what is no number")
    func limits() {
        var correction = DriftCorrection()
        for _ in 0..<200 { correction.add(delaySeconds: 0.01, after: 0.01) }
        expectEqual(correction.ratio, 1)
        for _ in 0..<10_000 { correction.add(delaySeconds: 10, after: 0.01) }
        expectEqual(correction.ratio, 1.005)
        correction.add(delaySeconds: .nan, after: 0.01)
        correction.add(delaySeconds: 0.01, after: -1)
        expectEqual(correction.ratio, 1.005)
    }
}
