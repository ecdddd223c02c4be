// SPDX-License-Identifier: MIT

import CRealTime
package import Dispatch
import Glibc
import Synchronization
import Threads

/// Does what the rendering thread cannot: frees memory, calls the client's handlers, and reads files.
///
/// One thread for each graph, which starts with the first handler, tap or file, and waits otherwise. Handlers run on a
/// queue of their own, as do taps and reads, so that none delays the other.
@safe package final class GraphMessenger: @unchecked Sendable {
    // SAFETY: the semaphore is made by the initialiser, and destroyed after the thread's end.

    /// Work for the messenger, until it has ended.
    protocol Client: AnyObject, Sendable {
        /// Begins work that is due, on a queue. Returns false if there will be none any more.
        func work(_ messenger: GraphMessenger) -> Bool
    }

    private struct State {
        var clients: [any Client] = []
        var isRunning = false
        var hasEnded = false
    }

    package let handlers = DispatchQueue(label: "audio graph handlers")
    let taps = DispatchQueue(label: "audio graph taps")
    let reads = DispatchQueue(label: "audio graph files")
    private let semaphore: UnsafeMutablePointer<sem_t>
    private let state = Monitor(State())
    /// Objects that the rendering thread does not use any more.
    private let retired = PassedObjectList()
    private let isNeeded = Atomic<Bool>(false)

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Adds work, and starts the thread for it.
    func add(_ client: any Client) {
        state.withLock { $0.clients.append(client) }
        start()
    }

    /// Makes sure that the thread runs.
    package func start() {
        let starts = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning && !state.hasEnded
        }
        guard starts else { return unsafe aq_semaphore_post(semaphore) }
        if DetachedThread.start(named: "audio graph", { self.run() }) != 0 {
            // Without a thread, what is retired waits for the next start.
            state.withLock { $0.isRunning = false }
        }
    }

    /// Ends the thread, after the handlers of what is finished.
    func end() {
        state.withLock { $0.hasEnded = true }
        unsafe aq_semaphore_post(semaphore)
    }

    // MARK: The rendering thread

    /// Passes an object that is not used any more. Memory is freed some time later.
    func retire(_ object: PassedObject) { retired.add(object) }

    /// Passes an item that was played, whose handler is to be called soon.
    func finish(_ item: PlayItem) {
        retired.add(item)
        need()
    }

    /// Asks for work after this slice.
    func need() { isNeeded.store(true, ordering: .relaxed) }

    /// Wakes the thread if there is work.
    func wakeIfNeeded() {
        guard isNeeded.load(ordering: .relaxed) else { return }
        isNeeded.store(false, ordering: .relaxed)
        unsafe aq_semaphore_post(semaphore)
    }

    // MARK: Other threads

    /// Returns when taps have got what was rendered: for a caller that renders faster than they follow.
    package func settle() {
        for client in state.withLock({ $0.clients }) { _ = client.work(self) }
        taps.sync {}
    }

    // MARK: The messenger's thread

    private func run() {
        // Items that are heard at a time that is still to come.
        var audible: [PlayItem] = []
        while true {
            let hasEnded = state.withLock { $0.hasEnded }
            retired.take { object in
                guard let item = object as? PlayItem else { return }
                if item.isDue(at: aq_host_time()) { call(item) } else { audible.append(item) }
            }
            let now = aq_host_time()
            for item in audible where hasEnded || item.isDue(at: now) { call(item) }
            audible.removeAll { hasEnded || $0.isDue(at: now) }
            if hasEnded { return }
            for client in state.withLock({ $0.clients }) where !client.work(self) {
                state.withLock { $0.clients.removeAll { $0 === client } }
            }
            // Retired objects without a handler are freed at the latest after a second.
            let next = audible.map(\.audibleTime).min() ?? .max
            unsafe _ = aq_semaphore_wait_until(semaphore, min(next, now + 1_000_000_000))
        }
    }

    private func call(_ item: PlayItem) {
        guard let handler = item.takeHandler() else { return }
        handlers.async(execute: handler)
    }
}
