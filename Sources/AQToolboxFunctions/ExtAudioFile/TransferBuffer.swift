// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// The memory between the file and the converter: packets in transit, and their descriptions.
@safe final class TransferBuffer {
    // SAFETY: own memory is freed by deinit; a client's memory remains the client's. The converter reads from
    // either memory until its next request, and only then does the memory change.
    private var own = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private let descriptionMemory: UnsafeMutableBufferPointer<AudioStreamPacketDescription>

    /// The size of the buffer in bytes, as the client reads and sets it; larger packets get a larger buffer.
    var byteCount: UInt32 = 64 << 10
    /// The address of the client's memory of ``byteCount`` bytes; 0 if there is none.
    var clientAddress: UInt = 0

    /// The number of packets that are described at once.
    private static let describedPackets = 1024
    /// The largest size that a client can set, in bytes.
    static let mostBytes: UInt32 = 64 << 20

    init() {
        unsafe descriptionMemory = .allocate(capacity: Self.describedPackets)
        unsafe descriptionMemory.initialize(repeating: AudioStreamPacketDescription())
    }

    deinit {
        unsafe own.deallocate()
        unsafe descriptionMemory.deallocate()
    }

    /// The memory, with room for a packet of `packetBytes` bytes at least.
    ///
    /// Its previous contents are lost.
    func memory(packetBytes: Int) -> UnsafeMutableRawBufferPointer {
        let bytes = max(Int(byteCount), packetBytes, 1)
        if clientAddress != 0, Int(byteCount) >= packetBytes, byteCount > 0 {
            return unsafe UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: clientAddress), count: Int(byteCount))
        }
        if unsafe own.count != bytes {
            unsafe own.deallocate()
            unsafe own = .allocate(byteCount: bytes, alignment: 64)
        }
        return unsafe own
    }

    /// The descriptions of packets of `format`; empty if they need none.
    func descriptions(
        for format: AudioStreamBasicDescription
    ) -> UnsafeMutableBufferPointer<AudioStreamPacketDescription> {
        unsafe format.hasConstantPacketSize
            ? UnsafeMutableBufferPointer(start: nil, count: 0) : descriptionMemory
    }
}
