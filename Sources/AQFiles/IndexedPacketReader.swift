// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A reader of a stream whose packets are found in order. The index has the packets read or requested so far.
protocol IndexedPacketReader: PacketReader {
    /// The positions of the packets found so far, headers included.
    var index: PacketIndex { get }
    var warnings: WarningList { get set }

    /// Adds one packet to the index; returns false at the end.
    func indexNext() throws(AudioFileError) -> Bool
    /// Returns the contents of an indexed packet, valid until the next call; nil if the file has changed.
    func contents(at byteOffset: Int64, bytes: Int) throws(AudioFileError) -> UnsafeRawBufferPointer?
}

extension IndexedPacketReader {
    var isSeekable: Bool { true }

    func countPackets() throws(AudioFileError) -> Int64 {
        while try indexNext() {}
        return index.count
    }

    func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        try find(packet) ? index.byteOffset(of: packet) : nil
    }

    /// Extends the index up to a packet; returns false if the stream ends before the packet.
    func find(_ packet: Int64) throws(AudioFileError) -> Bool {
        while index.count <= packet {
            guard try indexNext() else { return false }
        }
        return true
    }

    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        guard descriptions.count > 0 else {
            throw AudioFileError(.bufferTooSmall, "there is no room for packet descriptions")
        }
        var read = PacketRead(packets: 0, bytes: 0)
        while read.packets < descriptions.count {
            let next = packet + Int64(read.packets)
            guard try find(next) else { break }
            let byteOffset = index.byteOffset(of: next)
            guard let contents = unsafe try contents(at: byteOffset, bytes: index.bytes(of: next)) else {
                warnings.append("the file changed while it was read, at byte \(byteOffset)")
                break
            }
            guard contents.count <= bytes.count - read.bytes else {
                if read.packets > 0 { break }
                throw AudioFileError(
                    .bufferTooSmall, "a packet of \(contents.count) bytes does not fit \(bytes.count)")
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[read.bytes...]).copyMemory(from: contents)
            unsafe descriptions[read.packets] = AudioStreamPacketDescription(
                mStartOffset: Int64(read.bytes), mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(contents.count))
            read.packets += 1
            read.bytes += contents.count
        }
        return read
    }
}
