// SPDX-License-Identifier: MIT

/// The tag that an encoder wrote into the first frame of a stream instead of audio: Xing, Info or VBRI.
public struct MPEGInfoTag: Sendable, Equatable {
    /// The layout of a tag.
    public enum Kind: UInt8, Sendable {
        /// Xing's tag for a variable bit rate.
        case xing
        /// LAME's tag for a constant bit rate, with the layout of Xing's tag.
        case info
        /// Fraunhofer's tag.
        case vbri
    }

    /// The layout of the tag.
    public var kind: Kind
    /// The number of audio packets, without this frame; nil if the tag does not state the number.
    public var packets: Int64?
    /// The size of the stream in bytes, with this frame; nil if the tag does not state the size.
    public var bytes: Int64?
    /// The byte offsets of 100 equal steps of time, in 256ths of the stream; empty if the tag has no table.
    public var tableOfContents: [UInt8] = []
    /// The encoder's short name; empty if the tag does not state a name.
    public var encoder = ""
    /// The number of frames that the encoder put before the audio (without the decoder's own 529); nil if
    /// unknown.
    public var delayFrames: Int?
    /// The number of frames that the encoder put after the audio; nil if unknown.
    public var paddingFrames: Int?
    /// The gain in decibels that brings the track to 89 dB, which is -18 LUFS; nil if unknown.
    public var trackGain: Double?
    /// The gain of the album; nil if unknown.
    public var albumGain: Double?
    /// The largest magnitude of a sample, linear; nil if unknown.
    public var peak: Double?

    /// Reads a tag from the first packet of a stream; nil if it contains audio, as in layers I and II.
    ///
    /// - Parameters:
    ///   - packet: The whole packet, header included.
    ///   - header: The header of `packet`.
    public init?(packet: RawSpan, header: MPEGFrameHeader) {
        guard header.layer == 3 else { return nil }
        // Some encoders count the checksum into the offset, most do not.
        for checksumBytes in [0, 2] {
            var cursor = TagCursor(offset: 4 + header.sideInformationBytes + checksumBytes)
            switch cursor.readUInt32(from: packet) {
            case Self.xingMark: self.init(kind: .xing, cursor: &cursor, packet: packet)
            case Self.infoMark: self.init(kind: .info, cursor: &cursor, packet: packet)
            default: continue
            }
            return
        }
        var cursor = TagCursor(offset: 4 + 32)
        guard cursor.readUInt32(from: packet) == Self.vbriMark else { return nil }
        self.init(kind: .vbri)
        // Version, delay and quality come first. Encoders differ in the meaning of the delay, so decoders
        // ignore it; the padding is not stated.
        cursor.offset += 6
        bytes = cursor.readUInt32(from: packet).map(Int64.init)
        packets = cursor.readUInt32(from: packet).map(Int64.init)
        if let packets { tableOfContents = Self.percentages(&cursor, packet, packets: packets) }
    }

    /// Converts the table of a VBRI tag, which counts the bytes of groups of packets, to 100 steps of time.
    private static func percentages(
        _ cursor: inout TagCursor, _ packet: RawSpan, packets: Int64
    ) -> [UInt8] {
        let fields = cursor.readBytes(8, from: packet)
        guard fields.count == 8 else { return [] }
        func field(_ offset: Int) -> Int { Int(fields[offset]) << 8 | Int(fields[offset + 1]) }
        let (count, scale, width, packetsPerEntry) = (field(0), field(2), field(4), field(6))
        guard 1...4 ~= width, packetsPerEntry > 0, scale > 0, packets > 0 else { return [] }
        let entries = cursor.readBytes(count * width, from: packet)
        guard count > 0, entries.count == count * width else { return [] }
        // The offset of each entry, and the end of the last one.
        var positions = [0.0]
        for entry in 0..<count {
            let bytes = entries[entry * width..<(entry + 1) * width].reduce(0) { $0 << 8 | Int($1) }
            positions.append(positions[entry] + Double(bytes) * Double(scale))
        }
        guard let end = positions.last, end > 0 else { return [] }
        return (0..<100).map { percent in
            let entry = Double(percent) / 100 * Double(packets) / Double(packetsPerEntry)
            let index = min(Int(entry), count)
            let next = positions[min(index + 1, count)]
            let position = positions[index] + (next - positions[index]) * (entry - Double(index))
            return UInt8(min(position / end * 256, 255))
        }
    }

