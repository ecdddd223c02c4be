// SPDX-License-Identifier: MIT

import AQSoundHarness

/// Two busy processes with normal priority.
struct Load {
    private let processes: [ChildProcess]

    init() throws {
        processes = try (0..<2).map { _ in try ChildProcess("sh", ["-c", "while :; do :; done"]) }
    }

    func end() {
        for process in processes {
            process.signal(9)
            process.wait(deadlineSeconds: 5)
        }
    }
}
