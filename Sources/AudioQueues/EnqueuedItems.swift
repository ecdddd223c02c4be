// SPDX-License-Identifier: MIT

/// An enqueued item with a number, which increases from item to item.
protocol NumberedItem {
    var number: UInt64 { get }
}

/// The enqueued items that were not returned, in order.
struct EnqueuedItems<Item: NumberedItem> {
    /// Items that were passed on neither to the device nor past the decoder.
    private(set) var waiting = FIFO<Item>()
    /// Items whose buffers the device uses.
    private(set) var inDevice = FIFO<Item>()
    private(set) var nextNumber: UInt64 = 1

    var isEmpty: Bool { waiting.isEmpty }
    var first: Item? { waiting.first }
    var isDeviceEmpty: Bool { inDevice.isEmpty }
    /// The waiting items and those in the device.
    var all: ArraySlice<Item> { waiting.elementsInOrder + inDevice.elementsInOrder }

    mutating func append(_ item: Item) {
        nextNumber = item.number + 1
        waiting.append(item)
    }

    mutating func moveFirstToDevice() {
        if let item = waiting.popFirst() { inDevice.append(item) }
    }

    mutating func dropFirst() { _ = waiting.popFirst() }

    /// Removes and returns the oldest item in the device, if its number is at most `token`.
    mutating func takeReturned(through token: UInt64) -> Item? {
        guard let item = inDevice.first, item.number <= token else { return nil }
        return inDevice.popFirst()
    }

    /// Removes and returns the oldest item, if its number is below `limit`.
    mutating func takeFirst(below limit: UInt64) -> Item? {
        if let item = inDevice.first, item.number < limit { return inDevice.popFirst() }
        if let item = waiting.first, item.number < limit { return waiting.popFirst() }
        return nil
    }

    mutating func removeAll() {
        waiting.removeAll()
        inDevice.removeAll()
    }
}
