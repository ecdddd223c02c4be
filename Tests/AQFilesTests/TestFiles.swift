// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing

/// A file in the temporary folder, removed with this object.
final class TemporaryFile {
    let path: String

    init(_ bytes: [UInt8]) {
        var template = Array("/tmp/audio-files-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }

    deinit { unsafe unlink(path) }

    func cut(to byteCount: Int) { unsafe truncate(path, off_t(byteCount)) }

    /// Writes at an offset past the end, which leaves a hole.
    func append(_ bytes: [UInt8], at offset: Int) {
        let descriptor = unsafe open(path, O_WRONLY)
        _ = unsafe bytes.withUnsafeBytes {
            unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset))
        }
        close(descriptor)
    }
}

/// Everything in a file, read through its public interface.
struct Contents {
    var bytes: [UInt8] = []
    var packets = 0
    var descriptions: [AudioStreamPacketDescription] = []

    /// - Parameter roomBytes: Memory for one read.
    init(of file: AudioFile, roomBytes: Int = 4096, from first: Int64 = 0) throws {
        var room = [UInt64](repeating: 0, count: roomBytes / 8)
        var places = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 16)
        while true {
            let read = try unsafe room.withUnsafeMutableBytes { room in
                try unsafe places.withUnsafeMutableBufferPointer { places in
                    try unsafe file.readPackets(
                        from: first + Int64(packets), into: room, descriptions: places)
                }
            }
            guard read.packets > 0 else { return }
            unsafe room.withUnsafeBytes { unsafe bytes.append(contentsOf: $0.prefix(read.bytes)) }
            if file.format.mBytesPerPacket == 0 { descriptions += places.prefix(read.packets) }
            packets += read.packets
        }
    }
}

/// Headers of the containers, written field by field.
enum Header {
    /// A WAVE file with any lengths.
    static func wave(
        tag: UInt16 = 1, channels: UInt16 = 2, rate: UInt32 = 44100, bits: UInt16 = 16, data: [UInt8],
        dataBytes: UInt32? = nil
    ) -> [UInt8] {
        let frame = channels &* (bits / 8)
        let format =
            little(tag) + little(channels) + little(rate) + little(rate &* UInt32(frame)) + little(frame)
        let body =
            Array("WAVEfmt ".utf8) + little(UInt32(16)) + format + little(bits) + Array("data".utf8)
            + little(dataBytes ?? UInt32(data.count)) + data
        return Array("RIFF".utf8) + little(UInt32(body.count)) + body
    }

    /// An AIFF file of 16-bit samples at 44100 Hz, or at the given 80-bit rate.
    static func aiff(
        channels: UInt16 = 2, frames: UInt32? = nil,
        rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0],
        data: [UInt8], dataBytes: UInt32? = nil
    ) -> [UInt8] {
        let counted = frames ?? UInt32(data.count / (2 * max(Int(channels), 1)))
        let body =
            Array("AIFFCOMM".utf8) + big(UInt32(18)) + big(channels) + big(counted) + big(UInt16(16)) + rate
            + Array("SSND".utf8) + big(dataBytes ?? UInt32(data.count + 8)) + big(UInt64(0)) + data
        return Array("FORM".utf8) + big(UInt32(body.count)) + body
    }

    /// A CAF file of 16-bit little-endian samples.
    static func caf(
        channels: UInt32 = 2, rate: Double = 44100, data: [UInt8], dataBytes: Int64? = nil
    ) -> [UInt8] {
        let format =
            big(rate.bitPattern) + Array("lpcm".utf8) + big(UInt32(2)) + big(channels &* 2) + big(UInt32(1))
            + big(channels) + big(UInt32(16))
        return Array("caff".utf8) + big(UInt32(0x1_0000)) + Array("desc".utf8) + big(Int64(32)) + format
            + Array("data".utf8) + big(dataBytes ?? Int64(data.count + 4)) + big(UInt32(0)) + data
    }

    /// An RF64 file of 16-bit stereo.
    static func rf64(data: [UInt8], dataBytes: UInt64, frames: UInt64) -> [UInt8] {
        let format = little(UInt16(1)) + little(UInt16(2)) + little(UInt32(44100)) + little(UInt32(176_400))
        return Array("RF64".utf8) + little(UInt32.max) + Array("WAVEds64".utf8) + little(UInt32(28))
            + little(dataBytes &+ 72) + little(dataBytes) + little(frames) + little(UInt32(0))
            + Array("fmt ".utf8)
            + little(UInt32(16)) + format + little(UInt16(4)) + little(UInt16(16)) + Array("data".utf8)
            + little(UInt32.max) + data
    }
}
