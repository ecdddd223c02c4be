// SPDX-License-Identifier: MIT

/// The offset and size of one packet of an MPEG audio stream.
public struct MPEGPacket: Sendable, Equatable {
    /// The offset from the beginning of the file.
    public var byteOffset: Int64
    /// The size of the whole packet in bytes, header included.
    public var bytes: Int
    /// The header, read from the packet's first four bytes.
    public var header: MPEGFrameHeader
    /// The number of bytes between the previous packet and this one, which belong to no packet, including tags. For the
    /// first packet, those from the beginning of the stream on, or from the end of an information tag.
    public var skippedBytes: Int64
}
