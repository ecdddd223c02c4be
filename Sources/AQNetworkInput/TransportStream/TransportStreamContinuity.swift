// SPDX-License-Identifier: MIT

/// The check of the counter of one stream's packets.
struct TransportStreamContinuity {
    enum Verdict { case next, duplicate, afterLoss }

    private var last: UInt8?
    private var wasRepeated = false

    /// Accepts any counter next, as at the start of a segment.
    mutating func reset() { last = nil }

    /// Compares a packet with the one before it. A packet may be sent twice.
    mutating func check(_ packet: TransportStreamPacket) -> Verdict {
        guard packet.payload != nil else {
            if packet.isDiscontinuous { last = nil }
            return .next
        }
        defer { last = packet.counter }
        guard let last, !packet.isDiscontinuous else {
            wasRepeated = false
            return .next
        }
        if packet.counter == last && !wasRepeated {
            wasRepeated = true
            return .duplicate
        }
        wasRepeated = false
        return packet.counter == (last + 1) & 0x0F ? .next : .afterLoss
    }
}
