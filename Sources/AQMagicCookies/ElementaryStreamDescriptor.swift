// SPDX-License-Identifier: MIT

/// An MPEG-4 file's description of a stream: its codec, its rates, and the decoder's parameters.
///
/// CAF files store the descriptor as the magic cookie of AAC; MP4 files store it in the `esds` box.
///
/// Corresponds to `ES_Descriptor` of ISO/IEC 14496-1, 7.2.6.5.
public struct ElementaryStreamDescriptor: Sendable, Equatable {
    /// The codec: 0x40 is MPEG-4 audio, 0x66 to 0x68 MPEG-2 AAC, 0x69 and 0x6B MPEG audio.
    public var objectTypeIndication: UInt8
    /// The size of a decoder's input buffer in bytes; 0 if unknown.
    public var bufferBytes: Int
    /// The maximum number of bits per second; 0 if unknown.
    public var maximumBitRate: Int
    /// The average number of bits per second; 0 if it varies or is unknown.
    public var averageBitRate: Int
    /// The decoder's configuration: for MPEG-4 audio an ``AudioSpecificConfig``; empty if the codec needs none.
    public var decoderSpecificInfo: [UInt8]

    /// Makes a descriptor, by default of MPEG-4 audio with unknown rates and buffer size.
    public init(
        objectTypeIndication: UInt8 = 0x40, bufferBytes: Int = 0, maximumBitRate: Int = 0,
        averageBitRate: Int = 0, decoderSpecificInfo: [UInt8]
    ) {
        self.objectTypeIndication = objectTypeIndication
        self.bufferBytes = bufferBytes
        self.maximumBitRate = maximumBitRate
        self.averageBitRate = averageBitRate
        self.decoderSpecificInfo = decoderSpecificInfo
    }

    /// Reads a descriptor whose lengths are written in 1 to 4 bytes; further bytes are ignored.
    ///
    /// - Throws: An error that names the part that is missing, wrong or truncated.
    public init(bytes: some Collection<UInt8>) throws(MagicCookieError) {
        let all = Array(bytes)
        var stream = DescriptorCursor(all, range: 0..<all.count)
        guard let outer = try stream.next(), outer.tag == Tag.stream else {
            throw DescriptorCursor.failure(
                all.isEmpty ? "there are no bytes" : "it begins with tag \(hex(all[0])), not 0x03")
        }
        var body = DescriptorCursor(all, range: outer.range)
        try body.skip(2, "stream number")
        let flags = try body.byte("flags")
        if flags & 0x80 != 0 { try body.skip(2, "number of the stream it depends on") }
        if flags & 0x40 != 0 { try body.skip(Int(try body.byte("length of the address")), "address") }
        if flags & 0x20 != 0 { try body.skip(2, "number of the clock's stream") }
        while let part = try body.next() {
            guard part.tag == Tag.decoder else { continue }
            self.init(decoderSpecificInfo: [])
            try readDecoder(DescriptorCursor(all, range: part.range), all)
            return
        }
        throw DescriptorCursor.failure("it has no decoder configuration (tag 0x04)")
    }

    private mutating func readDecoder(
        _ cursor: DescriptorCursor, _ all: [UInt8]
    ) throws(MagicCookieError) {
        var cursor = cursor
        objectTypeIndication = try cursor.byte("coding")
        try cursor.skip(1, "stream type")
        bufferBytes = try cursor.number(3, "buffer size")
        maximumBitRate = try cursor.number(4, "maximum bit rate")
        averageBitRate = try cursor.number(4, "average bit rate")
        while let part = try cursor.next() {
            guard part.tag == Tag.decoderInfo else { continue }
            decoderSpecificInfo = Array(all[part.range])
            return
        }
    }

    /// The bytes of the descriptor, with four-byte lengths and the SLConfig part that files require.
    public var bytes: [UInt8] {
        let info = decoderSpecificInfo.isEmpty ? [] : Self.descriptor(Tag.decoderInfo, decoderSpecificInfo)
        let decoder =
            [objectTypeIndication, 0x15] + bigEndian(min(bufferBytes, 0xFF_FFFF), 3)
            + bigEndian(maximumBitRate, 4) + bigEndian(averageBitRate, 4) + info
        return Self.descriptor(
            Tag.stream, [0, 0, 0] + Self.descriptor(Tag.decoder, decoder) + Self.descriptor(Tag.sync, [2]))
    }

    private static func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = body.count
        let groups = [21, 14, 7, 0].map { UInt8(length >> $0 & 0x7F) | ($0 > 0 ? 0x80 : 0) }
        return [tag] + groups + body
    }

    private enum Tag {
        static let stream: UInt8 = 3
        static let decoder: UInt8 = 4
        static let decoderInfo: UInt8 = 5
        static let sync: UInt8 = 6
    }
}
