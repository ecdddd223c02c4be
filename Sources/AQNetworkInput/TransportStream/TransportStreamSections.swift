// SPDX-License-Identifier: MIT

/// Joins the sections of a table from packets (ISO/IEC 13818-1, 2.4.4).
struct TransportStreamSections {
    /// The beginning of a section; at most a section and a packet.
    private var held: [UInt8] = []
    private var isSynchronised = false
    private var continuity = TransportStreamContinuity()

    /// The largest value of the length field in a program table.
    private static let mostLength = 1021

    var heldBytes: Int { held.count }

    mutating func reset() { self = TransportStreamSections() }

    /// Accepts any counter next, as at the start of a segment.
    mutating func resetContinuity() { continuity.reset() }

    /// Returns the sections that the packet completes, with a valid checksum, without the checksum.
    mutating func read(_ packet: TransportStreamPacket) -> [ArraySlice<UInt8>] {
        switch continuity.check(packet) {
        case .duplicate: return []
        case .afterLoss: drop()
        case .next: break
        }
        guard var payload = packet.payload, !packet.isScrambled else { return [] }
        var sections: [ArraySlice<UInt8>] = []
        if packet.beginsUnit {
            // The first byte is the number of bytes that belong to the previous section.
            guard let pointer = payload.popFirst(), Int(pointer) <= payload.count else {
                drop()
                return []
            }
            if isSynchronised {
                held += payload.prefix(Int(pointer))
                sections += takeSections()
            }
            held = Array(payload.dropFirst(Int(pointer)))
            isSynchronised = true
        } else if isSynchronised {
            held += payload
        }
        return sections + takeSections()
    }

    private mutating func takeSections() -> [ArraySlice<UInt8>] {
        var sections: [ArraySlice<UInt8>] = []
        var rest = held[...]
        while rest.count >= 3 {
            let start = rest.startIndex
            let length = Int(rest[start + 1] & 0x0F) << 8 | Int(rest[start + 2])
            // 0xFF is stuffing up to the end of the packet.
            guard rest[start] != 0xFF, 9...Self.mostLength ~= length else {
                drop()
                return sections
            }
            guard rest.count >= 3 + length else { break }
            let section = rest.prefix(3 + length)
            if TransportStreamChecksum.value(of: section) == 0 { sections.append(section.dropLast(4)) }
            rest = rest.dropFirst(3 + length)
        }
        held = Array(rest)
        return sections
    }

    /// Waits for the next packet in which a section begins.
    private mutating func drop() {
        held = []
        isSynchronised = false
    }
}
