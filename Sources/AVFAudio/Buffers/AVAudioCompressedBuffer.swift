// SPDX-License-Identifier: MIT

public import AudioToolbox
import CoreAudioTypes
public import Foundation

/// Packets of an encoded format.
@safe open class AVAudioCompressedBuffer: AVAudioBuffer {
    // SAFETY: the descriptions are allocated by the initialiser and freed by deinit.

    public let packetCapacity: AVAudioPacketCount
    /// The size of the largest packet that the memory has room for, in bytes.
    public let maximumPacketSize: Int
    /// The descriptions of the packets; nil if all packets have the same size. Exists as long as this object.
    public let packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    /// The number of packets in the buffer, at most ``packetCapacity``: a greater number counts as that.
    open var packetCount: AVAudioPacketCount = 0 {
        didSet { packetCount = min(packetCount, packetCapacity) }
    }

    /// Allocates memory for packets. If there is not enough, the buffer has room for none.
    ///
    /// - Parameters:
    ///   - format: The format of the packets.
    ///   - maximumPacketSize: The size of the largest packet.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        let size = max(0, maximumPacketSize)
        let (bytes, isTooLarge) = size.multipliedReportingOverflow(by: Int(packetCapacity))
        let channels = Int(format.channelCount)
        let wanted =
            isTooLarge || bytes > UInt32.max
            ? nil : BufferMemory(buffers: 1, bytes: bytes, channels: channels)
        if wanted == nil {
            MisuseNote.write(
                "no memory for \(packetCapacity) packets of \(size) bytes: a buffer has room for none")
        }
        guard let memory = wanted ?? BufferMemory(buffers: 1, bytes: 0, channels: channels) else {
            fatalError("no memory for an empty buffer")
        }
        self.packetCapacity = wanted == nil ? 0 : packetCapacity
        self.maximumPacketSize = size
        if format.asbd.mBytesPerPacket == 0 {
            let count = max(1, Int(self.packetCapacity))
            let descriptions = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: count)
            unsafe descriptions.initialize(repeating: AudioStreamPacketDescription(), count: count)
            unsafe packetDescriptions = descriptions
        } else {
            unsafe packetDescriptions = nil
        }
        super.init(format, memory)
        memory.filledBytes = 0
    }

    /// Allocates memory for packets of one size, which the format has.
    public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        self.init(
            format: format, packetCapacity: packetCapacity,
            maximumPacketSize: Int(format.asbd.mBytesPerPacket))
    }

    /// Makes a buffer with room for no packet, to be replaced.
    public convenience init() { self.init(format: AVAudioFormat(), packetCapacity: 0, maximumPacketSize: 0) }

    deinit { unsafe packetDescriptions?.deallocate() }

    /// The bytes of the packets. Exists as long as this object.
    public var data: UnsafeMutableRawPointer {
        unsafe memory.samples(0)
    }

    public var byteCapacity: UInt32 { UInt32(memory.capacity) }

    /// The number of bytes in the buffer, at most ``byteCapacity``: a greater number counts as that.
    open var byteLength: UInt32 {
        get { UInt32(memory.filledBytes) }
        set { memory.filledBytes = Int(min(newValue, byteCapacity)) }
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = AVAudioCompressedBuffer(
            format: format, packetCapacity: packetCapacity, maximumPacketSize: maximumPacketSize)
        copy.memory.copyAudio(from: memory)
        copy.packetCount = packetCount
        if let source = unsafe packetDescriptions, let target = unsafe copy.packetDescriptions {
            unsafe target.update(from: source, count: Int(packetCapacity))
        }
        return copy
    }
}
