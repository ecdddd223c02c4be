// SPDX-License-Identifier: MIT

import Synchronization

/// The counts of live objects of a group of queues.
///
/// A process has one group. A test makes its own group, to count its objects while other tests run.
final class LiveObjects: Sendable {
    /// The counts for objects that the calling task or thread creates.
    @TaskLocal static var current = LiveObjects()

    let queues = Atomic<Int>(0)
    let buffers = Atomic<Int>(0)
    let threads = Atomic<Int>(0)
}
