// SPDX-License-Identifier: MIT

/// The latest unrecorded bytes, which may precede a loud frame.
struct PreRoll {
    private var ring: [UInt8]
    private var next = 0
    private var filled = 0

    init(byteCapacity: Int) { ring = Array(repeating: 0, count: max(0, byteCapacity)) }

    /// Adds `bytes`, and drops the oldest beyond the capacity.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let kept = unsafe bytes.suffix(ring.count)
        guard unsafe !kept.isEmpty else { return }
        let beforeWrap = unsafe min(kept.count, ring.count - next)
        unsafe ring.replaceSubrange(next..<(next + beforeWrap), with: kept.prefix(beforeWrap))
        unsafe ring.replaceSubrange(0..<(kept.count - beforeWrap), with: kept.dropFirst(beforeWrap))
        next = unsafe (next + kept.count) % ring.count
        filled = unsafe min(ring.count, filled + kept.count)
    }

    /// Returns the latest bytes, at most `byteCount`, in order, and drops all bytes.
    mutating func take(_ byteCount: Int) -> [UInt8] {
        let count = min(max(0, byteCount), filled)
        let start = next - count
        let taken =
            start >= 0
            ? Array(ring[start..<next]) : Array(ring[(start + ring.count)...] + ring[..<next])
        (filled, next) = (0, 0)
        return taken
    }
}
