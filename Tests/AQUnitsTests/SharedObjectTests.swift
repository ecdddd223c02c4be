// SPDX-License-Identifier: MIT

import AQExpectations
import Dispatch
import Synchronization
import Testing
import AQThreads

@Suite("An object that is shared without a lock", .serialized, .timeLimit(.minutes(20)))
struct SharedObjectTests {
    /// An object that is counted while it lives, with a value that its end destroys.
    private final class Item: Sendable {
        static let living = Atomic<Int>(0)
        private let value = Atomic<Int>(0)

        init(_ value: Int) {
            self.value.store(value, ordering: .relaxed)
            Item.living.add(1, ordering: .relaxed)
        }

        deinit {
            value.store(-1, ordering: .relaxed)
            Item.living.subtract(1, ordering: .relaxed)
        }

        var current: Int { value.load(ordering: .relaxed) }
    }

    @Test("is released by its replacement, and by the end of its owner")
    func release() {
        final class Owner { let shared = SharedObject<Item>() }
        var owner: Owner? = Owner()
        #expect(owner?.shared.load() == nil)
        weak var first: Item?
        do {
            let item = Item(1)
            first = item
            #expect(owner?.shared.replace(item) == nil)
        }
        expectEqual(first?.current, 1)
        #expect(owner?.shared.load() === first)
        expectEqual(owner?.shared.replace(Item(2))?.current, 1)
        #expect(first == nil)
        weak let second = owner?.shared.load()
        expectEqual(second?.current, 2)
        owner = nil
        #expect(second == nil)
    }

    @Test("lives while it is read, however often it is replaced")
    func threads() {
        final class Owner: Sendable { let shared = SharedObject<Item>(Item(0)) }
        let before = Item.living.load(ordering: .relaxed)
        do {
            let owner = Owner()
            let isDone = Atomic<Int>(0)
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                if number < 2 {
                    for value in 1...20_000 { owner.shared.replace(Item(value)) }
                    isDone.add(1, ordering: .releasing)
                } else {
                    var faults = 0
                    while isDone.load(ordering: .acquiring) < 2 {
                        for _ in 0..<100 where (owner.shared.load()?.current ?? -1) < 0 { faults += 1 }
                    }
                    expectEqual(faults, 0)
                }
            }
            expectEqual(Item.living.load(ordering: .relaxed), before + 1)
        }
        expectEqual(Item.living.load(ordering: .relaxed), before)
    }
}
