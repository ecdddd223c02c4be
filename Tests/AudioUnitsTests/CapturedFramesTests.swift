// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import Testing

@testable import AudioUnits

@Suite("Captured frames")
struct CapturedFramesTests {
    private let frames = CapturedFrames(capacity: 8, longestWrite: 3, bytesPerFrame: 2)

    private func append(_ numbers: [Int16]) {
        unsafe numbers.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { unsafe frames.append(start, frames: numbers.count) }
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
        #expect(take(2) == [1, 2])
        append([4, 5, 6, 7, 8])
        #expect(take(6) == [3, 4, 5, 6, 7, 8])
        #expect(frames.count == 0)
    }

    @Test("stay if more are requested than there are")
    func tooMany() {
        append([1, 2])
        #expect(take(3) == nil)
        #expect(take(2) == [1, 2])
        #expect(take(1) == nil)
        #expect(take(0) == [])
    }

    @Test("are dropped, the oldest first, if nobody takes them")
    func overflow() {
        append([1, 2, 3, 4, 5, 6])
        append([7, 8, 9, 10])
        #expect(take(8) == [3, 4, 5, 6, 7, 8, 9, 10])
        append(Array(1...20))
        #expect(frames.nextNumber == 22)
        #expect(take(8) == Array(13...20))
    }

    @Test("can be reduced to the newest")
    func newest() {
        append([1, 2, 3, 4, 5])
        frames.keep(newest: 2)
        #expect(take(2) == [4, 5])
        frames.keep(newest: 4)
        #expect(frames.count == 0)
    }

    @Test("that wait can be dropped, also while they are taken")
    func dropped() {
        append([1, 2, 3])
        #expect(take(1) == [1])
        frames.removeAll()
        #expect(frames.count == 0)
        append([4])
        #expect(take(1) == [4])
        #expect(frames.nextNumber == 4)
    }

    @Test("are whole and in order if one thread adds and another takes, which is sometimes late")
    func threads() {
        let frames = CapturedFrames(capacity: 64, longestWrite: 16, bytesPerFrame: 8)
        let total = 200_000
        let isDone = Atomic<Bool>(false)
        DispatchQueue.concurrentPerform(iterations: 2) { side in
            if side == 0 {
                var number = 0
                while number < total {
                    let count = 1 + number % 16
                    let slice = (number..<number + count).map { Int64($0) }
                    unsafe slice.withUnsafeBytes { bytes in
                        if let start = bytes.baseAddress { unsafe frames.append(start, frames: count) }
                    }
                    number += count
                    if number % 1_000 < 900 { sched_yield() }
                }
                isDone.store(true, ordering: .releasing)
            } else {
                var (last, taken, faults) = (Int64(-1), 0, 0)
                var slice = [Int64](repeating: 0, count: 24)
                while !isDone.load(ordering: .acquiring) || frames.count >= 24 {
                    let isTaken = unsafe slice.withUnsafeMutableBytes { bytes in
                        guard let start = bytes.baseAddress else { return false }
                        return unsafe frames.take(24, into: start)
                    }
                    guard isTaken else {
                        sched_yield()
                        continue
                    }
                    taken += 24
                    if slice[0] <= last { faults += 1 }
                    for index in 1..<24 where slice[index] != slice[0] + Int64(index) { faults += 1 }
                    last = slice[23]
                }
                #expect(faults == 0)
                #expect(taken > 0)
                #expect(last < Int64(total + 16))
            }
        }
    }
}
