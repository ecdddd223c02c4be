// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import aqplay

@Suite("PlayOrder")
struct PlayOrderTests {
    @Test("plays the list once, or as often as asked")
    func passes() {
        var once = PlayOrder(trackCount: 2, passes: 1, shuffleSeed: nil)
        expectEqual((-1...2).map { once.track(at: $0) }, [nil, 0, 1, nil])
        var thrice = PlayOrder(trackCount: 2, passes: 3, shuffleSeed: nil)
        expectEqual((0...6).map { thrice.track(at: $0) }, [0, 1, 0, 1, 0, 1, nil])
        var endless = PlayOrder(trackCount: 2, passes: nil, shuffleSeed: nil)
        expectEqual(endless.track(at: 1_000_001), 1)
    }

    @Test("an empty list has no track", arguments: [1, nil])
    func empty(passes: Int?) {
        var order = PlayOrder(trackCount: 0, passes: passes, shuffleSeed: 1)
        expectEqual(order.track(at: 0), nil)
    }

    @Test("shuffles each pass again, plays each track once a pass, and can go back")
    func shuffle() {
        var order = PlayOrder(trackCount: 50, passes: nil, shuffleSeed: 42)
        let first = (0..<50).map { order.track(at: $0) }
        let second = (50..<100).map { order.track(at: $0) }
        expectEqual(Set(first), Set(0..<50))
        expectEqual(Set(second), Set(0..<50))
        #expect(first != second)
        expectEqual((0..<50).map { order.track(at: $0) }, first)
    }

    @Test("goes back past tracks without audio, and no further than the first step")
    func back() {
        var order = PlayOrder(trackCount: 4, passes: nil, shuffleSeed: nil)
        expectEqual(order.stepBack(from: 0), 0)
        expectEqual(order.stepBack(from: 3), 2)
        order.note(step: 1, gaveSound: false)
        order.note(step: 6, gaveSound: false)
        expectEqual(order.stepBack(from: 3), 0)
        expectEqual(order.stepBack(from: 7), 4)
        order.note(step: 4, gaveSound: false)
        expectEqual(order.stepBack(from: 3), 3)
        order.note(step: 2, gaveSound: true)
        expectEqual(order.stepBack(from: 3), 2)
    }

    @Test("a changed order plays the rest of the pass once, and keeps what was played")
    func changedOrder() {
        var order = PlayOrder(trackCount: 50, passes: 2, shuffleSeed: nil)
        order.setShuffle(seed: 7, from: 10)
        let first = (0..<50).compactMap { order.track(at: $0) }
        expectEqual(Array(first[..<10]), Array(0..<10))
        #expect(Set(first) == Set(0..<50) && first != Array(0..<50))
        let second = (50..<100).compactMap { order.track(at: $0) }
        #expect(Set(second) == Set(0..<50) && second != Array(0..<50), "the next pass is shuffled too")
        expectEqual(
            (0..<50).compactMap { order.track(at: $0) }, first, "the order remains after a look ahead")
        order.setShuffle(seed: nil, from: 20)
        let again = (0..<50).compactMap { order.track(at: $0) }
        expectEqual(Array(again[..<20]), Array(first[..<20]))
        expectEqual(Array(again[20...]), first[20...].sorted())
        expectEqual((50..<100).compactMap { order.track(at: $0) }, Array(0..<50))
        expectEqual(order.track(at: 100), nil)
    }

    @Test("an order that is changed after the last track keeps the tracks before")
    func changedOrderAtEnds() {
        var order = PlayOrder(trackCount: 50, passes: 1, shuffleSeed: nil)
        order.setShuffle(seed: 1, from: 50)
        expectEqual((0..<50).map { order.track(at: $0) }, Array(0..<50))
        expectEqual(order.track(at: 50), nil)
        order.passes = nil
        let second = (50..<100).compactMap { order.track(at: $0) }
        #expect(Set(second) == Set(0..<50) && second != Array(0..<50))
        var empty = PlayOrder(trackCount: 0, passes: nil, shuffleSeed: nil)
        empty.setShuffle(seed: 1, from: 0)
        expectEqual(empty.track(at: 0), nil)
    }
}
