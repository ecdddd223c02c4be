// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import NetworkInput

@Suite("The buffer of arrived bytes")
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
            #expect(memory[0] == UInt8(truncatingIfNeeded: number))
            #expect(buffer.title == "title \(number)")
        }
        #expect(unsafe memory.withUnsafeMutableBytes { unsafe buffer.read(into: $0) } == .end(nil))
    }
}
