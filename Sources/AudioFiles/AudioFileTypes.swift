/// The frames of audio among the decoded frames, and the frames before and after it.
///
/// Corresponds to the published structure `AudioFilePacketTableInfo`.
public struct PacketTable: Sendable, Equatable {
    /// Frames at the start that the decoder needs, but that must not be played.
    public var primingFrames: Int64
    /// Frames of audio.
    public var validFrames: Int64
    /// Frames at the end that only fill the last packet.
    public var remainderFrames: Int64

    /// Makes a table from the three counts.
    public init(primingFrames: Int64, validFrames: Int64, remainderFrames: Int64) {
        self.primingFrames = primingFrames
        self.validFrames = validFrames
        self.remainderFrames = remainderFrames
    }

    /// The table adjusted to packets of `total` frames: the priming stays, and the remainder too, unless exactly that
    /// is missing.
    package func fitted(to total: Int64) -> PacketTable {
        let (sum, overflow) = validFrames.addingReportingOverflow(primingFrames + remainderFrames)
        if !overflow, sum == total { return self }
        let priming = min(primingFrames, total)
        let remainder = overflow || sum > total ? 0 : remainderFrames
        return PacketTable(
            primingFrames: priming, validFrames: total - priming - remainder, remainderFrames: remainder)
    }
}

/// The metadata for display: without control characters, and nil instead of empty.
public struct AudioFileTags: Sendable, Equatable {
    /// The title of the piece.
    public var title: String?
    /// The performer.
    public var artist: String?
    /// The album.
    public var album: String?

    /// Makes tags from the given strings.
    public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
        self.title = title
        self.artist = artist
        self.album = album
    }
}

/// The result of a read. No packets means the end of the file.
public struct PacketRead: Sendable, Equatable {
    /// The whole packets read.
    public var packets: Int
    /// The bytes of these packets.
    public var bytes: Int

    /// Makes a result from the two counts.
    public init(packets: Int, bytes: Int) {
        self.packets = packets
        self.bytes = bytes
    }
}

/// The position where decoding must begin so that a frame is the same as after decoding everything before it.
///
/// Pass packets from ``packet`` on to a reset decoder and drop the first ``framesToDiscard`` frames: the next is
/// exactly the requested one.
public struct SeekPoint: Sendable, Equatable {
    /// The first packet to decode.
    public var packet: Int64
    /// The decoded frames before the requested one.
    public var framesToDiscard: Int64

    /// Makes a seek point from a packet and a distance from its first frame.
    public init(packet: Int64, framesToDiscard: Int64) {
        self.packet = packet
        self.framesToDiscard = framesToDiscard
    }
}