    private init(kind: Kind) { self.kind = kind }

    /// Reads the fields after the mark of a Xing or Info tag.
    private init(kind: Kind, cursor: inout TagCursor, packet: RawSpan) {
        self.init(kind: kind)
        guard let fields = cursor.readUInt32(from: packet) else { return }
        if fields & 1 != 0 { packets = cursor.readUInt32(from: packet).map(Int64.init) }
        if fields & 2 != 0 { bytes = cursor.readUInt32(from: packet).map(Int64.init) }
        if fields & 4 != 0 { tableOfContents = cursor.readBytes(100, from: packet) }
        // The quality is not used.
        if fields & 8 != 0 { cursor.offset += 4 }
        // LAME's extension: nine bytes of name, then at 21 the delay and padding in twelve bits each.
        let name = cursor.readBytes(9, from: packet)
        guard let first = name.first, first != 0 else { return }
        encoder = String(decoding: name.prefix { 0x20..<0x7F ~= $0 }, as: UTF8.self)
        // The tag's revision and the low-pass filter come first; flags and the bit rate after the loudness.
        cursor.offset += 2
        readLoudness(cursor.readBytes(8, from: packet))
        cursor.offset += 2
        let trims = cursor.readBytes(3, from: packet)
        guard trims.count == 3 else { return }
        delayFrames = Int(trims[0]) << 4 | Int(trims[1]) >> 4
        paddingFrames = Int(trims[1] & 15) << 8 | Int(trims[2])
    }

    /// Reads the peak and the gains of the track and the album.
    private mutating func readLoudness(_ fields: [UInt8]) {
        guard fields.count == 8 else { return }
        func field(_ range: Range<Int>) -> UInt32 { fields[range].reduce(0) { $0 << 8 | UInt32($1) } }
        // QUIRK: LAME writes a fixed-point number instead of the floating-point number of its specification.
        let fixed = Double(field(0..<4)) / Double(1 << 23)
        let peak = fixed < 8 ? fixed : Double(Float(bitPattern: field(0..<4)))
        if peak > 0, peak < 8 { self.peak = peak }
        trackGain = gain(field(4..<6), name: 1)
        albumGain = gain(field(6..<8), name: 2)
    }

    /// Decodes a gain: 3 bits for its name, 3 for its originator, a sign, and 9 bits in tenths of a decibel.
    private func gain(_ field: UInt32, name: UInt32) -> Double? {
        guard field >> 13 == name, field >> 10 & 7 != 0 else { return nil }
        let gain = Double(field & 0x1FF) / 10 * (field & 0x200 == 0 ? 1 : -1)
        // QUIRK: LAME refers to 89 dB since version 3.95, and to 83 dB before.
        return isBeforeLAME395 ? gain + 6 : gain
    }

    private var isBeforeLAME395: Bool {
        guard encoder.hasPrefix("LAME") else { return false }
        let version = encoder.dropFirst(4).split(separator: ".").map { $0.prefix { $0.isNumber } }
        guard version.count >= 2, let major = Int(version[0]), let minor = Int(version[1]) else {
            return false
        }
        return (major, minor) < (3, 95)
    }

    private static let xingMark: UInt32 = 0x5869_6E67
    private static let infoMark: UInt32 = 0x496E_666F
    private static let vbriMark: UInt32 = 0x5642_5249
}

/// A cursor over big-endian fields, which returns nil or no bytes past the end.
private struct TagCursor {
    var offset: Int

    mutating func readUInt32(from bytes: RawSpan) -> UInt32? {
        guard bytes.byteCount - offset >= 4 else { return nil }
        defer { offset += 4 }
        return unsafe UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    mutating func readBytes(_ count: Int, from bytes: RawSpan) -> [UInt8] {
        guard bytes.byteCount - offset >= count else { return [] }
        defer { offset += count }
        return (offset..<offset + count).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
}
