// SPDX-License-Identifier: MIT

import AQExpectations
import Dispatch
import Testing

@testable import AQToolboxFunctions

@Suite("Handles") struct HandleTableTests {
    private final class Thing: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    @Test("an object is found by its handle until that is removed") func lookup() throws {
        let table = HandleTable<Thing>()
        let first = unsafe try #require(unsafe table.insert(Thing(1)))
        let second = unsafe try #require(unsafe table.insert(Thing(2)))
        unsafe expectEqual(table[first]?.number, 1)
        unsafe expectEqual(table[second]?.number, 2)
        unsafe expectEqual(table.remove(first)?.number, 1)
        #expect(unsafe table[first] == nil)
        #expect(unsafe table.remove(first) == nil)
        unsafe expectEqual(table[second]?.number, 2)
    }

    @Test("a removed handle is stale, and never another object's") func staleHandles() throws {
        let table = HandleTable<Thing>()
        let old = unsafe try #require(unsafe table.insert(Thing(1)))
        #expect(unsafe !table.isStale(old))
        unsafe table.remove(old)
        for number in 0..<1000 {
            let new = unsafe try #require(unsafe table.insert(Thing(number)))
            #expect(unsafe new != old)
            #expect(unsafe table[old] == nil)
            unsafe table.remove(new)
        }
        #expect(unsafe table.isStale(old))
    }

    @Test("a handle that is not in the table is not found, and is not stale") func foreignHandles() throws {
        let table = HandleTable<Thing>()
        let other = HandleTable<Thing>()
        let own = unsafe try #require(unsafe table.insert(Thing(1)))
        let foreign = unsafe try #require(unsafe other.insert(Thing(2)))
        unsafe other.remove(foreign)
        let bits = UInt(bitPattern: own)
        let wrong: [UInt] = [
            0, 1, 16, 0x7FFF_FFFF_FFF0, .max, bits ^ 1, bits | 1 << 47, bits &+ (1 << 5), bits &+ (1 << 27),
        ]
        for bits in wrong {
            let handle = unsafe OpaquePointer(bitPattern: bits)
            #expect(unsafe table[handle] == nil, "\(bits)")
            #expect(unsafe !table.isStale(handle), "\(bits)")
            #expect(unsafe table.remove(handle) == nil, "\(bits)")
        }
        #expect(unsafe table[foreign] == nil)
        #expect(unsafe !table.isStale(foreign))
        #expect(unsafe other.isStale(foreign))
        unsafe expectEqual(table[own]?.number, 1)
    }

    @Test("a handle has the bits of a user-space address, and is no object's address") func shape() throws {
        let handle = unsafe try #require(unsafe HandleTable<Thing>().insert(Thing(1)))
        #expect(UInt(bitPattern: handle) >> 47 == 0)
        expectEqual(UInt(bitPattern: handle) & 1, 1)
    }

    @Test("a slot that has used all its generations is retired") func lastGeneration() throws {
        let table = HandleTable<Thing>()
        let thing = Thing(1)
        let first = unsafe try #require(unsafe table.insert(thing))
        unsafe table.remove(first)
        var last = unsafe first
        for _ in 1..<HandleKey.maximumGeneration {
            guard let handle = unsafe table.insert(thing) else { break }
            unsafe table.remove(handle)
            unsafe last = handle
        }
        unsafe expectEqual(HandleKey(last)?.generation, HandleKey.maximumGeneration)
        let next = unsafe try #require(unsafe table.insert(thing))
        unsafe expectEqual(HandleKey(next)?.index, 1)
        #expect(unsafe table.isStale(first) && table.isStale(last))
        #expect(unsafe table[first] == nil && table[last] == nil)
    }

    @Test("handles of many threads do not mix") func threads() {
        let table = HandleTable<Thing>()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for step in 0..<2000 {
                let number = thread * 10_000 + step
                let handle = unsafe table.insert(Thing(number))
                unsafe expectEqual(table[handle]?.number, number)
                unsafe expectEqual(table.remove(handle)?.number, number)
            }
        }
    }
}
