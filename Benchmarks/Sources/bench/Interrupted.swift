// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// An interrupt by the user with SIGINT or SIGTERM. A second signal ends the process at once.
struct Interrupted: Error, CustomStringConvertible {
    /// The status with which a shell reports SIGINT.
    static let exitStatus: Int32 = 130

    private static let isRequested = Atomic<Bool>(false)

    var description: String { "interrupted: what was measured is kept" }

    static func watch() {
        // Initialises the static variable here, because a signal handler must not do it.
        isRequested.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                Interrupted.isRequested.store(true, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }

    /// - Throws: ``Interrupted`` if a signal has arrived.
    static func check() throws {
        if isRequested.load(ordering: .relaxed) { throw Interrupted() }
    }
}
