// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The progress of the runs: a line before each measure, and a changing line on a terminal.
struct Progress {
    private(set) var measure = ""
    private var expected = Estimate()
    private var done = 0
    private var startHostTime: UInt64 = 0

    /// Returns the time of day after a number of seconds, such as "14:05".
    static func clock(after seconds: Double = 0) -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "HH:mm"
        return formatter.string(from: Date(timeIntervalSinceNow: seconds))
    }

    mutating func begin(_ measure: Measure, _ estimate: Estimate) {
        self.measure = measure.rawValue
        expected = estimate
        done = 0
        startHostTime = HostClock.now
        say("\n\(Self.clock()) \(measure.rawValue): \(estimate.text)")
    }

    /// Shows the current run.
    mutating func step(_ what: String) {
        done += 1
        guard Terminal.showsProgress else { return }
        let elapsed = Int(HostClock.seconds(from: startHostTime, to: HostClock.now))
        let whole = Int(expected.seconds)
        Terminal.showProgress(
            "\(measure) \(done)/\(max(done, expected.runs)) \(what)  "
                + "\(Self.time(elapsed)) of about \(Self.time(max(whole, elapsed)))")
    }

    func end() {
        let elapsed = HostClock.seconds(from: startHostTime, to: HostClock.now)
        say("\(measure) took \(Self.time(Int(elapsed.rounded())))")
    }

    private static func time(_ seconds: Int) -> String {
        String(format: "%d:%02d", seconds / 60, seconds % 60)
    }
}
