// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQNetworkInput

@Suite("The buffer of arrived bytes", .waiting)
struct ArrivalBufferTests {
    @Test("stays small if a server sends a title after each byte, and loses none")
    func manyTitles() throws {
        let buffer = ArrivalBuffer(goal: FillGoal(seconds: 1, mostSeconds: 1), capacity: 1 << 20)
        let count = 5000
        Thread.detachNewThread {
            for number in 0..<count {
                buffer.append(title: "passed over")
                buffer.append(title: "title \(number)")
                unsafe [UInt8(truncatingIfNeeded: number)].withUnsafeBytes { _ = unsafe buffer.append($0) }
            }
            buffer.end(nil)
        }
        #expect(eventually { buffer.receivedBytes > 1000 })
        leaveAsIs(seconds: 0.2)
        #expect(buffer.receivedBytes < 1100)
        var memory = [UInt8](repeating: 0, count: 100)
        for number in 0..<count {
            let found = unsafe memory.withUnsafeMutableBytes { unsafe buffer.read(into: $0) }
            try #require(found == .bytes(1))
            expectEqual(memory[0], UInt8(truncatingIfNeeded: number))
            expectEqual(buffer.title, "title \(number)")
        }
        unsafe expectEqual(memory.withUnsafeMutableBytes { unsafe buffer.read(into: $0) }, .end(nil))
    }

    @Test(
        "is filled again after the connection was lost, and not at another boundary",
        arguments: [true, false])
    func boundaries(isLoss: Bool) {
        var goal = FillGoal(seconds: 1, mostSeconds: 1)
        goal.bitRate = 8 * 1000
        let buffer = ArrivalBuffer(goal: goal, capacity: 1 << 20)
        append(2000, to: buffer)
        buffer.appendBoundary(isLoss: isLoss)
        buffer.appendBoundary(isLoss: isLoss)
        expectEqual(read(buffer), .bytes(2000))
        expectEqual(read(buffer), .boundary)
        append(100, to: buffer)
        expectEqual(buffer.wait(milliseconds: 0), !isLoss)
        append(1200, to: buffer)
        #expect(buffer.wait(milliseconds: 0))
        expectEqual(read(buffer), .bytes(1300))
    }

    @Test("holds more of a lossless stream whose bit rate is not stated")
    func likelyBitRate() {
        let buffer = ArrivalBuffer(goal: FillGoal(seconds: 1, mostSeconds: 1), capacity: 1 << 20)
        buffer.setLikelyBitRate(900_000)
        append(100_000, to: buffer)
        #expect(!buffer.wait(milliseconds: 0))
        // A quiet stream has a lower bit rate, and does not wait longer than the time wanted.
        #expect(buffer.wait(milliseconds: 1400))
    }

    @Test("waits for twice as much after each stall unless enough has arrived, and for little after a loss")
    func stalls() {
        var goal = FillGoal(seconds: 1, mostSeconds: 4)
        goal.bitRate = 8 * 800
        let buffer = ArrivalBuffer(goal: goal, capacity: 1 << 20)
        for seconds in [1, 2, 4, 4] {
            append(seconds * 1000 - 1, to: buffer)
            #expect(!buffer.wait(milliseconds: 0), "\(seconds)")
            append(1, to: buffer)
            #expect(buffer.wait(milliseconds: 0), "\(seconds)")
            #expect(!buffer.fillAgain(enqueuedSeconds: 0))
            expectEqual(read(buffer), .bytes(seconds * 1000))
            #expect(!buffer.fillAgain(enqueuedSeconds: Double(seconds) / 2))
            #expect(buffer.fillAgain(enqueuedSeconds: 0))
            #expect(!buffer.fillAgain(enqueuedSeconds: 0), "it is being filled")
        }
        buffer.appendBoundary(isLoss: true)
        expectEqual(read(buffer), .boundary)
        append(1000, to: buffer)
        #expect(buffer.wait(milliseconds: 0))
    }

    private func append(_ count: Int, to buffer: ArrivalBuffer) {
        unsafe [UInt8](repeating: 1, count: count).withUnsafeBytes { _ = unsafe buffer.append($0) }
    }

    private func read(_ buffer: ArrivalBuffer) -> ArrivalBuffer.Found {
        var memory = [UInt8](repeating: 0, count: 10_000)
        return unsafe memory.withUnsafeMutableBytes { unsafe buffer.read(into: $0) }
    }
}
