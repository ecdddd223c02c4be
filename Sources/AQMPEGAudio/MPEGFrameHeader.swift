// SPDX-License-Identifier: MIT

/// The four bytes that begin every frame of an MPEG audio stream (ISO 11172-3, 2.4.1.3).
public struct MPEGFrameHeader: Sendable, Equatable {
    /// A version: MPEG-1, MPEG-2 with half rates, or the unofficial MPEG-2.5 with quarter rates.
    public enum Version: UInt8, Sendable {
        case mpeg1, mpeg2, mpeg25
    }

    /// The 32 bits of the header, first byte most significant.
    public let bits: UInt32
    /// The MPEG version, which selects the table of rates.
    public let version: Version
    /// The layer: 1, 2 or 3.
    public let layer: Int

    /// Reads a header from its 32 bits; nil if they are not a header.
    public init?(bits: UInt32) {
        // A false sync has a reserved version, layer, rate or bit rate.
        guard bits & 0xFFE0_0000 == 0xFFE0_0000, (bits >> 10) & 3 != 3, (bits >> 12) & 15 != 15 else {
            return nil
        }
        switch (bits >> 19) & 3 {
        case 0: version = .mpeg25
        case 2: version = .mpeg2
        case 3: version = .mpeg1
        default: return nil
        }
        let layerBits = (bits >> 17) & 3
        guard layerBits != 0 else { return nil }
        layer = 4 - Int(layerBits)
        self.bits = bits
    }

    /// Reads a header from the first four of `bytes`; nil if they are not a header.
    public init?(_ bytes: RawSpan) {
        guard bytes.byteCount >= 4 else { return nil }
        self.init(bits: unsafe UInt32(bigEndian: bytes.unsafeLoadUnaligned(as: UInt32.self)))
    }

    /// Frames of PCM per second.
    public var sampleRate: Int {
        let rates: [4 of Int] = [44100, 48000, 32000, 0]
        let base = rates[Int((bits >> 10) & 3)]
        return base >> Int(version.rawValue)
    }

    /// The number of channels: 1 or 2.
    public var channels: Int { (bits >> 6) & 3 == 3 ? 1 : 2 }

    /// Whether a checksum of two bytes follows the header.
    public var hasChecksum: Bool { (bits >> 16) & 1 == 0 }

    /// Whether the bit rate is not in the table; only the next header then determines the packet's size.
    public var isFreeFormat: Bool { (bits >> 12) & 15 == 0 }

    /// Bits per second; 0 in free format.
    public var bitRate: Int {
        Self.kilobitRate(version: version, layer: layer, index: Int((bits >> 12) & 15)) * 1000
    }

    /// The number of frames of PCM that one packet decodes to.
    public var samplesPerFrame: Int {
        switch layer {
        case 1: 384
        case 2: 1152
        default: version == .mpeg1 ? 1152 : 576
        }
    }

    /// The number of bytes that the padding bit adds to this packet.
    public var paddingBytes: Int { (bits >> 9) & 1 == 0 ? 0 : layer == 1 ? 4 : 1 }

    /// The size of the whole packet in bytes, header included; nil in free format.
    public var packetBytes: Int? {
        let rate = bitRate
        guard rate > 0 else { return nil }
        return Self.packetBytes(samples: samplesPerFrame, layer: layer, bitRate: rate, sampleRate: sampleRate)
            + paddingBytes
    }

    /// The size of layer III side information after the header and checksum, in bytes; 0 in the other layers.
    public var sideInformationBytes: Int {
        guard layer == 3 else { return 0 }
        return version == .mpeg1 ? (channels == 1 ? 17 : 32) : (channels == 1 ? 9 : 17)
    }

    /// The largest bit reservoir of the stream, in bytes of main data before a layer III packet; 0 in other layers.
    public var maximumReservoirBytes: Int {
        guard layer == 3 else { return 0 }
        return version == .mpeg1 ? 511 : 255
    }

    /// Returns whether `other` can belong to the same stream: version, layer and rate are equal.
    public func isCompatible(with other: MPEGFrameHeader) -> Bool {
        (bits ^ other.bits) & Self.streamMask == 0
    }

    /// The header of free-format MPEG-1 layer II with the highest bit rate instead; nil for all other headers.
    ///
    /// QUIRK: the bit rate selects the table of bit allocation (ISO 11172-3, table 3-B.2); free format uses the table
    /// of the high rates. libmpg123 uses the table of 48 kHz instead, and decodes noise.
    var atHighestBitRate: MPEGFrameHeader? {
        guard isFreeFormat, version == .mpeg1, layer == 2 else { return nil }
        let paddingBit: UInt32 = 1 << 9
        return MPEGFrameHeader(bits: bits & ~paddingBit | 14 << 12)
    }

    /// The mask of sync, version, layer and rate, which are constant within one stream.
    static let streamMask: UInt32 = 0xFFFE_0C00

    private static func packetBytes(samples: Int, layer: Int, bitRate: Int, sampleRate: Int) -> Int {
        // Layer I counts in slots of four bytes and rounds down to a slot, not to a byte.
        layer == 1 ? 12 * bitRate / sampleRate * 4 : samples / 8 * bitRate / sampleRate
    }

    /// Kilobits per second of a bit rate index from 0 (free format) to 14.
    private static func kilobitRate(version: Version, layer: Int, index: Int) -> Int {
        switch (version, layer) {
        case (.mpeg1, 1): index * 32
        case (.mpeg1, 2): Int(layer2[index])
        case (.mpeg1, _): Int(layer3[index])
        case (_, 1): Int(lowRateLayer1[index])
        default: Int(lowRate[index])
        }
    }

    private static let layer2: [15 of UInt16] = [
        0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
    ]
    private static let layer3: [15 of UInt16] = [
        0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ]
    private static let lowRateLayer1: [15 of UInt16] = [
        0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
    ]
    private static let lowRate: [15 of UInt16] = [
        0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
    ]
}
