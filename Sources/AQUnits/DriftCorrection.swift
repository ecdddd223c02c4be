// SPDX-License-Identifier: MIT

/// The ratio of resampling that keeps the delay between two devices constant, whose clocks differ a little.
///
/// The delay is measured by clocks, so that it does not jump with each slice. A difference from the wanted delay changes
/// the ratio in proportion, and its sum changes it permanently: the sum becomes the ratio of the clocks. The wanted delay
/// is the mean of the second half of the first second, because the clocks are inexact at first.
///
/// Once the ratio is known, changes are slow. A clock that is wrong for a second, after the machine has stalled, then
/// hardly moves the delay.
struct DriftCorrection {
    /// The change of the ratio for a difference of one second, and for that of one second during one second.
    private static let proportion = 1.0
    private static let share = 0.2
    /// The same two once the ratio is known.
    private static let slowProportion = 0.2
    private static let slowShare = 0.008
    /// The time until then, in seconds.
    private static let learningSeconds = 15.0
    /// The largest deviation from 1. Clocks of devices differ by up to 0.05 %.
    private static let most = 0.005
    /// The time constant of the mean of differences, in seconds.
    private static let smoothingSeconds = 0.5

    /// The time in which the wanted delay is measured, in seconds.
    private static let settlingSeconds = 1.0

    /// The wanted delay, in seconds.
    private var wantedSeconds = 0.0
    private var wantedCount = 0.0
    private var age = 0.0
    private var mean = 0.0
    private var sum = 0.0
    private(set) var ratio = 1.0

    /// Adds a measured delay.
    ///
    /// - Parameters:
    ///   - seconds: The time since the last measurement.
    mutating func add(delaySeconds: Double, after seconds: Double) {
        guard delaySeconds.isFinite, seconds > 0 else { return }
        let step = min(seconds, 0.1)
        if age < Self.settlingSeconds {
            age += step
            guard age > Self.settlingSeconds / 2 else { return }
            wantedCount += 1
            wantedSeconds += (delaySeconds - wantedSeconds) / wantedCount
            return
        }
        age += step
        let isLearning = age < Self.learningSeconds
        mean += (delaySeconds - wantedSeconds - mean) * min(1, step / Self.smoothingSeconds)
        let share = isLearning ? Self.share : Self.slowShare
        sum = max(-Self.most, min(sum + mean * share * step, Self.most))
        let proportion = isLearning ? Self.proportion : Self.slowProportion
        ratio = 1 + max(-Self.most, min(mean * proportion + sum, Self.most))
    }
}
