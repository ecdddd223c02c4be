import CoreAudioTypes

/// The positions of the packets of one append, all inside the given memory.
struct DescribedPackets {
    private(set) var ranges: [Range<Int>] = []

    /// - Throws: `unsupported` if there are no descriptions, or one refers to bytes outside the memory.
    init(
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?, in memoryBytes: Int
    ) throws(AudioFileError) {
        guard let descriptions = unsafe descriptions else {
            throw AudioFileError(.unsupported, "packets of variable size need packet descriptions")
        }
        for index in descriptions.indices {
            let packet = unsafe descriptions[index]
            let bytes = Int(packet.mDataByteSize)
            guard packet.mStartOffset >= 0, bytes <= memoryBytes,
                packet.mStartOffset <= Int64(memoryBytes - bytes)
            else {
                throw AudioFileError(
                    .unsupported,
                    "packet \(index) of \(bytes) bytes at byte \(packet.mStartOffset) is not in the "
                        + "\(memoryBytes) bytes given")
            }
            guard bytes > 0 else { throw AudioFileError(.unsupported, "packet \(index) is empty") }
            let start = Int(packet.mStartOffset)
            ranges.append(start..<start + bytes)
        }
    }
}
