// SPDX-License-Identifier: MIT

import Testing

@testable import AudioUnits

@Suite("Captured frames")
struct CapturedFramesTests {
    private let frames = CapturedFrames(capacity: 8, bytesPerFrame: 2)

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
        #expect(append([1, 2, 3]) == 0)
        #expect(take(2) == [1, 2])
        #expect(append([4, 5, 6, 7, 8]) == 0)
        #expect(take(6) == [3, 4, 5, 6, 7, 8])
        #expect(frames.count == 0)
    }

    @Test("stay if more are requested than there are")
    func tooMany() {
        #expect(append([1, 2]) == 0)
        #expect(take(3) == nil)
        #expect(take(2) == [1, 2])
        #expect(take(1) == nil)
        #expect(take(0) == [])
    }

    @Test("are dropped, the oldest first, if nobody takes them")
    func overflow() {
        #expect(append([1, 2, 3, 4, 5, 6]) == 0)
        #expect(append([7, 8, 9, 10]) == 2)
        #expect(take(8) == [3, 4, 5, 6, 7, 8, 9, 10])
        #expect(append(Array(1...20)) == 12)
        #expect(take(8) == Array(13...20))
    }

    @Test("can be reduced to the newest")
    func newest() {
        _ = append([1, 2, 3, 4, 5])
        frames.keep(newest: 2)
        #expect(take(2) == [4, 5])
        frames.keep(newest: 4)
        #expect(frames.count == 0)
    }
}
