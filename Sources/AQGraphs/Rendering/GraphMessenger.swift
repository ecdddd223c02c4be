// SPDX-License-Identifier: MIT

import CAQRealTime
import Dispatch
import Glibc
import Synchronization
import AQThreads

/// Does what rendering threads cannot: frees memory, calls the handlers of clients, and has files read.
///
/// One thread for all graphs of the process, which starts with the first node that needs it, and waits for work. Handlers,
/// taps and reads run on dispatch queues, so that none delays others.
@safe package final class GraphMessenger: @unchecked Sendable {
    // SAFETY: the semaphore is made once, and never freed.

    package static let shared = GraphMessenger()

    /// Work for the messenger, until it has ended.
    protocol Client: AnyObject, Sendable {
        /// Begins work that is due, on a queue. Returns false if there will be none any more.
        func work() -> Bool
    }

    private struct State {
        var clients: [any Client] = []
        var isRunning = false
    }

    private let semaphore: UnsafeMutablePointer<sem_t>
    private let state = Monitor(State())
    /// Objects that rendering threads do not use any more.
    private let retired = PassedObjectList()
    private let isNeeded = Atomic<Bool>(false)

    private init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    /// Adds work.
    func add(_ client: any Client) {
        state.withLock { $0.clients.append(client) }
        wake()
    }

    /// Makes the thread look for work, and starts it if necessary.
    package func wake() {
        let starts = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts, DetachedThread.start(named: "audio graphs", { self.run() }) != 0 {
            // Without a thread, what is retired waits for the next call.
            state.withLock { $0.isRunning = false }
        }
        unsafe aq_semaphore_post(semaphore)
    }

    // MARK: Rendering threads

    /// Passes an object that is not used any more, and whose memory is freed soon. A ``PlayItem`` has its handler called.
    func retire(_ object: PassedObject) {
        retired.add(object)
        need()
    }

    /// Asks for work after this slice.
    func need() { isNeeded.store(true, ordering: .releasing) }

    /// Wakes the thread if there is work.
    func wakeIfNeeded() {
        guard isNeeded.load(ordering: .relaxed), isNeeded.exchange(false, ordering: .acquiring) else {
            return
        }
        unsafe aq_semaphore_post(semaphore)
    }

    // MARK: The messenger's thread

    /// Objects that are released on a queue: what they keep alive is the clients', whose code may take its time.
    private final class Unused: @unchecked Sendable {
        // SAFETY: the messenger fills it, and then the queue empties it.
        var objects: [PassedObject] = []
    }

    private func run() {
        // Items whose end will be heard.
        var audible: [PlayItem] = []
        while true {
            let next = serve(&audible)
            unsafe _ = aq_semaphore_wait_until(semaphore, next)
        }
    }

    /// Does what is due, and returns the time of the next work. While the thread waits, it keeps nothing alive.
    private func serve(_ audible: inout [PlayItem]) -> UInt64 {
        let now = aq_host_time()
        let unused = Unused()
        retired.take { object in
            if let item = object as? PlayItem { audible.append(item) } else { unused.objects.append(object) }
        }
        if !unused.objects.isEmpty { DispatchQueue.global().async { unused.objects = [] } }
        for item in audible where item.isDue(at: now) { item.callHandler() }
        audible.removeAll { $0.isDue(at: now) }
        for client in state.withLock({ $0.clients }) where !client.work() {
            state.withLock { $0.clients.removeAll { $0 === client } }
        }
        return audible.map(\.audibleTime).min() ?? .max
    }
}
