// SPDX-License-Identifier: MIT

import AQTestSupport

/// MPEG audio of headers and zeros: 128 kbit/s, 44100 Hz, stereo, 417 bytes a packet.
enum MPEGBytes {
    static func packet(_ header: [UInt8] = [0xFF, 0xFB, 0x90, 0x00], bytes: Int = 417) -> [UInt8] {
        header + [UInt8](repeating: 0, count: bytes - header.count)
    }

    static func packets(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in packet() }
    }

    /// A frame with an encoder's tag.
    static func info(
        packets: UInt32, bytes: UInt32, delay: Int = 576, padding: Int = 1000, name: String = "Info"
    ) -> [UInt8] {
        let fields: [UInt8] = Array(name.utf8) + [0, 0, 0, 3] + big(packets) + big(bytes)
        let trims = [UInt8(delay >> 4), UInt8(delay & 15) << 4 | UInt8(padding >> 8), UInt8(padding & 255)]
        let tag = fields + Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12) + trims
        var frame = packet()
        frame.replaceSubrange(36..<36 + tag.count, with: tag)
        return frame
    }
}
