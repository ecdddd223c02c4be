// SPDX-License-Identifier: MIT

import AQMagicCookies

/// An ADTS stream written packet by packet.
enum ADTSBytes {
    /// The body of a packet, different for each number.
    static func payload(_ number: Int, bytes: Int = 100) -> [UInt8] {
        [0x21] + (1..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) & 0x7F }
    }

    /// A packet with its header, its checksum 0 if it has one.
    static func frame(
        _ number: Int, rate: Int = 44_100, channels: Int = 2, bytes: Int = 100, hasChecksum: Bool = false
    ) throws -> [UInt8] {
        let config = try AudioSpecificConfig(sampleRate: rate, channels: channels)
        let body = (hasChecksum ? [0, 0] : []) + payload(number, bytes: bytes)
        var header = try ADTSHeader.bytes(for: config, packetBytes: body.count)
        if hasChecksum { header[1] &= 0xFE }
        return header + body
    }

    static func stream(_ numbers: Range<Int>, rate: Int = 44_100, channels: Int = 2) throws -> [UInt8] {
        try numbers.flatMap { try frame($0, rate: rate, channels: channels, bytes: 100 + $0 % 50) }
    }

    static func payloads(_ numbers: Range<Int>) -> [UInt8] {
        numbers.flatMap { payload($0, bytes: 100 + $0 % 50) }
    }

    /// An ID3v2.3 tag of a title, and of a number of zeros.
    static func tag(title: String, paddingBytes: Int = 0) -> [UInt8] {
        let text = [0] + Array(title.utf8)
        let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
        let length = frame.count + paddingBytes
        let digits = [21, 14, 7, 0].map { UInt8(length >> $0 & 0x7F) }
        return Array("ID3".utf8) + [3, 0, 0] + digits + frame + [UInt8](repeating: 0, count: paddingBytes)
    }
}
