// SPDX-License-Identifier: MIT

extension PacketIndex {
    /// Adds the packets of a fragment that are in the file.
    ///
    /// - Parameter fileBytes: The size that packets must fit in, also in total; nil if unknown.
    /// - Returns: The fault of the fragment; nil if there is none.
    mutating func append(_ fragment: MP4Fragment, fileBytes: Int64?) -> String? {
        guard !isEnded else { return nil }
        guard fragment.hasTracks else { return "a fragment after packet \(count) has no track" }
        let before = count
        let limit = fileBytes ?? .max / 2
        for run in fragment.runs {
            guard run.byteOffset >= 0 else { return "a fragment begins before the file" }
            // If samples have no individual sizes, a few bytes may promise billions of them.
            guard packetBytes > 0 || run.sampleCount <= Self.mostPackets - (count - before) else {
                return "a fragment with more than \(Self.mostPackets) packets"
            }
            var offset = run.byteOffset
            if packetBytes > 0 {
                let room = max(min(limit - offset, limit - audioBytes), 0)
                let bytes = run.endOffset - offset
                append(byteOffset: offset, packets: min(bytes, room) / Int64(packetBytes))
                guard bytes <= room else { return "a fragment leads out of the file after packet \(count)" }
                continue
            }
            for sample in 0..<run.sampleCount {
                let bytes = run.sampleBytes(sample)
                guard Int64(bytes) <= limit - offset, Int64(bytes) <= limit - audioBytes else {
                    return "a fragment leads out of the file after packet \(count)"
                }
                if bytes == 0, let fault = countEmptyPacket() { return fault }
                append(byteOffset: offset, bytes: bytes)
                offset += Int64(bytes)
            }
        }
        return nil
    }

    /// The largest number of packets in one fragment; a day of audio has four million packets.
    private static let mostPackets: Int64 = 1 << 20
}
