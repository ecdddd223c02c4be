// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import AQCodecs
import CoreAudioTypes

/// The packets of an encoder, with the format and cookie that a decoder needs.
struct EncodedSound {
    var format: AudioStreamBasicDescription
    var cookie: [UInt8]
    var packets: [[UInt8]] = []
    var primingFrames: Int
    var remainderFrames = 0

    var frames: Int {
        packets.count * Int(format.mFramesPerPacket) - primingFrames - remainderFrames
    }

    /// Encodes samples that are given in pieces of `pieceFrames` frames.
    init(_ encoder: any PacketEncoder, _ bytes: [UInt8], pieceFrames: Int = 1000) throws {
        format = encoder.outputFormat
        cookie = encoder.magicCookie
        primingFrames = encoder.primingFrames
        let piece = pieceFrames * Int(encoder.inputFormat.mBytesPerFrame)
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + piece)
            try unsafe bytes[offset..<end].withUnsafeBytes { try unsafe encoder.append($0) }
            offset = end
            try takePackets(of: encoder)
        }
        try encoder.finish()
        try takePackets(of: encoder)
        remainderFrames = encoder.remainderFrames
    }

    private mutating func takePackets(of encoder: any PacketEncoder) throws {
        var room = [UInt8](repeating: 0, count: encoder.maximumPacketSize)
        while let packet = try unsafe room.withUnsafeMutableBytes({ try unsafe encoder.nextPacket(into: $0) })
        {
            packets.append(Array(room[..<packet.bytes]))
        }
    }

    /// Decodes all packets without trims.
    func decoded() throws -> (bytes: [UInt8], format: AudioStreamBasicDescription, damaged: Int) {
        let decoder = try makePacketDecoder(for: format, magicCookie: cookie)
        var bytes: [UInt8] = []
        for packet in packets { bytes += try decoder.decoded(packet) }
        return (bytes, decoder.outputFormat, decoder.damagedPackets)
    }

    func bytesPerDecodedFrame() throws -> Int {
        Int(try makePacketDecoder(for: format, magicCookie: cookie).outputFormat.mBytesPerFrame)
    }

    /// Decodes all packets, without priming and remainder.
    func trimmed() throws -> [UInt8] {
        let (bytes, format, _) = try decoded()
        let frameBytes = Int(format.mBytesPerFrame)
        return Array(bytes.dropFirst(primingFrames * frameBytes).prefix(frames * frameBytes))
    }
}
#endif
