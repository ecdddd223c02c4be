import CoreAudioTypes

/// Packets that a stream gave and nobody has asked for yet: one batch of them.
struct PendingPackets {
    /// Bytes of every packet; 0 if each has its own.
    private let packetBytes: Int
    private var bytes: [UInt8] = []
    private var firstByte = 0
    private var descriptions: [AudioStreamPacketDescription] = []
    private var firstDescription = 0

    init(packetBytes: Int) { self.packetBytes = packetBytes }

    var count: Int {
        packetBytes > 0 ? (bytes.count - firstByte) / packetBytes : descriptions.count - firstDescription
    }

    /// The first packet, in bytes and in frames where the format leaves these open.
    var first: (bytes: Int, frames: UInt32)? {
        guard count > 0 else { return nil }
        guard packetBytes == 0 else { return (packetBytes, 0) }
        let description = descriptions[firstDescription]
        return (Int(description.mDataByteSize), description.mVariableFramesInPacket)
    }

    /// Takes a batch in place of the last, of which nothing is left.
    mutating func fill(
        _ new: UnsafeRawBufferPointer, _ places: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) {
        (firstByte, firstDescription) = (0, 0)
        bytes.removeAll(keepingCapacity: true)
        unsafe bytes.append(contentsOf: new)
        descriptions.removeAll(keepingCapacity: true)
        if let places = unsafe places { unsafe descriptions.append(contentsOf: places) }
    }

    /// Copies packets of one size to the beginning of `memory`, as many as fit; returns how many.
    mutating func takeAlike(into memory: UnsafeMutableRawBufferPointer) -> Int {
        let packets = min(memory.count / packetBytes, count)
        unsafe copy(packets * packetBytes, from: firstByte, into: memory)
        firstByte += packets * packetBytes
        return packets
    }

    /// Copies the first packet to the beginning of `memory`, which has room for it.
    mutating func takeFirst(into memory: UnsafeMutableRawBufferPointer) {
        let description = descriptions[firstDescription]
        unsafe copy(Int(description.mDataByteSize), from: Int(description.mStartOffset), into: memory)
        firstDescription += 1
    }

    /// Drops the first packets.
    mutating func drop(_ packets: Int) {
        if packetBytes > 0 { firstByte += packets * packetBytes } else { firstDescription += packets }
    }

    private func copy(_ count: Int, from start: Int, into memory: UnsafeMutableRawBufferPointer) {
        unsafe bytes[start..<start + count].withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
    }
}
