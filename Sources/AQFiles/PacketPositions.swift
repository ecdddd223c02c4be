// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// A packet that a table lists.
struct TabledPacket {
    var byteOffset: Int64
    var bytes: Int
    /// The number of frames, if the format does not fix it; otherwise 0.
    var frames: UInt32 = 0
    /// The number of contiguous packets of the same size from this one on.
    var alike: Int64 = 1
}

/// A position in a table of packets.
protocol PacketPositions {
    /// The next packet; nil after the last.
    var current: TabledPacket? { get }

    mutating func pass(_ packets: Int)
}

/// A position in a packet index.
struct IndexPositions: PacketPositions {
    let index: PacketIndex
    private var packet: Int64

    init(index: PacketIndex, packet: Int64 = 0) {
        self.index = index
        self.packet = packet
    }

    var current: TabledPacket? {
        guard packet < index.count else { return nil }
        return TabledPacket(
            byteOffset: index.byteOffset(of: packet), bytes: index.bytes(of: packet),
            alike: index.packetBytes > 0 ? index.contiguousCount(from: packet) : 1)
    }

    mutating func pass(_ packets: Int) { packet += Int64(packets) }
}

extension OpenFile {
    /// Reads packets of a regular file in the order of a table, as many as fit.
    ///
    /// - Parameter isDescribed: Whether packets have descriptions.
    /// - Returns: The packets, and whether the file ends before a packet of the table does.
    func read(
        _ positions: some PacketPositions, isDescribed: Bool, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> (read: PacketRead, isCut: Bool) {
        guard !isDescribed || descriptions.count > 0 else {
            throw AudioFileError(.bufferTooSmall, "there is no room for packet descriptions")
        }
        let mostPackets = isDescribed ? descriptions.count : .max
        var positions = positions
        var read = PacketRead(packets: 0, bytes: 0)
        while read.packets < mostPackets, let first = positions.current {
            let start = read
            // Contiguous packets are read at once.
            while read.packets < mostPackets, let packet = positions.current,
                packet.byteOffset - first.byteOffset == Int64(read.bytes - start.bytes),
                packet.bytes <= bytes.count - read.bytes
            {
                var alike = 1
                if isDescribed {
                    unsafe descriptions[read.packets] = AudioStreamPacketDescription(
                        mStartOffset: Int64(read.bytes), mVariableFramesInPacket: packet.frames,
                        mDataByteSize: UInt32(clamping: packet.bytes))
                } else {
                    alike = Int(min(packet.alike, Int64((bytes.count - read.bytes) / max(packet.bytes, 1))))
                }
                read.packets += alike
                read.bytes += alike * packet.bytes
                positions.pass(alike)
            }
            guard read.packets > start.packets else {
                if read.packets > 0 { break }
                throw AudioFileError(
                    .bufferTooSmall, "a packet of \(first.bytes) bytes does not fit \(bytes.count)")
            }
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start.bytes..<read.bytes])
            let got = try unsafe fill(room, from: first.byteOffset)
            guard got < read.bytes - start.bytes else { continue }
            while read.bytes > start.bytes + got {
                read.packets -= 1
                read.bytes -= isDescribed ? Int(unsafe descriptions[read.packets].mDataByteSize) : first.bytes
            }
            return (read, true)
        }
        return (read, false)
    }

    /// Returns the announced AAC configuration with the extensions that the first packets of a table show.
    func config(
        announced: AudioSpecificConfig, shownBy positions: some PacketPositions
    ) -> AudioSpecificConfig {
        var (detector, positions) = (ExtensionDetector(announced), positions)
        // AAC packets are smaller than the limit. Read errors are reported when packets are read.
        while !detector.isDecided, let packet = positions.current, packet.bytes <= 1 << 16,
            let bytes = whole(at: packet.byteOffset, count: packet.bytes)
        {
            unsafe bytes.withUnsafeBytes { unsafe detector.examine($0) }
            positions.pass(1)
        }
        return detector.config
    }
}
