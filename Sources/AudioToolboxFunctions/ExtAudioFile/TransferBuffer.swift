import CAudioToolbox
import CoreAudioTypes

/// The memory between the file and the converter: packets on their way, and their descriptions.
@safe final class TransferBuffer {
    // SAFETY: owns its memory and frees it in deinit; a client's is its own to keep. The converter reads out of
    // either until it asks for more, and it is only then that the memory changes.
    private var own = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private let places: UnsafeMutableBufferPointer<AudioStreamPacketDescription>

    /// Bytes of the buffer, as the client sees it; packets that are larger get a larger one.
    var byteCount: UInt32 = 64 << 10
    /// The client's memory of as many bytes, as an address; 0 for none.
    var clientAddress: UInt = 0

    /// Packets that are described at once.
    private static let describedPackets = 1024
    /// The most bytes that a client may have it set aside.
    static let mostBytes: UInt32 = 64 << 20

    init() {
        unsafe places = .allocate(capacity: Self.describedPackets)
        unsafe places.initialize(repeating: AudioStreamPacketDescription())
    }

    deinit {
        unsafe own.deallocate()
        unsafe places.deallocate()
    }

    /// The memory, with room for a packet of `packetBytes` bytes at least.
    ///
    /// What was in it is gone.
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

    /// Where packets of `format` are described; empty if they need none.
    func descriptions(
        for format: AudioStreamBasicDescription
    ) -> UnsafeMutableBufferPointer<AudioStreamPacketDescription> {
        unsafe format.hasConstantPacketSize ? UnsafeMutableBufferPointer(start: nil, count: 0) : places
    }
}
