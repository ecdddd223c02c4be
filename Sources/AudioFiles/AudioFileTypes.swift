/// How many frames that its packets decode to are sound, and how many come before and after.
///
/// Has the meaning of the published structure `AudioFilePacketTableInfo`.
public struct PacketTable: Sendable, Equatable {
    /// Frames at the start that the decoder needs but nobody shall hear.
    public var primingFrames: Int64
    /// Frames of sound.
    public var validFrames: Int64
    /// Frames at the end that only fill the last packet.
    public var remainderFrames: Int64

    public init(primingFrames: Int64, validFrames: Int64, remainderFrames: Int64) {
        self.primingFrames = primingFrames
        self.validFrames = validFrames
        self.remainderFrames = remainderFrames
    }
}

/// Text of a file for display: without control characters, and nil rather than empty.
public struct AudioFileTags: Sendable, Equatable {
    public var title: String?
    public var artist: String?
    public var album: String?

    public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
        self.title = title
        self.artist = artist
        self.album = album
    }
}

/// What one read gave. No packets means the end of the file.
public struct PacketRead: Sendable, Equatable {
    public var packets: Int
    public var bytes: Int

    public init(packets: Int, bytes: Int) {
        self.packets = packets
        self.bytes = bytes
    }
}

/// Where decoding must begin for a frame to come out just as if all before it had been decoded.
///
/// Feed a reset decoder from ``packet`` on and drop the first ``framesToDiscard`` frames: the next is
/// exactly the one asked for.
public struct SeekPoint: Sendable, Equatable {
    public var packet: Int64
    public var framesToDiscard: Int64

    public init(packet: Int64, framesToDiscard: Int64) {
        self.packet = packet
        self.framesToDiscard = framesToDiscard
    }
}
