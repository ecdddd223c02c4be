/// The offset and size of one packet of an MPEG audio stream.
public struct MPEGPacket: Sendable, Equatable {
    /// The offset from the beginning of the file.
    public var byteOffset: Int64
    /// Bytes of the whole packet, header included.
    public var bytes: Int
    /// The fields of its first four bytes.
    public var header: MPEGFrameHeader
    /// The number of bytes between the last packet and this one that are not audio.
    public var skippedBytes: Int64
}
