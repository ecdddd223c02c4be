// SPDX-License-Identifier: MIT

import AQExpectations
import Synchronization
import Testing

@testable import AQDevices

/// A loop that runs the code of a client between its turns.
@Suite struct LoopServiceTests {
    private let server = RecordedServer()
    private let feed = StreamFeed(isAwaited: false)
    private var loop: PulseLoop { server.connection.loop }

    /// The number of calls of a service, and what else it does.
    private final class Service: Sendable {
        let calls = Atomic<Int>(0)
        var count: Int { calls.load(ordering: .relaxed) }
    }

    private func serve(_ body: @escaping @Sendable (Int) -> Bool = { _ in true }) -> Service {
        let service = Service()
        ServingThread(loop, of: nil).serve(feed) { [feed] in
            while feed.nextEvent() != nil {}
            return body(service.calls.add(1, ordering: .relaxed).newValue)
        }
        return service
    }

    private func turn(_ times: Int = 1) {
        for _ in 0..<times { _ = loop.takeTurnAndServe() }
    }

    @Test("it runs once for the events of a turn, after the turn that sends what was written")
    func events() {
        let service = serve()
        turn()
        expectEqual(service.count, 1)
        feed.post(.underran)
        feed.post(.moved)
        let loop = loop
        loop.perform { loop.didWrite() }
        turn()
        expectEqual(service.count, 1)
        turn()
        expectEqual(service.count, 2)
        turn(5)
        expectEqual(service.count, 2)
    }

    @Test("it runs when it is woken, and not again after it has ended")
    func wakes() {
        let service = serve { $0 < 3 }
        turn(2)
        for _ in 0..<2 {
            ServingThread(loop, of: nil).wake()
            turn(2)
        }
        expectEqual(service.count, 3)
        ServingThread(loop, of: nil).wake()
        feed.post(.moved)
        turn(4)
        expectEqual(service.count, 3)
        // The loop waits again.
        expectEqual(server.recorder.timeout, -1)
    }

    @Test("a service that waits lets the loop work, and takes its events meanwhile")
    func waits() {
        let isDone = Atomic<Bool>(false)
        let calls = Atomic<Int>(0)
        let (loop, feed) = (loop, feed)
        let end = server.recorder.now + 1_000_000_000
        ServingThread(loop, of: nil).serve(feed) {
            while feed.nextEvent() != nil {}
            guard calls.add(1, ordering: .relaxed).newValue == 1 else { return true }
            loop.perform {
                isDone.store(true, ordering: .relaxed)
                feed.post(.moved)
            }
            while !isDone.load(ordering: .relaxed) { ServingThread(loop, of: nil).takeTurn(until: end) }
            return false
        }
        turn()
        let (hasWorked, count) = (isDone.load(ordering: .relaxed), calls.load(ordering: .relaxed))
        #expect(hasWorked)
        expectEqual(count, 2)
    }
}
