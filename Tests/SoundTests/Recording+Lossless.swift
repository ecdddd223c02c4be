// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes
import AQSoundHarness
import Testing

extension Recording {
    /// The audio of a 16-bit Apple Lossless file, trimmed by its packet table.
    init(ofLosslessFile path: String) throws {
        let file = try AudioFile.open(path: path)
        let decoder = try makePacketDecoder(for: file.format, magicCookie: file.magicCookie)
        let channels = Int(file.format.mChannelsPerFrame)
        try #require(decoder.outputFormat.mBitsPerChannel == 16)
        var packet = [UInt8](repeating: 0, count: file.packetSizeUpperBound)
        var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: 1)
        var decoded = [Int16](repeating: 0, count: decoder.maximumFramesPerPacket * channels)
        var samples: [Float] = []
        for number in 0..<(try file.countPackets()) {
            let read = try unsafe packet.withUnsafeMutableBytes { bytes in
                try unsafe descriptions.withUnsafeMutableBufferPointer {
                    try unsafe file.readPackets(from: number, into: bytes, descriptions: $0)
                }
            }
            let size = Int(descriptions[0].mDataByteSize)
            try #require(read.packets >= 1)
            let frames = try unsafe packet.prefix(size).withUnsafeBytes { bytes in
                try unsafe decoded.withUnsafeMutableBytes { try unsafe decoder.decode(bytes, into: $0) }
            }
            samples += decoded.prefix(frames * channels).map { Float($0) / 32_768 }
        }
        let table = try #require(file.packetTable)
        let (start, end) = (table.primingFrames, table.primingFrames + table.validFrames)
        self.init(
            sampleRate: Int(file.format.mSampleRate), channels: channels,
            samples: Array(samples[Int(start) * channels..<Int(end) * channels]))
    }
}
