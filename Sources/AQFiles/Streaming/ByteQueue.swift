// SPDX-License-Identifier: MIT

/// The unused bytes of a stream that have arrived, with their offset in the stream.
///
/// Memory grows only as bytes arrive, never because of a size in a header.
@safe final class ByteQueue {
    /// The offset of the first byte in the stream.
    private(set) var offset: Int64 = 0
    /// The number of coming bytes to skip.
    private var skipping: Int64 = 0
    private var memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0

    init() { unsafe memory = .allocate(byteCount: Self.firstCapacity, alignment: 16) }

    deinit { unsafe memory.deallocate() }

    var count: Int { end - start }

    /// The offset of the next needed byte, available or not.
    var nextOffset: Int64 {
        let (next, overflow) = offset.addingReportingOverflow(skipping)
        return overflow ? .max : next
    }

    /// The available bytes, valid until the next call that changes the queue.
    var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end])
    }

    /// A copy of the first available bytes, at most `count`.
    func prefix(_ count: Int) -> [UInt8] { unsafe Array(bytes.prefix(count)) }

    func append(_ new: UnsafeRawBufferPointer) {
        let skipped = Int(min(skipping, Int64(new.count)))
        skipping -= Int64(skipped)
        offset += Int64(skipped)
        let rest = unsafe UnsafeRawBufferPointer(rebasing: new[skipped...])
        guard rest.count > 0 else { return }
        makeRoom(for: rest.count)
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: rest)
        end += rest.count
    }

    /// Skips bytes, including bytes that have not arrived.
    func skip(_ bytes: Int64) {
        let held = Int(min(bytes, Int64(count)))
        start += held
        offset += Int64(held)
        let (sum, overflow) = skipping.addingReportingOverflow(bytes - Int64(held))
        skipping = overflow ? .max : sum
        guard start == end else { return }
        (start, end) = (0, 0)
        if unsafe memory.count > Self.usualCapacity { replaceMemory(capacity: Self.usualCapacity) }
    }

    /// Drops all bytes; the next bytes begin at `offset`.
    func restart(at offset: Int64) {
        (start, end, skipping) = (0, 0, 0)
        self.offset = offset
    }

    private func makeRoom(for newBytes: Int) {
        guard unsafe end + newBytes > memory.count else { return }
        // Only small remainders are moved, so that single-byte pieces are not moved repeatedly.
        guard unsafe count + newBytes > memory.count / 2 else {
            unsafe memory.copyMemory(from: bytes)
            (start, end) = (0, count)
            return
        }
        replaceMemory(capacity: unsafe max(2 * memory.count, count + newBytes))
    }

    private func replaceMemory(capacity: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe larger.copyMemory(from: bytes)
        unsafe memory.deallocate()
        unsafe memory = larger
        (start, end) = (0, count)
    }

    /// The first capacity in bytes, enough for a header.
    private static let firstCapacity = 4 << 10
    /// The capacity kept if the queue becomes empty, in bytes.
    private static let usualCapacity = 128 << 10
}
