// SPDX-License-Identifier: MIT

import Glibc

/// A process of other tests that runs at the same time: see Tests/run.sh.
enum ProcessBeside {
    /// The file that exists until its end.
    private static let path = unsafe getenv("AQ_TESTS_BESIDE").map { unsafe String(cString: $0) } ?? ""

    static func waitForEnd() async {
        while !path.isEmpty, unsafe access(path, F_OK) == 0 {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
        }
    }
}
