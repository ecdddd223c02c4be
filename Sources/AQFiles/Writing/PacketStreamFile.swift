// SPDX-License-Identifier: MIT

/// A file that contains only contiguous packets, so that it is complete after every packet. A tag may precede the
/// packets; offsets do not include it.
///
/// After a failure of the system the rest of an incomplete packet is truncated. No packets can follow.
struct PacketStreamFile {
    let file: OutputFile
    /// The number of whole packets in the file, and the end of the last one.
    private(set) var packetCount: Int64 = 0
    private(set) var endOffset: Int64 = 0
    /// The size of the data before the packets, in bytes.
    private var startOffset: Int64 = 0

    init(_ file: OutputFile) { self.file = file }

    /// Writes the data before the first packet, or replaces it in a file without packets.
    mutating func begin(with tag: [UInt8]) throws(AudioFileError) {
        do throws(AudioFileError) {
            if file.isSeekable, file.byteCount > 0 { try file.truncate(to: 0) }
            try file.append(tag)
        } catch {
            // The first failure is reported. If truncating fails too, part of a tag remains, which readers skip.
            if file.isSeekable { try? file.truncate(to: 0) }
            throw error
        }
        (startOffset, endOffset) = (Int64(tag.count), 0)
    }

    /// Appends packets, which end at the offsets `packetEnds` in `bytes`.
    ///
    /// - Parameter whole: Called with the number of packets written, also if there was no room for all packets.
    mutating func append(
        _ bytes: [UInt8], packetEnds: [Int], whole: (Int) -> Void = { _ in }
    ) throws(AudioFileError) {
        let start = endOffset
        do throws(AudioFileError) {
            try file.append(bytes)
            note(packetEnds.count, end: start + Int64(bytes.count))
            whole(packetEnds.count)
        } catch {
            let arrived = file.byteCount - startOffset - start
            let count = packetEnds.firstIndex { Int64($0) > arrived } ?? packetEnds.count
            note(count, end: start + Int64(count > 0 ? packetEnds[count - 1] : 0))
            whole(count)
            // The first failure is reported. If truncating fails too, part of a packet remains, which readers skip.
            if file.isSeekable { try? file.truncate(to: startOffset + endOffset) }
            throw error
        }
    }

    /// Overwrites bytes at an offset relative to the first packet.
    func patch(_ bytes: [UInt8], at offset: Int64) throws(AudioFileError) {
        try file.patch(bytes[...], at: startOffset + offset)
    }

    private mutating func note(_ packets: Int, end: Int64) {
        packetCount += Int64(packets)
        endOffset = end
    }
}
