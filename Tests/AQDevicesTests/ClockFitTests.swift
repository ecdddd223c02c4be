// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing

@testable import AQDevices

@Suite struct ClockFitTests {
    /// The times of PulseAudio's answers: twice as long after each, and then every 1.5 s.
    private static let reportTimes: [Double] =
        [0, 0.01, 0.03, 0.07, 0.15, 0.31, 0.63, 1.27] + (1...20).map { 1.27 + 1.5 * Double($0) }

    /// A fit of a clock that runs `deviation` too fast, with the errors of `error`, in seconds.
    private func worstError(deviation: Double, _ error: (Int) -> Double) -> (before: Double, after: Double) {
        var fit = ClockFit(sampleRate: 48_000)
        var worst = (before: 0.0, after: 0.0)
        let origin: UInt64 = 40_000_000_000_000
        for (index, seconds) in Self.reportTimes.enumerated() {
            let truth = 48_000 * seconds * (1 + deviation)
            let now = origin + UInt64(seconds * 1e9)
            let before = abs(fit.frame(at: now) - truth) / 48_000
            let after = abs(fit.add(frame: truth + error(index) * 48_000, at: now) - truth) / 48_000
            if seconds > 1 { worst = (max(worst.before, before), max(worst.after, after)) }
        }
        return worst
    }

    @Test func aClockThatIsTrueIsFollowedExactly() {
        let worst = worstError(deviation: 0) { _ in 0 }
        #expect(worst.before < 1e-7 && worst.after < 1e-7)
    }

    @Test func aSinkThatRunsFastIsPredictedBetweenTwoAnswers() {
        let worst = worstError(deviation: 0.0022) { _ in 0 }
        // At the nominal rate the error would be 3.3 ms before each answer.
        #expect(worst.before < 0.0001 && worst.after < 0.0001)
    }

    @Test func oneAnswerThatIsWrongMovesNothing() {
        let worst = worstError(deviation: 0.0002) { $0 == 12 ? 0.0018 : 0 }
        #expect(worst.after < 0.00005)
    }

    @Test func answersThatScatterAreAveraged() {
        var random = SplitMix(7)
        let worst = worstError(deviation: 0.001) { _ in Double.random(in: -0.00005...0.00005, using: &random)
        }
        #expect(worst.before < 0.0003 && worst.after < 0.0001)
    }

    /// The error, in seconds, of a fit of positions that lag by up to a period, `at` seconds after the start.
    private func periodError(followsPeriods: Bool, at seconds: Double) -> Double {
        var fit = ClockFit(sampleRate: 48_000)
        fit.followsPeriods = followsPeriods
        // The requests after a start, and libpulse's own.
        let pollTimes = (1...12).map { 0.0091 * Double($0) }
        for time in (Self.reportTimes + pollTimes).sorted() where time <= seconds {
            let reported = ((time * 48_000 / 1024).rounded(.down) + 1) * 1024
            _ = fit.add(frame: reported, at: 1 + UInt64(time * 1e9))
        }
        return fit.frame(at: 1 + UInt64(seconds * 1e9)) / 48_000 - seconds
    }

    @Test(arguments: [0.15, 1.3, 5, 12, 30]) func answersOfTheLastPeriodAreTakenAtTheirLowest(seconds: Double)
    {
        let error = periodError(followsPeriods: true, at: seconds)
        #expect(error >= 0 && error < 0.007, "\(error)")
    }

    @Test func answersOfTheLastPeriodAreAheadInTheMiddle() {
        #expect(periodError(followsPeriods: false, at: 0.15) > 0.009)
        #expect(periodError(followsPeriods: false, at: 1.3) > 0.009)
    }

    @Test func oneAnswerOfAPeriodThatCameLateIsNotTheLowest() {
        var fit = ClockFit(sampleRate: 48_000)
        fit.followsPeriods = true
        for step in 0..<8 {
            let late = step == 5 ? 960.0 : 0
            _ = fit.add(frame: Double(step) * 4800 - late, at: 1 + UInt64(step) * 100_000_000)
        }
        #expect(abs(fit.frame(at: 1 + 700_000_000) - 7 * 4800) < 1)
    }

    @Test func aFitOfPeriodsKeepsWhatItKnewAndForgetsItWithThem() {
        var fit = ClockFit(sampleRate: 48_000)
        for step in 0..<4 { _ = fit.add(frame: Double(step) * 48_100, at: 1 + UInt64(step) * 1_000_000_000) }
        fit.followsPeriods = true
        #expect(abs(fit.frame(at: 1) - 100) < 1)
        expectEqual(fit.rate, 48e-6)
        for step in 4..<12 { _ = fit.add(frame: Double(step) * 48_000, at: 1 + UInt64(step) * 1_000_000_000) }
        fit.followsPeriods = false
        expectEqual(fit.frame(at: 1), 0)
    }

    @Test func twoAnswersThatAgreeBeginANewLine() {
        var fit = ClockFit(sampleRate: 48_000)
        for step in 0..<8 { _ = fit.add(frame: Double(step) * 48_000, at: 1 + UInt64(step) * 1_000_000_000) }
        // The sink has skipped 100 ms.
        #expect(abs(fit.add(frame: 8 * 48_000 + 4800, at: 8_000_000_001) - 8 * 48_000) < 1)
        #expect(abs(fit.add(frame: 9 * 48_000 + 4800, at: 9_000_000_001) - (9 * 48_000 + 4800)) < 1)
        #expect(abs(fit.rate / 48e-6 - 1) < 1e-9)
    }

    @Test func aGapDoesNotChangeTheRate() {
        var fit = ClockFit(sampleRate: 48_000)
        for step in 0..<6 { _ = fit.add(frame: Double(step) * 48_100, at: 1 + UInt64(step) * 1_000_000_000) }
        fit.restart()
        _ = fit.add(frame: 500_000, at: 9_000_000_001)
        #expect(abs(fit.frame(at: 10_500_000_001) - (500_000 + 1.5 * 48_100)) < 0.01)
    }

    @Test func aRateThatNoClockHasIsNotBelieved() {
        var fit = ClockFit(sampleRate: 48_000)
        for step in 0..<6 { _ = fit.add(frame: Double(step) * 90_000, at: 1 + UInt64(step) * 1_000_000_000) }
        #expect(fit.rate <= 48e-6 * 1.01 * 1.000001)
        fit.reset()
        expectEqual(fit.rate, 48e-6)
    }
}
