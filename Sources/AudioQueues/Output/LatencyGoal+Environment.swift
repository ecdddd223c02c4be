import AudioDevices
import Glibc

/// The user's setting, for programs that cannot be changed.
extension LatencyGoal {
    private static let variable = "AQ_LATENCY"

    /// The environment's goal for every queue of this process, read when the first queue is made; nil for none.
    static let ofUser: LatencyGoal? = {
        guard let value = unsafe getenv(variable) else { return nil }
        let name = unsafe String(cString: value)
        if name.isEmpty { return nil }
        if let goal = LatencyGoal(name: name) { return goal }
        let line = Array(
            "\(variable): no goal '\(name)', only lowest, interactive, balanced, least-power\n".utf8)
        // A failure to print this is ignored.
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
        return nil
    }()

    /// The goal of a name; nil if there is none.
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
