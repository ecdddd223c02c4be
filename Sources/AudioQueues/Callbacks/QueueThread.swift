// SPDX-License-Identifier: MIT

import AQDevices
import Synchronization

/// Threads of queues: detached, named, with small stacks.
enum QueueThread {
    /// The size of a stack, enough for a client's callback that keeps a few hundred kilobytes there.
    private static let stackBytes = 512 * 1024

    /// Starts a thread that ends when `body` returns. Until then the caller's ``LiveObjects`` include the thread.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory`` if the system cannot create a thread.
    static func start(named name: String, _ body: @escaping @Sendable () -> Void) throws(QueueError) {
        let live = LiveObjects.current
        live.threads.add(1, ordering: .relaxed)
        let status = DetachedThread.start(named: name, stackBytes: stackBytes) {
            LiveObjects.$current.withValue(live, operation: body)
            live.threads.subtract(1, ordering: .relaxed)
        }
        guard status == 0 else {
            live.threads.subtract(1, ordering: .relaxed)
            throw QueueError(.outOfMemory, "cannot start thread '\(name)': error \(status)")
        }
    }
}

/// The scope of a client's callback, of any queue, on the calling thread.
///
/// Calls within this scope do not wait for callbacks to end: a callback cannot wait for itself, nor can callbacks of
/// two queues wait for each other.
enum CallbackScope {
    private final class Mark: Sendable {}

    private static let mark = Mark()
    private static let marked = ThreadLocal<Mark>()

    static var isCurrent: Bool { marked.current != nil }

    static func run(_ body: () -> Void) {
        let outer = marked.current
        marked.set(mark)
        body()
        marked.set(outer)
    }
}
