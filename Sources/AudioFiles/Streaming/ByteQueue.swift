/// The bytes of a stream that have arrived and were not used yet, with their place in the stream.
///
/// Memory grows as bytes arrive, never for what a header promises.
@safe final class ByteQueue {
    /// The place of the first byte in the stream.
    private(set) var offset: Int64 = 0
    /// Bytes to come that nobody wants.
    private var skipping: Int64 = 0
    private var memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0

    init() { unsafe memory = .allocate(byteCount: Self.firstCapacity, alignment: 16) }

    deinit { unsafe memory.deallocate() }

    /// Bytes at hand.
    var count: Int { end - start }

    /// The place of the next byte that somebody wants, at hand or not.
    var nextOffset: Int64 {
        let (next, overflow) = offset.addingReportingOverflow(skipping)
        return overflow ? .max : next
    }

    /// The bytes at hand, valid until the next call that changes the queue.
    var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: memory[start..<end])
    }

    /// A copy of the first bytes, as many as there are of `count`.
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

    /// Passes over bytes, also over such as have not arrived yet.
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

    /// Forgets all bytes; those that come next stand at another place.
    func restart(at offset: Int64) {
        (start, end, skipping) = (0, 0, 0)
        self.offset = offset
    }

    private func makeRoom(for newBytes: Int) {
        guard unsafe end + newBytes > memory.count else { return }
        // Moving what is little keeps pieces of one byte from being moved again and again.
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

    /// Grows at once for whoever gives more than a header.
    private static let firstCapacity = 4 << 10
    /// Stays, however often it is emptied.
    private static let usualCapacity = 128 << 10
}
