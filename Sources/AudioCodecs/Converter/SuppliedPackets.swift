// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A position in the packets that a caller has supplied in its own memory.
@safe struct SuppliedPackets {
    private let format: AudioStreamBasicDescription
    private let bytesPerPacket: Int
    // SAFETY: by contract, the memory is valid until the next request. Sizes are checked when packets are taken.
    private var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private var descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    private var index = 0
    private(set) var packets = 0

    init(format: AudioStreamBasicDescription) {
        self.format = format
        bytesPerPacket = format.hasConstantPacketSize ? Int(format.mBytesPerPacket) : 0
    }

    mutating func clear() {
        unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        unsafe descriptions = nil
        index = 0
        packets = 0
    }

    /// Replaces the packets, all of which have been used.
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
        unsafe self.bytes = bytes
        unsafe self.descriptions = bytesPerPacket > 0 ? nil : descriptions
        index = 0
        self.packets = packets
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
