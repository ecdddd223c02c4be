// SPDX-License-Identifier: MIT

/// A detector of AAC extensions that the configuration does not announce: band replication (SBR, HE-AAC) and parametric
/// stereo (HE-AAC v2).
///
/// Both follow the channels, in a fill element near the end of the packet, and so are found without decoding the
/// channels. Other bits sometimes resemble a fill element, so the result depends on several packets.
///
/// Used by one thread at a time.
public struct ExtensionDetector: Sendable {
    /// The largest number of packets to examine.
    public static let mostPackets = 16

    private let announced: AudioSpecificConfig
    private var packets = 0
    private var replications = 0
    private var hasReplicationHeader = false
    private var stereos = 0

    /// Makes a detector for packets of a configuration.
    public init(_ config: AudioSpecificConfig) { announced = config }

    /// Whether enough packets were examined, or the configuration allows no further extension.
    public var isDecided: Bool {
        if packets >= Self.mostPackets { return true }
        guard mayHaveReplication || mayHaveStereo else { return true }
        guard packets >= Self.fewPackets else { return false }
        if packets - replications > Self.fewPackets / 2 { return true }
        return packets >= 2 * Self.fewPackets && (!mayHaveStereo || packets - stereos > 1)
    }

    /// The configuration with the extensions found so far.
    public var config: AudioSpecificConfig {
        var config = announced
        guard isReplicated else { return config }
        if mayHaveReplication {
            config.extensionObjectType = Self.bandReplication
            config.extensionSampleRate = 2 * config.sampleRate
        }
        // About half of all packets seem to have parametric stereo by chance, so more are required.
        if mayHaveStereo, packets >= Self.fewPackets, stereos >= packets - packets / 8 {
            config.extensionObjectType = Self.parametricStereo
        }
        return config
    }

    private var isReplicated: Bool {
        guard packets > 0, replications > packets * 2 / 3 else { return false }
        return packets > Self.fewPackets || replications == packets && hasReplicationHeader
    }

    /// Whether packets may have band replication that is not announced. Above 24 kHz it must be announced.
    private var mayHaveReplication: Bool {
        announced.objectType == 2 && announced.extensionObjectType == nil && !announced.exclusions.replication
            && announced.sampleRate <= 24_000
    }

    private var mayHaveStereo: Bool {
        let isReplicated = mayHaveReplication || announced.extensionObjectType == Self.bandReplication
        return isReplicated && announced.channels == 1 && !announced.exclusions.stereo
    }

    /// Examines the next packet.
    public mutating func examine(_ packet: UnsafeRawBufferPointer) {
        packets += 1
        guard let found = unsafe Replication(packet, mayEndInLFE: announced.channels >= 6) else { return }
        replications += 1
        if found.hasHeader { hasReplicationHeader = true }
        if found.mayHaveStereo { stereos += 1 }
    }

    private static let fewPackets = 4
    private static let bandReplication: UInt8 = 5
    private static let parametricStereo: UInt8 = 29
}

/// The element of a packet that holds band replication (ISO/IEC 14496-3, 4.4.2.7 and 4.4.2.8).
private struct Replication {
    /// Whether the element begins with the replication header, which not every packet repeats.
    let hasHeader: Bool
    /// Whether the element ends like one with parametric stereo.
    let mayHaveStereo: Bool

    /// Finds the replication element of a packet; nil if there is none.
    ///
    /// - Parameter mayEndInLFE: Whether a low-frequency channel, which has no replication, may come last.
    init?(_ packet: UnsafeRawBufferPointer, mayEndInLFE: Bool) {
        let bits = unsafe PacketBits(bytes: packet)
        guard let last = unsafe packet.lastIndex(where: { $0 != 0 }) else { return nil }
        // The end is marked by three bits, followed by up to seven more. Encoders write zeros, so this end comes first;
        // but decoders ignore these bits, and some encoders leave any values there.
        let zeroEnd = unsafe 8 * last + 8 - packet[last].trailingZeroBitCount
        let ends = [zeroEnd] + (8 * last + 1...8 * last + 8).filter { $0 != zeroEnd }
        for end in ends.map({ $0 - 3 }) where bits[end, 3] == Self.endKind {
            guard let found = Self.find(bits, endingAt: end, mayEndInLFE: mayEndInLFE) else { continue }
            self = found
            return
        }
        return nil
    }

    private init(hasHeader: Bool, mayHaveStereo: Bool) {
        self.hasHeader = hasHeader
        self.mayHaveStereo = mayHaveStereo
    }

