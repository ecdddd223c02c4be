extension MP4PacketIndex {
    /// Adds the packets of a fragment, as far as they are in the file.
    ///
    /// - Parameter fileBytes: What packets must lie within, and may not exceed together; nil if unknown.
    /// - Returns: What is wrong with the fragment, if anything is.
    mutating func append(_ fragment: MP4Fragment, fileBytes: Int64?) -> String? {
        guard !isEnded else { return nil }
        guard fragment.hasTracks else { return "a fragment after packet \(count) has no track" }
        let before = count
        let limit = fileBytes ?? .max / 2
        for run in fragment.runs {
            guard run.byteOffset >= 0 else { return "a fragment begins before the file" }
            // Without a size for each sample a few bytes may promise billions.
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

    /// Of one fragment; a day of sound has four million.
    private static let mostPackets: Int64 = 1 << 20
}
