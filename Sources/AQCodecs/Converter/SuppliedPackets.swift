// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A position in the packets that a caller has supplied in its own memory, or that were kept in other memory.
@safe struct SuppliedPackets {
    private let format: AudioStreamBasicDescription
    private let bytesPerPacket: Int
    // SAFETY: by contract, the memory is valid until the next request, or belongs to `kept`. Sizes are checked when
    // packets are taken.
    private var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private var descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    private var index = 0
    private(set) var packets = 0
    /// The memory of packets that were kept; nil if the caller has the packets.
    private var kept: KeptPackets?

    init(format: AudioStreamBasicDescription) {
        self.format = format
        bytesPerPacket = format.hasConstantPacketSize ? Int(format.mBytesPerPacket) : 0
    }

    mutating func clear() { self = SuppliedPackets(format: format) }

    /// Copies the packets, if there are any, so that they outlast the next request.
    mutating func keep() {
        if packets > 0, kept == nil { append(SuppliedPackets(format: format)) }
    }

    /// Adds packets. Those before them must have been used or kept.
    ///
    /// - Throws: ``CodecError/Code/invalidInputSize`` if packets exceed `bytes`, or required descriptions are
    ///   missing.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        packets: Int
    ) throws(CodecError) {
        if bytesPerPacket > 0 {
            guard packets <= bytes.count / bytesPerPacket else {
                throw failure("\(bytes.count) bytes do not hold \(packets) packets of \(bytesPerPacket)")
            }
        } else {
            guard let descriptions = unsafe descriptions, descriptions.count >= packets else {
                throw CodecError(
                    .missingPacketDescriptions, cannot: "convert", format,
                    "\(packets) packets, not as many descriptions")
            }
            for index in 0..<packets {
                let one = unsafe descriptions[index]
                let (offset, size) = (one.mStartOffset, Int64(one.mDataByteSize))
                guard offset >= 0, size <= Int64(bytes.count), offset <= Int64(bytes.count) - size else {
                    throw failure("packet \(index), \(size) bytes at \(offset), in \(bytes.count) bytes")
                }
            }
        }
        var next = SuppliedPackets(format: format)
        unsafe next.bytes = bytes
        unsafe next.descriptions = bytesPerPacket > 0 ? nil : descriptions
        next.packets = packets
        if self.packets > 0 { append(next) } else { self = next }
    }

    /// Copies the packets and those of `other` to memory of their own.
    private mutating func append(_ other: SuppliedPackets) {
        let memory = KeptPackets(
            byteCount: byteCount + other.byteCount, packetCount: packets + other.packets,
            isDescribed: bytesPerPacket == 0)
        for var source in [self, other] {
            while source.packets > 0 {
                let next = unsafe source.next(atMost: .max)
                unsafe memory.append(next.bytes)
                source.drop(packets: unsafe next.packets)
            }
        }
        unsafe bytes = UnsafeRawBufferPointer(memory.bytes)
        unsafe descriptions = memory.descriptions.map { UnsafeBufferPointer($0) }
        index = 0
        packets += other.packets
        kept = memory
    }

    /// The size of the packets, in bytes.
    private var byteCount: Int {
        guard let descriptions = unsafe descriptions else { return packets * bytesPerPacket }
        return (index..<index + packets).reduce(0) { unsafe $0 + Int(descriptions[$1].mDataByteSize) }
    }

    /// The beginning of the next packet; nil if packets vary in size.
    var start: UnsafeRawPointer? {
        unsafe bytes.baseAddress.map { unsafe $0 + index * bytesPerPacket }
    }

    /// Returns the next packet; if all packets have one size, up to `limit` packets.
    func next(atMost limit: Int) -> (bytes: UnsafeRawBufferPointer, packets: Int) {
        if let descriptions = unsafe descriptions {
            let one = unsafe descriptions[index]
            let offset = Int(one.mStartOffset)
            return unsafe (
                UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(one.mDataByteSize)]), 1
            )
        }
        let count = min(limit, packets)
        let offset = index * bytesPerPacket
        return unsafe (
            UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count * bytesPerPacket]), count
        )
    }

    mutating func drop(packets count: Int) {
        index += count
        packets -= count
    }

    private func failure(_ reason: String) -> CodecError {
        CodecError(.invalidInputSize, cannot: "convert", format, reason)
    }
}
