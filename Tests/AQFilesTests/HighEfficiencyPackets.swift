// SPDX-License-Identifier: MIT

import AQMagicCookies

/// Packets of HE-AAC with valid elements and arbitrary audio.
enum HighEfficiencyPackets {
    /// - Parameters:
    ///   - number: Of the packet; the first and every fourth have the header of band replication.
    ///   - hasStereo: Whether the extension ends in parametric stereo.
    ///   - fillingBytes: Of filling behind it, as of a constant bit rate.
    ///   - endsInLFE: Whether a channel of low frequencies comes last.
    ///   - lastBits: The bits behind the end mark, from the lowest on; as many as complete the last byte.
    static func packet(
        _ number: Int, hasReplication: Bool = true, hasStereo: Bool = false, fillingBytes: Int = 0,
        endsInLFE: Bool = false, lastBits: UInt8 = 0
    ) -> [UInt8] {
        var writer = BitWriter()
        // A channel with placeholder audio that contains no fill element.
        writer.write(0, 7)
        for place in 0..<200 + 3 * number { writer.write(place & 1, 3) }
        if hasReplication {
            let bytes = 20 + number
            write(fill: bytes, 13, to: &writer)
            writer.write(number % 4 == 0)
            // The header's reserved bits come after twelve others.
            writer.write(0, 14)
            let stereoBytes = 6
            let dataBits = 8 * bytes - 4 - 15
            if hasStereo {
                for place in 0..<dataBits - 5 - 8 * stereoBytes { writer.write(place & 1, 1) }
                writer.write(1, 1)
                writer.write(stereoBytes, 4)
                writer.write(2, 2)
                for place in 0..<8 * stereoBytes - 2 { writer.write(place & 1, 1) }
            } else {
                // Ones, and a zero at the extension's flag.
                for place in 0..<dataBits { writer.write(place % 5 == 0 ? 0 : 1, 1) }
            }
        }
        if fillingBytes > 0 {
            write(fill: fillingBytes, 1, to: &writer)
            for place in 0..<8 * fillingBytes - 4 { writer.write(place & 1, 1) }
        }
        if endsInLFE {
            writer.write(3 << 4, 7)
            writer.write(120, 8)
            writer.write(0, 4)
            writer.write(4, 6)
            for place in 0..<40 { writer.write(place & 1, 1) }
        }
        writer.write(7, 3)
        var bytes = writer.bytes
        if let last = bytes.last { bytes[bytes.count - 1] |= lastBits & ~(~0 << last.trailingZeroBitCount) }
        return bytes
    }

    private static func write(fill bytes: Int, _ kind: Int, to writer: inout BitWriter) {
        writer.write(6, 3)
        if bytes < 15 {
            writer.write(bytes, 4)
        } else {
            writer.write(15, 4)
            writer.write(bytes - 14, 8)
        }
        writer.write(kind, 4)
    }
}
