/// Where one packet of an MPEG audio stream lies.
public struct MPEGPacket: Sendable, Equatable {
    /// From the beginning of the file.
    public var byteOffset: Int64
    /// Bytes of the whole packet, header included.
    public var bytes: Int
    /// What its first four bytes say.
    public var header: MPEGFrameHeader
    /// Bytes between the last packet and this one that are no audio.
    public var skippedBytes: Int64
}
