// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Enqueued items") struct EnqueuedItemsTests {
        private struct Item: NumberedItem { let number: UInt64 }

        /// Items 1 to 4; the first two are in the device.
        private func items() -> EnqueuedItems<Item> {
            var items = EnqueuedItems<Item>()
            for _ in 0..<4 { items.append(Item(number: items.nextNumber)) }
            items.moveFirstToDevice()
            items.moveFirstToDevice()
            return items
        }

        @Test("the device returns its own items in order, and no others")
        func returned() {
            var items = items()
            #expect(items.first?.number == 3 && items.nextNumber == 5)
            #expect(items.takeReturned(through: 0) == nil)
            expectEqual(items.takeReturned(through: 4)?.number, 1)
            expectEqual(items.takeReturned(through: 4)?.number, 2)
            #expect(items.takeReturned(through: 4) == nil && items.isDeviceEmpty && !items.isEmpty)
        }

        @Test(
            "a reset takes the items enqueued before it, the device's first",
            arguments: [(1, []), (2, [1]), (4, [1, 2, 3]), (9, [1, 2, 3, 4])] as [(UInt64, [UInt64])])
        func below(limit: UInt64, expected: [UInt64]) {
            var items = items()
            var taken: [UInt64] = []
            while let item = items.takeFirst(below: limit) { taken.append(item.number) }
            expectEqual(taken, expected)
        }

        @Test("numbers increase although items are removed")
        func numbers() {
            var items = items()
            items.dropFirst()
            items.removeAll()
            #expect(items.isEmpty && items.isDeviceEmpty && items.nextNumber == 5)
        }
    }
}
