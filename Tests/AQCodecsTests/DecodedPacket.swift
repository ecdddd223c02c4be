// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes

extension PacketDecoder {
    func decoded(_ packet: [UInt8]) throws -> [UInt8] {
        var output = [UInt8](
            repeating: 0xA5, count: maximumFramesPerPacket * Int(outputFormat.mBytesPerFrame))
        let frames = try unsafe packet.withUnsafeBytes { packet in
            try unsafe output.withUnsafeMutableBytes { try unsafe decode(packet, into: $0) }
        }
        return Array(output[..<(frames * Int(outputFormat.mBytesPerFrame))])
    }
}