    /// Finds the replication element of a packet whose elements end at a bit.
    private static func find(_ bits: PacketBits, endingAt end: Int, mayEndInLFE: Bool) -> Replication? {
        for start in 0..<max(end, 0) where bits[start, 3] == fillKind {
            guard let contents = fill(bits, at: start), let kind = bits[contents.lowerBound, 4],
                kind == replicationKind || kind == checkedReplicationKind,
                isFollowed(bits, from: contents.upperBound, by: end)
                    || mayEndInLFE && isLFE(bits, at: contents.upperBound)
            else { continue }
            let header = contents.lowerBound + 4 + (kind == checkedReplicationKind ? 10 : 0)
            guard let hasHeader = bits[header, 1] else { continue }
            // Two bits of the header are reserved.
            guard hasHeader == 0 || bits[header + 13, 2] == 0 else { continue }
            return Replication(hasHeader: hasHeader == 1, mayHaveStereo: endsInStereo(bits, contents))
        }
        return nil
    }

    /// Returns the range of a fill element's contents in bits; nil if no fill element begins at `start`.
    private static func fill(_ bits: PacketBits, at start: Int) -> Range<Int>? {
        guard bits[start, 3] == fillKind, var bytes = bits[start + 3, 4] else { return nil }
        var contents = start + 7
        if bytes == 15 {
            guard let more = bits[contents, 8] else { return nil }
            bytes += more - 1
            contents += 8
        }
        return bytes > 0 ? contents..<contents + 8 * bytes : nil
    }

    /// Returns whether only fill and data elements follow up to the end.
    private static func isFollowed(_ bits: PacketBits, from start: Int, by end: Int) -> Bool {
        var position = start
        while position < end {
            if let contents = fill(bits, at: position) {
                position = contents.upperBound
            } else if bits[position, 3] == dataKind, let isAligned = bits[position + 7, 1],
                var bytes = bits[position + 8, 8]
            {
                position += 16
                if bytes == 255 {
                    guard let more = bits[position, 8] else { return false }
                    bytes += more
                    position += 8
                }
                if isAligned == 1 { position = (position + 7) / 8 * 8 }
                position += 8 * bytes
            } else {
                return false
            }
        }
        return position == end
    }

    /// Returns whether a low-frequency channel seems to begin at an offset. Such a channel always has one long window
    /// of the first shape, and few bands.
    private static func isLFE(_ bits: PacketBits, at position: Int) -> Bool {
        let bands = bits[position + 19, 6] ?? .max
        // The element's type and number; a reserved bit, the window's type and shape; no prediction.
        return bits[position, 7] == lowFrequencyKind << 4 && bits[position + 15, 4] == 0 && bands < 16
            && bits[position + 25, 1] == 0
    }

    /// Returns whether the contents end with an extension of parametric stereo and less than a byte of zeros.
    private static func endsInStereo(_ bits: PacketBits, _ contents: Range<Int>) -> Bool {
        for filling in 0..<8 {
            let end = contents.upperBound - filling
            guard filling == 0 || bits[end, filling] == 0 else { break }
            for bytes in 1..<(contents.count / 8) {
                // The flag that there is an extension, its length, and its number.
                let start = end - 8 * bytes
                let isLong = bytes >= 15
                let flag = start - (isLong ? 13 : 5)
                guard flag > contents.lowerBound + 4 else { break }
                let isLength =
                    isLong
                    ? bits[flag, 5] == 31 && bits[flag + 5, 8] == bytes - 15 : bits[flag, 5] == 16 | bytes
                if isLength, bits[start, 2] == stereoNumber { return true }
            }
        }
        return false
    }

    private static let lowFrequencyKind = 3
    private static let dataKind = 4
    private static let fillKind = 6
    private static let endKind = 7
    private static let replicationKind = 13
    private static let checkedReplicationKind = 14
    private static let stereoNumber = 2
}

/// The bits of a packet, at any offset.
@safe private struct PacketBits {
    private let bytes: UnsafeRawBufferPointer

    init(bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    /// The `count` bits from `position`, 16 at most; nil if the packet has fewer.
    subscript(position: Int, count: Int) -> Int? {
        guard unsafe position >= 0 && position + count <= 8 * bytes.count else { return nil }
        var value = 0
        for index in position / 8...(position + count - 1) / 8 {
            value = unsafe value << 8 | Int(bytes[index])
        }
        let behind = 7 - (position + count - 1) % 8
        return value >> behind & (1 << count - 1)
    }
}
