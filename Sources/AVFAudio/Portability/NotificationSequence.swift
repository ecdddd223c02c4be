// SPDX-License-Identifier: MIT

public import Foundation

extension NotificationCenter {
    /// The notifications of a name, from the first iteration on. Those that arrive while none is awaited are kept.
    ///
    /// The attribute prefers Foundation's function, which is missing on Linux.
    ///
    /// - Parameter object: The sender; nil for all. It is not kept alive.
    @_disfavoredOverload
    public func notifications(
        named name: Notification.Name, object: (any AnyObject & Sendable)? = nil
    ) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// The notifications of a name as an asynchronous sequence, which ends with its task.
    public struct Notifications: AsyncSequence, Sendable {
        public typealias Element = Notification
        public typealias Failure = Never

        private let center: NotificationCenter
        private let name: Notification.Name
        private weak let object: (any AnyObject & Sendable)?
        private let isForOneObject: Bool

        fileprivate init(
            center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?
        ) {
            self.center = center
            self.name = name
            self.object = object
            isForOneObject = object != nil
        }

        public func makeAsyncIterator() -> Iterator {
            guard !isForOneObject || object != nil else {
                return Iterator(stream: AsyncStream { $0.finish() })
            }
            let center = self.center
            let stream = AsyncStream<Delivery> { continuation in
                let observer = Observer(
                    center,
                    center.addObserver(forName: name, object: object, queue: nil) { notification in
                        continuation.yield(Delivery(notification: notification))
                    })
                continuation.onTermination = { _ in observer.remove() }
            }
            return Iterator(stream: stream)
        }

        /// A notification on its way to the task that awaits it.
        fileprivate struct Delivery: @unchecked Sendable {
            // SAFETY: a notification is a value that its sender does not change.
            let notification: Notification
        }

        public struct Iterator: AsyncIteratorProtocol {
            private var iterator: AsyncStream<Delivery>.Iterator

            fileprivate init(stream: AsyncStream<Delivery>) { iterator = stream.makeAsyncIterator() }

            public mutating func next() async -> Notification? { await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await iterator.next(isolation: actor)?.notification
            }
        }

        private final class Observer: @unchecked Sendable {
            // SAFETY: both are constant, and the token is only handed back to the center.
            private let center: NotificationCenter
            private let token: any NSObjectProtocol

            init(_ center: NotificationCenter, _ token: any NSObjectProtocol) {
                (self.center, self.token) = (center, token)
            }

            func remove() { center.removeObserver(token) }
        }
    }
}
