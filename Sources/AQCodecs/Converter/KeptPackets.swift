// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The memory of packets that a caller supplied before the ones ahead of them were used.
@safe final class KeptPackets {
    // SAFETY: allocated by the initialiser, freed by deinit.
    @unsafe let bytes: UnsafeMutableRawBufferPointer
    /// The place of each packet; nil if all have one size.
    @unsafe let descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>?
    private var bytesUsed = 0
    private var packetsUsed = 0

    init(byteCount: Int, packetCount: Int, isDescribed: Bool) {
        unsafe bytes = .allocate(byteCount: max(byteCount, 1), alignment: 64)
        unsafe descriptions = isDescribed ? .allocate(capacity: max(packetCount, 1)) : nil
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe descriptions?.deallocate()
    }

    /// Copies a packet, or several of one size, for which there is room.
    func append(_ packet: UnsafeRawBufferPointer) {
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[bytesUsed...])
        unsafe target.copyMemory(from: packet)
        unsafe descriptions?.initializeElement(
            at: packetsUsed,
            to: AudioStreamPacketDescription(
                mStartOffset: Int64(bytesUsed), mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(packet.count)))
        bytesUsed += packet.count
        packetsUsed += 1
    }
}
