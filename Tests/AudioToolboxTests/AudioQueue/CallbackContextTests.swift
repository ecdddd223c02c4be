// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import AQDevices
import AudioQueues
import CoreFoundation
import Dispatch
import Synchronization
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// Contexts of callbacks. A counter of pending callbacks replaces the queue.
@Suite("Contexts of callbacks") struct CallbackContextTests {
    private final class Due: Sendable {
        private let counts = Monitor<(due: Int, made: Int)>((0, 0))
        let threadsAtOnce = Atomic<Int>(0)
        let mostAtOnce = Atomic<Int>(0)

        func add(_ number: Int) { counts.withLock { $0.due += number } }
        var made: Int { counts.withLock { $0.made } }

        @Sendable func deliver() -> Bool {
            let running = threadsAtOnce.add(1, ordering: .sequentiallyConsistent).newValue
            mostAtOnce.max(running, ordering: .sequentiallyConsistent)
            defer { threadsAtOnce.subtract(1, ordering: .sequentiallyConsistent) }
            return counts.withLock { counts in
                guard counts.due > 0 else { return false }
                counts.due -= 1
                counts.made += 1
                return true
            }
        }
    }

    @Test("a run loop runs one callback a source, only in its mode") func runLoop() throws {
        let mode = try #require(AudioFileObject.string("aq.test"))
        let loop = try #require(CFRunLoopGetCurrent())
        let context = RunLoopContext(loop, mode: mode)
        let due = Due()
        try context.begin { due.deliver() }
        due.add(3)
        context.schedule()
        #expect(CFRunLoopRunInMode(CFRunLoopMode.defaultMode, 0, true) != .handledSource)
        expectEqual(due.made, 0)
        for round in 1...3 {
            expectEqual(CFRunLoopRunInMode(mode, 1, true), .handledSource)
            expectEqual(due.made, round)
        }
        context.end()
        due.add(1)
        context.schedule()
        expectEqual(CFRunLoopRunInMode(mode, 0, true), .finished)
        expectEqual(due.made, 3)
    }

    @Test(
        "without a mode, or by name, the common modes are used", arguments: [nil, "kCFRunLoopCommonModes"])
    func commonModes(name: String?) throws {
        let loop = try #require(CFRunLoopGetCurrent())
        // A string of that name, made at run time: not the constant.
        let context = RunLoopContext(loop, mode: name.flatMap { AudioFileObject.string($0) })
        let due = Due()
        try context.begin { due.deliver() }
        defer { context.end() }
        due.add(1)
        context.schedule()
        expectEqual(CFRunLoopRunInMode(CFRunLoopMode.defaultMode, 1, true), .handledSource)
        expectEqual(due.made, 1)
    }

    @Test("a loop that is stopped in a callback runs no other before its next run") func stopLoop() throws {
        let loop = try #require(CFRunLoopGetCurrent())
        let context = RunLoopContext(loop, mode: nil)
        let due = Due()
        try context.begin {
            CFRunLoopStop(CFRunLoopGetCurrent())
            return due.deliver()
        }
        defer { context.end() }
        due.add(2)
        context.schedule()
        expectEqual(CFRunLoopRunInMode(CFRunLoopMode.defaultMode, 5, false), .stopped)
        expectEqual(due.made, 1)
        expectEqual(CFRunLoopRunInMode(CFRunLoopMode.defaultMode, 5, false), .stopped)
        expectEqual(due.made, 2)
    }

    @Test("a context releases its queue when it ends") func release() throws {
        let loop = try #require(CFRunLoopGetCurrent())
        let contexts: [any CallbackContext] = [
            RunLoopContext(loop, mode: nil),
            DispatchContext(SwiftDispatchQueue(DispatchQueue(label: "aq.test"))),
        ]
        for context in contexts {
            weak var held: Due?
            do {
                let due = Due()
                held = due
                try context.begin { due.deliver() }
            }
            #expect(held != nil)
            context.end()
            #expect(held == nil)
        }
    }

    @Test("only the loop's own thread is that of its callbacks") func currentLoop() throws {
        let context = RunLoopContext(try #require(CFRunLoopGetCurrent()), mode: nil)
        #expect(context.isCurrent)
        let isCurrentElsewhere = Atomic<Bool>(true)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            isCurrentElsewhere.store(context.isCurrent, ordering: .relaxed)
            done.signal()
        }
        done.wait()
        let isCurrent = isCurrentElsewhere.load(ordering: .relaxed)
        #expect(!isCurrent)
    }

    @Test("a dispatch queue runs every callback, one at a time even if it is concurrent")
    func dispatchQueue() throws {
        let client = DispatchQueue(label: "aq.test", attributes: .concurrent)
        let context = DispatchContext(SwiftDispatchQueue(client))
        let due = Due()
        try context.begin { due.deliver() }
        for _ in 0..<500 {
            due.add(1)
            context.schedule()
        }
        #expect(eventually { due.made == 500 })
        expectEqual(due.mostAtOnce.load(ordering: .sequentiallyConsistent), 1)
        context.end()
        due.add(1)
        context.schedule()
        client.sync(flags: .barrier) {}
        expectEqual(due.made, 500)
    }

    @Test("callbacks run where blocks of the client's queue run, and only there the context is current")
    func currentQueue() throws {
        let client = DispatchQueue(label: "aq.test")
        let key = DispatchSpecificKey<Int>()
        client.setSpecific(key: key, value: 7)
        let context = DispatchContext(SwiftDispatchQueue(client))
        let seen = Atomic<Int>(0)
        try context.begin {
            seen.store(DispatchQueue.getSpecific(key: key) ?? -1, ordering: .relaxed)
            return false
        }
        context.schedule()
        #expect(eventually { seen.load(ordering: .relaxed) == 7 })
        #expect(client.sync { context.isCurrent })
        #expect(!context.isCurrent)
        context.end()
    }
}
