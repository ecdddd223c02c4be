// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The positions of the packets in a packet table, in little more memory than the table itself.
///
/// The index keeps the table's entries, and the position of every 64th packet. Entries may be added in pieces, as they
/// arrive in a stream.
struct CAFPacketIndex {
    /// The start of a packet, or the end of the last packet.
    struct Position: Equatable {
        /// The offset in the entries, in bytes.
        var entry = 0
        /// The offset from the first packet.
        var byteOffset: Int64 = 0
        /// The frame relative to the first packet, including priming.
        var frame: Int64 = 0
    }

    private(set) var count = 0
    /// The end of the last known packet.
    private(set) var end = Position()
    private(set) var largestBytes: Int64
    /// Whether an entry was impossibly large; later entries are not read.
    private(set) var isDamaged = false

    /// The constant size of packets; nil if the table states the size of each packet.
    private let bytesPerPacket: Int64?
    private let framesPerPacket: Int64?
    private var entries: [UInt8] = []
    private var checkpoints: [Position] = []

    init(for format: AudioStreamBasicDescription) {
        bytesPerPacket = format.mBytesPerPacket == 0 ? nil : Int64(format.mBytesPerPacket)
        framesPerPacket = format.mFramesPerPacket == 0 ? nil : Int64(format.mFramesPerPacket)
        largestBytes = bytesPerPacket ?? 0
    }

    /// Reads further bytes of the entries.
    ///
    /// - Parameter limit: The number of packets in the table; bytes after the entries of these packets are only kept.
    mutating func append(_ bytes: some Sequence<UInt8>, limit: Int64) {
        let limit = Int(clamping: min(limit, Self.maximumPackets))
        guard !isDamaged else { return }
        entries.append(contentsOf: bytes)
        while count < limit, let packet = packet(at: end) {
            if count % Self.stride == 0 { checkpoints.append(end) }
            largestBytes = max(largestBytes, packet.bytes)
            end = packet.next
            count += 1
        }
        if count < limit { isDamaged = hasExcessiveNumber(at: end.entry) }
    }

    /// The number of bytes after the entries of the counted packets.
    var spareBytes: Int { entries.count - end.entry }

    /// Returns whether the entries after the counted ones describe packets of exactly these bytes, as in a file whose
    /// writer was killed before it counted its last packets.
    func hasUncountedPackets(ofBytes bytes: Int64) -> Bool {
        var position = end
        let audioEnd = end.byteOffset + bytes
        while position.byteOffset < audioEnd, let packet = packet(at: position) { position = packet.next }
        return position.byteOffset == audioEnd
    }

    /// Drops packets that do not end within the given bytes, and returns the number of dropped packets.
    mutating func clip(toBytes bytes: Int64) -> Int {
        // No remaining packet is larger than all remaining packets together.
        if bytesPerPacket == nil { largestBytes = min(largestBytes, max(bytes, 0)) }
        guard end.byteOffset > bytes, bytes >= 0 else { return 0 }
        var packet = checkpoints.partitionIndex(isPast: { $0.byteOffset > bytes })
        packet = max(packet - 1, 0) * Self.stride
        var position = position(of: packet)
        while let found = self.packet(at: position), found.next.byteOffset <= bytes {
            position = found.next
            packet += 1
        }
        defer { (count, end) = (packet, position) }
        return count - packet
    }

    /// The start of a packet, or the end of the last packet for the number after it.
    func position(of packet: Int) -> Position {
        guard packet < count, packet >= 0 else { return end }
        var position = checkpoints[packet / Self.stride]
        for _ in 0..<packet % Self.stride { position = self.packet(at: position)?.next ?? position }
        return position
    }

    /// The packet that contains a frame, and its start; for a frame past the end, the number after the last packet.
    func packet(atFrame frame: Int64) -> (packet: Int, position: Position) {
        guard frame < end.frame else { return (count, end) }
        var packet = max(checkpoints.partitionIndex(isPast: { $0.frame > frame }) - 1, 0) * Self.stride
        var position = position(of: packet)
        while packet < count, let found = self.packet(at: position), found.next.frame <= frame {
            position = found.next
            packet += 1
        }
        return (packet, position)
    }

    /// Returns the size, frames and end of the packet at a position; nil if its entry is incomplete or damaged.
    func packet(at position: Position) -> (bytes: Int64, frames: Int64, next: Position)? {
        var next = position
        guard let bytes = bytesPerPacket ?? number(at: &next.entry),
            let frames = framesPerPacket ?? number(at: &next.entry)
        else { return nil }
        next.byteOffset += bytes
        next.frame += frames
        return (bytes, frames, next)
    }

    /// Returns an index of the same packets, with the frames of another format.
    func recounted(for format: AudioStreamBasicDescription) -> CAFPacketIndex {
        var index = CAFPacketIndex(for: format)
        index.append(entries, limit: Int64(count))
        return index
    }

    private func number(at entry: inout Int) -> Int64? {
        guard case .number(let number, let bytes) = CAFVariableLength.read(entries, at: entry) else {
            return nil
        }
        entry += bytes
        return number
    }

    private func hasExcessiveNumber(at entry: Int) -> Bool {
        switch CAFVariableLength.read(entries, at: entry) {
        case .excessive: true
        case .number(_, let bytes) where bytesPerPacket == nil && framesPerPacket == nil:
            CAFVariableLength.read(entries, at: entry + bytes) == .excessive
        case .number, .incomplete: false
        }
    }

    private static let stride = 64
    /// The largest number of packets, so that no sum overflows its type.
    private static let maximumPackets = Int64(Int32.max)
}

/// A position in a CAF packet table.
struct CAFPositions: PacketPositions {
    private let index: CAFPacketIndex?
    private let dataStart: Int64
    /// Whether packets vary in their number of frames.
    private let isTimed: Bool
    private var packet = 0
    private var position = CAFPacketIndex.Position()

    init() { (index, dataStart, isTimed) = (nil, 0, false) }

    init(index: CAFPacketIndex, dataStart: Int64, isTimed: Bool) {
        (self.index, self.dataStart, self.isTimed) = (index, dataStart, isTimed)
    }

    var current: TabledPacket? {
        guard let index, packet < index.count, let found = index.packet(at: position) else { return nil }
        return TabledPacket(
            byteOffset: dataStart + position.byteOffset, bytes: Int(found.bytes),
            frames: isTimed ? UInt32(clamping: found.frames) : 0)
    }

    mutating func pass(_ packets: Int) {
        for _ in 0..<packets {
            position = index?.packet(at: position)?.next ?? position
            packet += 1
        }
    }

    func moved(to packet: Int64) -> CAFPositions {
        var moved = self
        moved.packet = Int(clamping: packet)
        moved.position = index?.position(of: moved.packet) ?? position
        return moved
    }
}
