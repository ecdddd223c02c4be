// SPDX-License-Identifier: MIT

import AQDevices

extension QueueError {
    /// Throws if the process was forked after its parent had used queues or devices.
    ///
    /// - Throws: ``Code/queueInvalidated``.
    package static func refuseForkedChild() throws(QueueError) {
        guard ForkedChild.isCurrent else { return }
        throw QueueError(
            .queueInvalidated, "cannot use a queue: the process was forked after its parent had used queues")
    }
}

extension OutputQueue {
    /// The core, for calls that can throw.
    ///
    /// - Throws: ``QueueError/Code/queueInvalidated`` in a forked child.
    var usableCore: OutputCore {
        get throws(QueueError) {
            try QueueError.refuseForkedChild()
            return core
        }
    }
}

extension InputQueue {
    /// The core, for calls that can throw.
    ///
    /// - Throws: ``QueueError/Code/queueInvalidated`` in a forked child.
    var usableCore: InputCore {
        get throws(QueueError) {
            try QueueError.refuseForkedChild()
            return core
        }
    }
}
