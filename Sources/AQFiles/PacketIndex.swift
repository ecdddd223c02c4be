// SPDX-License-Identifier: MIT

/// The positions of the packets of a stream or track: four bytes per packet, or none if all have one size.
struct PacketIndex {
    /// The size of every packet; 0 if it varies.
    let packetBytes: Int
    private(set) var count: Int64 = 0
    /// The total size of the packets.
    private(set) var audioBytes: Int64 = 0
    private(set) var largestPacketBytes = 0
    /// The range from the first byte of any packet to the last, in the file.
    private(set) var byteRange: Range<Int64>?

    /// The size of each packet in bytes; empty if all packets have one size.
    private var sizes: [UInt32] = []
    /// The offset of every 64th packet.
    private var checkpoints: [Int64] = []
    /// The packets that do not directly follow the packet before, including the first one.
    private var jumps: [(packet: Int64, byteOffset: Int64)] = []
    private var end: Int64 = -1
    /// The number of packets without bytes, including those before this index.
    private(set) var emptyPackets: Int64

    /// - Parameter emptyPackets: The number of packets without bytes before this index.
    init(packetBytes: Int = 0, emptyPackets: Int64 = 0) {
        self.packetBytes = packetBytes
        self.emptyPackets = emptyPackets
    }

    /// Counts a packet without bytes before it is added.
    ///
    /// Packets without bytes need a limit, because the size of the file limits only packets with bytes.
    ///
    /// - Returns: The fault if there are too many; then neither this packet nor any later one may be added.
    mutating func countEmptyPacket() -> String? {
        emptyPackets += 1
        guard isEnded else { return nil }
        return "it has more than \(Self.mostEmptyPackets) packets without bytes, and ends there"
    }

    /// Whether there were too many packets without bytes.
    var isEnded: Bool { emptyPackets > Self.mostEmptyPackets }

    /// Adds one packet with its own size.
    mutating func append(byteOffset: Int64, bytes: UInt32) {
        if count % Self.stride == 0 { checkpoints.append(byteOffset) }
        sizes.append(bytes)
        largestPacketBytes = max(largestPacketBytes, Int(bytes))
        add(byteOffset: byteOffset, bytes: Int64(bytes))
        count += 1
    }

    /// Adds packets of the constant size.
    ///
    /// - Parameter packets: The number of packets; the total of their bytes must not overflow.
    mutating func append(byteOffset: Int64, packets: Int64) {
        guard packets > 0 else { return }
        largestPacketBytes = packetBytes
        add(byteOffset: byteOffset, bytes: packets * Int64(packetBytes))
        count += packets
    }

    private mutating func add(byteOffset: Int64, bytes: Int64) {
        if byteOffset != end { jumps.append((count, byteOffset)) }
        end = byteOffset + bytes
        audioBytes += bytes
        let known = byteRange ?? byteOffset..<end
        byteRange = min(known.lowerBound, byteOffset)..<max(known.upperBound, end)
    }

    func bytes(of packet: Int64) -> Int {
        packetBytes > 0 ? packetBytes : Int(sizes[Int(packet)])
    }

    func byteOffset(of packet: Int64) -> Int64 {
        let jump = jumps[jumps.partitionIndex(isPast: { $0.packet > packet }) - 1]
        guard packetBytes == 0 else {
            return jump.byteOffset + (packet - jump.packet) * Int64(packetBytes)
        }
        let checkpoint = packet / Self.stride * Self.stride
        var (first, offset) = jump
        if checkpoint > first { (first, offset) = (checkpoint, checkpoints[Int(packet / Self.stride)]) }
        for earlier in first..<packet { offset += Int64(sizes[Int(earlier)]) }
        return offset
    }

    /// The number of packets from `packet` on without a gap between them.
    func contiguousCount(from packet: Int64) -> Int64 {
        let next = jumps.partitionIndex(isPast: { $0.packet > packet })
        return (next < jumps.count ? jumps[next].packet : count) - packet
    }

    private static let stride: Int64 = 64
    /// The largest number of packets without bytes: half an hour of AAC. Encoders write none.
    private static let mostEmptyPackets: Int64 = 1 << 16
}
