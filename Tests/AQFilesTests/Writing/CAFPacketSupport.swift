// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import Glibc

/// Packets of generated contents and sizes, the same at each call.
struct MadePackets {
    let bytes: [UInt8]
    let descriptions: [AudioStreamPacketDescription]

    init(sizes: [Int], frames: [Int]? = nil) {
        // A prime number of bytes repeated: neighbouring packets differ.
        let count = sizes.reduce(0, +)
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += Self.block.prefix(count - bytes.count) }
        self.bytes = bytes
        var start = 0
        descriptions = sizes.indices.map { packet in
            defer { start += sizes[packet] }
            return AudioStreamPacketDescription(
                mStartOffset: Int64(start), mVariableFramesInPacket: UInt32(frames?[packet] ?? 0),
                mDataByteSize: UInt32(sizes[packet]))
        }
    }

    /// The bytes of a range of packets.
    func bytes(of packets: Range<Int>) -> ArraySlice<UInt8> {
        let end = packets.isEmpty ? start(of: packets.lowerBound) : start(of: packets.upperBound)
        return bytes[start(of: packets.lowerBound)..<end]
    }

    private func start(of packet: Int) -> Int {
        packet < descriptions.count ? Int(descriptions[packet].mStartOffset) : bytes.count
    }

    private static let block = noise(count: 65_521, seed: 3)

    /// Appends a range of packets in one call.
    func append(_ packets: Range<Int>, to writer: AudioFileWriter) throws {
        let start = Int64(start(of: packets.lowerBound))
        let moved = descriptions[packets].map { description in
            var description = description
            description.mStartOffset -= start
            return description
        }
        try writer.append(Array(bytes(of: packets)), moved)
    }
}

extension AudioFileWriter {
    func append(_ bytes: [UInt8], _ descriptions: [AudioStreamPacketDescription]) throws {
        try unsafe bytes.withUnsafeBytes { bytes in
            try unsafe descriptions.withUnsafeBufferPointer { descriptions in
                try unsafe append(bytes, packetDescriptions: descriptions)
            }
        }
    }
}

/// The standard output of a command; nil if it fails, or is missing.
func output(of command: String) -> String? {
    guard let stream = unsafe popen(command + " 2>/dev/null", "r") else { return nil }
    var text: [UInt8] = []
    while true {
        let character = unsafe fgetc(stream)
        guard character >= 0 else { break }
        text.append(UInt8(truncatingIfNeeded: character))
    }
    return unsafe pclose(stream) == 0 ? String(decoding: text, as: UTF8.self) : nil
}
