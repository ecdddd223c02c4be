import Foundation
import Synchronization

/// The user has had enough: SIGINT or SIGTERM. A second one ends the process at once.
struct Interrupted: Error, CustomStringConvertible {
    /// As a shell tells of SIGINT.
    static let exitStatus: Int32 = 130

    private static let isRequested = Atomic<Bool>(false)

    var description: String { "interrupted: what was measured is kept" }

    static func watch() {
        // First touched here: a handler must not be the one to initialise it.
        isRequested.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                Interrupted.isRequested.store(true, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }

    /// - Throws: ``Interrupted`` once a signal has come.
    static func check() throws {
        if isRequested.load(ordering: .relaxed) { throw Interrupted() }
    }
}
