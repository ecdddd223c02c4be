// SPDX-License-Identifier: MIT

/// Segments that the device has taken completely and that wait to be returned, oldest first.
///
/// Belongs to the device's thread. Its capacity is a ``StreamFeed``'s limit of outstanding segments, a power of two.
@safe struct WrittenSegments: ~Copyable {
    // SAFETY: owns its memory; slots are counters modulo the capacity.
    private let tokens: UnsafeMutablePointer<UInt64>
    private let endFrames: UnsafeMutablePointer<Int64>
    private let slotMask: Int
    private var first = 0
    private var end = 0

    init() {
        let capacity = StreamFeed.segmentCapacity
        slotMask = capacity - 1
        unsafe tokens = .allocate(capacity: capacity)
        unsafe tokens.initialize(repeating: 0, count: capacity)
        unsafe endFrames = .allocate(capacity: capacity)
        unsafe endFrames.initialize(repeating: 0, count: capacity)
    }

    deinit {
        unsafe tokens.deallocate()
        unsafe endFrames.deallocate()
    }

    var count: Int { end - first }

    /// Appends a segment that ends before `endFrame`. REAL-TIME.
    @_noLocks mutating func append(token: UInt64, endFrame: Int64) {
        let slot = end & slotMask
        unsafe tokens[slot] = token
        unsafe endFrames[slot] = endFrame
        end &+= 1
    }

    /// Removes the oldest segment that ends at `frame` or before; false if there is none. REAL-TIME.
    @_noLocks mutating func take(endingBy frame: Int64, _ token: inout UInt64) -> Bool {
        if first == end { return false }
        let slot = first & slotMask
        if unsafe endFrames[slot] > frame { return false }
        unsafe token = tokens[slot]
        first &+= 1
        return true
    }
}
