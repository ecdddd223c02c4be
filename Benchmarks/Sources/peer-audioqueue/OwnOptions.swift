// SPDX-License-Identifier: MIT

import AQDevices
import Glibc

/// The options that only this peer has.
struct OwnOptions {
    /// --goal NAME: the latency goal. The default adds nothing to the buffers.
    var goal = LatencyGoal.lowest
    /// --offline: plays as fast as possible on a device without a clock.
    var isOffline = false

    private static let goals: [String: LatencyGoal] = [
        "lowest": .lowest, "interactive": .interactive, "balanced": .balanced, "leastPower": .leastPower,
    ]

    /// Removes these options from the process's command line, or ends the process with status 64.
    ///
    /// - Returns: The options, and the number of remaining arguments.
    static func take() -> (options: OwnOptions, count: Int32) {
        var options = OwnOptions()
        let arguments = unsafe CommandLine.unsafeArgv
        var kept = 0
        var index = 0
        while index < Int(CommandLine.argc), let word = unsafe arguments[index] {
            switch unsafe String(cString: word) {
            case "--offline": options.isOffline = true
            case "--goal":
                index += 1
                let name = unsafe arguments[index].map { unsafe String(cString: $0) } ?? ""
                guard let goal = goals[name] else {
                    refuse("unknown goal '\(name)'")
                }
                options.goal = goal
            default:
                unsafe arguments[kept] = word
                kept += 1
            }
            index += 1
        }
        unsafe arguments[kept] = nil
        return (options, Int32(kept))
    }

    private static func refuse(_ why: String) -> Never {
        let line = Array("peer-audioqueue: \(why)\n".utf8)
        // The exit status reports wrong usage even if the message cannot be written.
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(64)
    }
}
