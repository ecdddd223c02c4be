/// The positions of the packets of an MPEG audio stream, in two bytes per packet.
struct PacketIndex {
    private(set) var count = 0
    /// The bytes of all packets.
    private(set) var audioBytes: Int64 = 0

    /// The size of each packet.
    private var lengths: [UInt16] = []
    /// The offset of every 64th packet.
    private var checkpoints: [Int64] = []
    /// Packets with other data before them, and its size; in ascending order.
    private var gaps: [(packet: Int, bytes: Int64)] = []
    private var end: Int64 = 0

    mutating func append(byteOffset: Int64, bytes: UInt16) {
        if count % Self.stride == 0 {
            checkpoints.append(byteOffset)
        } else if byteOffset != end {
            gaps.append((count, byteOffset - end))
        }
        lengths.append(bytes)
        end = byteOffset + Int64(bytes)
        audioBytes += Int64(bytes)
        count += 1
    }

    func bytes(of packet: Int) -> Int { Int(lengths[packet]) }

    func byteOffset(of packet: Int) -> Int64 {
        let first = packet / Self.stride * Self.stride
        var offset = checkpoints[packet / Self.stride]
        for earlier in first..<packet { offset += Int64(lengths[earlier]) }
        if let last = gaps.last, last.packet > first {
            for gap in gaps[firstGap(after: first)...].prefix(while: { $0.packet <= packet }) {
                offset += gap.bytes
            }
        }
        return offset
    }

    /// The index in `gaps` of the first gap after the packet.
    private func firstGap(after packet: Int) -> Int {
        var low = 0
        var high = gaps.count
        while low < high {
            let middle = (low + high) / 2
            if gaps[middle].packet <= packet { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static let stride = 64
}
