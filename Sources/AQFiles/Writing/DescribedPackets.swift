// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The positions of the packets of one append, all inside the given memory.
struct DescribedPackets {
    private(set) var ranges: [Range<Int>] = []

    /// - Throws: `unsupported` if there are no descriptions, or if one refers to bytes outside the memory.
    init(
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?, in memoryBytes: Int
    ) throws(AudioFileError) {
        guard let descriptions = unsafe descriptions else {
            throw AudioFileError(.unsupported, "packets of variable size need packet descriptions")
        }
        for index in descriptions.indices {
            let range = try Self.range(of: unsafe descriptions[index], number: index, in: memoryBytes)
            guard !range.isEmpty else { throw AudioFileError(.unsupported, "packet \(index) is empty") }
            ranges.append(range)
        }
    }

    /// The position of a packet in the memory.
    ///
    /// - Throws: `unsupported` if the packet is not inside the memory.
    static func range(
        of packet: AudioStreamPacketDescription, number: Int, in memoryBytes: Int
    ) throws(AudioFileError) -> Range<Int> {
        let bytes = Int(packet.mDataByteSize)
        guard packet.mStartOffset >= 0, bytes <= memoryBytes,
            packet.mStartOffset <= Int64(memoryBytes - bytes)
        else {
            throw AudioFileError(
                .unsupported,
                "packet \(number) of \(bytes) bytes at byte \(packet.mStartOffset) is not in the "
                    + "\(memoryBytes) bytes given")
        }
        return Int(packet.mStartOffset)..<Int(packet.mStartOffset) + bytes
    }
}
