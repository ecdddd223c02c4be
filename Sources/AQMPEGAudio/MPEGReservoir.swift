// SPDX-License-Identifier: MIT

/// The bit reservoir of layer III in MPEG-2 and 2.5: the bytes of main data that a later packet may refer to.
///
/// libmpg123's own count is correct for MPEG-1.
struct MPEGReservoir {
    private(set) var bytes = 0

    /// Adds a whole packet; returns false if it refers to main data from before the first packet added.
    mutating func add(_ packet: UnsafeRawBufferPointer, _ header: MPEGFrameHeader) -> Bool {
        guard header.layer == 3, header.version != .mpeg1, bytes < header.maximumReservoirBytes else {
            return true
        }
        let side = Self.sideInformation(of: header, packetBytes: packet.count)
        guard side.count == header.sideInformationBytes else { return true }
        defer { bytes += packet.count - side.upperBound }
        // In MPEG-2 and 2.5, the first byte is all of main_data_begin (ISO 13818-3, 2.4.1.7).
        return unsafe Int(packet[side.lowerBound]) <= bytes
    }

    /// The range of the side information of a layer III packet.
    static func sideInformation(of header: MPEGFrameHeader, packetBytes: Int) -> Range<Int> {
        let start = min(4 + (header.hasChecksum ? 2 : 0), packetBytes)
        return start..<min(start + header.sideInformationBytes, packetBytes)
    }
}
