// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQTestSupport
import Testing

@testable import AQUnits

@Suite("Captured frames", .timeLimit(.minutes(20)))
struct CapturedFramesTests {
    private let frames = CapturedFrames(capacity: 8, bytesPerFrame: 2)

    @discardableResult
    private func append(_ numbers: [Int16]) -> Int {
        unsafe numbers.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe frames.append(start, frames: numbers.count)
        }
    }

    private func take(_ count: Int) -> [Int16]? {
        var numbers = [Int16](repeating: -1, count: max(1, count))
        let isTaken = unsafe numbers.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe frames.take(count, into: start)
        }
        return isTaken ? Array(numbers[..<count]) : nil
    }

    @Test("are taken in order, in other portions than they came in")
    func order() {
        append([1, 2, 3])
        expectEqual(take(2), [1, 2])
        append([4, 5, 6, 7, 8])
        expectEqual(take(6), [3, 4, 5, 6, 7, 8])
        expectEqual(frames.count, 0)
    }

    @Test("stay if more are requested than there are")
    func tooMany() {
        append([1, 2])
        expectEqual(take(3), nil)
        expectEqual(take(2), [1, 2])
        expectEqual(take(1), nil)
        expectEqual(take(0), [])
    }

    @Test("are dropped, the oldest first, if nobody takes them")
    func overflow() {
        append([1, 2, 3, 4, 5, 6])
        append([7, 8, 9, 10])
        expectEqual(take(8), [3, 4, 5, 6, 7, 8, 9, 10])
        expectEqual(append(Array(1...20)), 12)
        expectEqual(frames.nextNumber, 10)
        expectEqual(take(8), Array(13...20))
    }

    @Test("can be reduced to the newest")
    func newest() {
        append([1, 2, 3, 4, 5])
        frames.keep(newest: 2)
        expectEqual(take(2), [4, 5])
        frames.keep(newest: 4)
        expectEqual(frames.count, 0)
    }

    @Test("that wait can be dropped, and are numbered on")
    func dropped() {
        append([1, 2, 3])
        expectEqual(take(1), [1])
        frames.removeAll()
        expectEqual(frames.count, 0)
        append([4])
        expectEqual(take(1), [4])
        expectEqual(frames.nextNumber, 4)
    }

    @Test("stay dropped if they are dropped by two threads at the same time")
    func droppedTwice() {
        for _ in 0..<200 {
            let frames = CapturedFrames(capacity: 4_096, bytesPerFrame: 1)
            let number = [UInt8](repeating: 1, count: 1)
            let isDone = Tally()
            Thread.detachNewThread {
                while isDone.now == 0 { frames.removeAll() }
                isDone.now = 2
            }
            var faults = 0
            for _ in 0..<500 {
                unsafe number.withUnsafeBytes { _ = unsafe frames.append($0.baseAddress!, frames: 1) }
                frames.removeAll()
                if frames.count > 0 { faults += 1 }
            }
            isDone.now = 1
            expectEqual(faults, 0)
            #expect(eventually { isDone.now == 2 })
        }
    }

    @Test("are whole and in order if one thread adds and another takes, which is sometimes late")
    func threads() {
        let frames = CapturedFrames(capacity: 64, bytesPerFrame: 8)
        let total = 200_000
        let lost = Tally()
        let isDone = Tally()
        Thread.detachNewThread {
            var number = 0
            while number < total {
                let count = 1 + number % 16
                let slice = (number..<number + count).map { Int64($0) }
                unsafe slice.withUnsafeBytes { bytes in
                    if let start = bytes.baseAddress { lost.add(unsafe frames.append(start, frames: count)) }
                }
                number += count
                if number % 1_000 < 900 { sched_yield() }
            }
            isDone.now = number
        }
        var (next, taken, gaps, faults) = (Int64(0), 0, 0, 0)
        var slice = [Int64](repeating: 0, count: 24)
        while isDone.now == 0 || frames.count >= 24 {
            let isTaken = unsafe slice.withUnsafeMutableBytes { bytes in
                guard let start = bytes.baseAddress else { return false }
                return unsafe frames.take(24, into: start)
            }
            guard isTaken else {
                sched_yield()
                continue
            }
            taken += 24
            // The lost frames of a busy turn may be within a slice.
            for value in slice {
                if value < next { faults += 1 }
                if value > next { gaps += 1 }
                next = value + 1
            }
        }
        expectEqual(faults, 0)
        #expect(taken > 0 && gaps > 0)
        #expect(taken + lost.now + frames.count <= isDone.now)
        #expect(isDone.now >= total)
    }
}
