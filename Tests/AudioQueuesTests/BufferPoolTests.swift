// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAllocationMeter
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("The buffers of a queue") struct BufferPoolTests {
        @Test(
            "change their owner without an allocation",
            .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"))
        func moves() throws {
            var pool = BufferPool()
            let buffers = try (0..<100).map { _ in
                try pool.allocate(byteCapacity: 64, descriptionCapacity: 0)
            }
            // The runtime prepares types at their first use.
            pool.move(buffers[0], to: .queue)
            pool.move(buffers[0], to: .client)
            let before = aq_meter_allocations()
            // Unoptimized iterators allocate memory.
            var index = 0
            while index < 100 {
                pool.move(buffers[index], to: .queue)
                if index >= 50 { pool.move(buffers[index], to: .client) }
                index += 1
            }
            expectEqual(aq_meter_allocations(), before)
            #expect(throws: QueueError.self) { try pool.clientRecord(of: buffers[49], to: "enqueue") }
            try expectEqual(pool.clientRecord(of: buffers[50], to: "enqueue").byteCapacity, 64)
            pool.freeAll()
            expectEqual(pool.bufferCount, 0)
        }
    }
}
