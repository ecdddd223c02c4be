// SPDX-License-Identifier: MIT

public import AQDevices
import Glibc

/// The goal that the user sets in the environment, for programs without a setting.
extension LatencyGoal {
    private static let variable = "AQ_LATENCY"

    /// The goal that the user sets for every queue of this process in the environment variable `AQ_LATENCY`, read once;
    /// nil for none. An unknown value is reported on standard error. Any thread.
    public static let ofUser: LatencyGoal? = {
        guard let value = unsafe getenv(variable) else { return nil }
        let name = unsafe String(cString: value)
        if name.isEmpty { return nil }
        if let goal = LatencyGoal(name: name) { return goal }
        let line = Array(
            "\(variable): no goal '\(name)', only lowest, interactive, balanced, least-power\n".utf8)
        // A failure to print the line is ignored.
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
        return nil
    }()

    /// Makes the goal with a name; nil if no goal has this name.
    init?(name: String) {
        switch name {
        case "lowest": self = .lowest
        case "interactive": self = .interactive
        case "balanced": self = .balanced
        case "least-power": self = .leastPower
        default: return nil
        }
    }
}
