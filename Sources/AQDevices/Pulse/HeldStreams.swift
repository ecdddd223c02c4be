// SPDX-License-Identifier: MIT

import Synchronization

/// The playback streams of this process that servers have asked to pause, because a stream of another role plays.
///
/// PulseAudio's module-role-cork asks streams of music and video so while a stream of a conversation exists, and mutes
/// them meanwhile.
package final class HeldStreams: Sendable {
    package static let shared = HeldStreams()

    private let count = Atomic<Int>(0)
    private let conversations = Atomic<Int>(0)
    private let observers = Monitor<[(number: UInt64, call: @Sendable () -> Void)]>([])
    private let lastNumber = Atomic<UInt64>(0)

    package init() {}

    /// Whether any stream is held. Any thread.
    package var areAny: Bool { count.load(ordering: .acquiring) > 0 }

    /// Whether this process has a stream of the role ``StreamRole/phone``. Any thread.
    var hasConversation: Bool { conversations.load(ordering: .acquiring) > 0 }

    /// Records that there is one more stream of a conversation, or one less.
    func changeConversations(by difference: Int) {
        conversations.wrappingAdd(difference, ordering: .acquiringAndReleasing)
    }

    /// Records that one more stream is held, or one less.
    func change(by difference: Int) {
        count.wrappingAdd(difference, ordering: .acquiringAndReleasing)
        for observer in observers.withLock({ $0 }) { observer.call() }
    }

    /// Calls `changed` when a hold begins or ends. It must not wait. A call may end after the watch was released.
    package func watch(_ changed: @escaping @Sendable () -> Void) -> Watch {
        let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        observers.withLock { $0.append((number, changed)) }
        return Watch(self, number)
    }

    package final class Watch: Sendable {
        private let streams: HeldStreams
        private let number: UInt64

        fileprivate init(_ streams: HeldStreams, _ number: UInt64) {
            self.streams = streams
            self.number = number
        }

        deinit {
            let removed = streams.observers.withLock { observers in
                defer { observers.removeAll { $0.number == number } }
                return observers.first { $0.number == number }
            }
            // The release of the closure may run other code, so it is done without the lock.
            withExtendedLifetime(removed) {}
        }
    }
}
