// SPDX-License-Identifier: MIT

import AQTestSupport

@testable import AQFiles

/// Pages of Ogg (RFC 3533), written field by field.
enum OggBytes {
    /// A page of complete packets.
    static func page(
        _ packets: [[UInt8]], serial: UInt32, number: Int, position: Int64, isFirst: Bool = false,
        isLast: Bool = false
    ) -> [UInt8] {
        let table = packets.flatMap { packet in
            [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        }
        let flags: UInt8 = (isFirst ? 2 : 0) | (isLast ? 4 : 0)
        var page =
            Array("OggS".utf8) + [0, flags] + little(position) + little(serial)
            + little(UInt32(number)) + [0, 0, 0, 0] + [UInt8(table.count)] + table
        page += packets.joined()
        page.replaceSubrange(22..<26, with: little(checksum(page)))
        return page
    }

    /// The checksum of each byte.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 0 ? 0 : 0x04C1_1DB7) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0
        for byte in bytes { sum = sum &<< 8 ^ table[Int(sum &>> 24 ^ UInt32(byte))] }
        return sum
    }

    /// A FLAC file in pages of one frame each.
    ///
    /// - Parameters:
    ///   - ends: Where each frame ends in the file; the first of them is where the frames begin.
    ///   - counts: How many frames of audio there are at those places.
    static func flac(_ file: [UInt8], ends: [Int], counts: [Int64], serial: UInt32 = 1) -> [UInt8] {
        // The mark and the stream description; then the blocks after it, and each frame.
        let description = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + file[..<42]
        var bytes = page([description], serial: serial, number: 0, position: 0, isFirst: true)
        bytes += page([Array(file[42..<ends[0]])], serial: serial, number: 1, position: 0)
        for index in 1..<ends.count {
            let frame = Array(file[ends[index - 1]..<ends[index]])
            bytes += page(
                [frame], serial: serial, number: index + 1, position: counts[index],
                isLast: index == ends.count - 1)
        }
        return bytes
    }

    /// FLAC with a title, in pages of one frame each.
    static func tagged(_ sound: FLACBytes, title: String, serial: UInt32) -> [UInt8] {
        let comments = VorbisComments.bytes(of: [AudioFileInformation("title", title)], vendor: [])
        let header = Array(sound.file[..<42]) + [0x84] + big(UInt32(comments.count)).dropFirst() + comments
        let moved = header.count - sound.ends[0]
        let counts = sound.ends.indices.map { Int64(min($0 * sound.blockFrames, sound.frameCount)) }
        return flac(
            header + sound.file[sound.ends[0]...], ends: sound.ends.map { $0 + moved }, counts: counts,
            serial: serial)
    }
}
