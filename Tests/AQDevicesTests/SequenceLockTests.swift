// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct SequenceLockTests {
    private struct Value: Equatable {
        var first: UInt64 = 0
        var second = 0.0
        var third: UInt64 = 0
        var isOdd = false

        init(_ number: UInt64) {
            first = number
            second = Double(number)
            third = ~number
            isOdd = number & 1 == 1
        }
    }

    private final class Published: Sendable {
        let lock = SequenceLock(Value(0))

        func read() -> Value {
            var value = Value(0)
            lock.read(into: &value)
            return value
        }
    }

    @Test("a value is returned completely, including its last byte")
    func whole() {
        let published = Published()
        expectEqual(published.read(), Value(0))
        for number in [1, 2, UInt64.max >> 12] {
            var value = Value(number)
            unsafe published.lock.publish(&value)
            expectEqual(published.read(), value)
        }
    }

    @Test("no reader gets half of one value and half of another")
    func torn() throws {
        let published = Published()
        let last: UInt64 = 200_000
        let status = DetachedThread.start(named: "writer") {
            for number in 1...last {
                var value = Value(number)
                unsafe published.lock.publish(&value)
            }
        }
        try #require(status == 0)
        var value = Value(0)
        var torn = 0
        while value.first != last {
            value = published.read()
            if value != Value(value.first) { torn += 1 }
        }
        expectEqual(torn, 0)
    }
}
