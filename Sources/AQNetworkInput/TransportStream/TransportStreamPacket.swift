// SPDX-License-Identifier: MIT

/// A packet of an MPEG transport stream (ISO/IEC 13818-1, 2.4.3.2).
struct TransportStreamPacket {
    static let byteCount = 188
    static let syncByte: UInt8 = 0x47

    /// The packet identifier: 13 bits that name the stream.
    let identifier: Int
    /// Whether a PES packet or a section begins in the payload.
    let beginsUnit: Bool
    let isScrambled: Bool
    /// The number of the packet in its stream, modulo 16; only packets with a payload are counted.
    let counter: UInt8
    /// Whether the packet announces that its counter does not continue.
    let isDiscontinuous: Bool
    /// The payload; nil if the packet has none.
    let payload: ArraySlice<UInt8>?

    /// Parses a packet of ``byteCount`` bytes that begins with the sync byte; nil if it is marked as damaged, or its
    /// fields are invalid.
    init?(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        guard bytes.count == Self.byteCount, bytes[start] == Self.syncByte, bytes[start + 1] & 0x80 == 0
        else {
            return nil
        }
        identifier = Int(bytes[start + 1] & 0x1F) << 8 | Int(bytes[start + 2])
        beginsUnit = bytes[start + 1] & 0x40 != 0
        isScrambled = bytes[start + 3] & 0xC0 != 0
        counter = bytes[start + 3] & 0x0F
        var rest = bytes.dropFirst(4)
        var isDiscontinuous = false
        if bytes[start + 3] & 0x20 != 0 {
            let fieldBytes = Int(bytes[start + 4])
            guard fieldBytes < rest.count else { return nil }
            isDiscontinuous = fieldBytes > 0 && bytes[start + 5] & 0x80 != 0
            rest = rest.dropFirst(1 + fieldBytes)
        }
        self.isDiscontinuous = isDiscontinuous
        payload = bytes[start + 3] & 0x10 != 0 ? rest : nil
    }
}
