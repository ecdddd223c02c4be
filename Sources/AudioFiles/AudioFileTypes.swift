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

    /// Makes a table of the three counts.
    public init(primingFrames: Int64, validFrames: Int64, remainderFrames: Int64) {
        self.primingFrames = primingFrames
        self.validFrames = validFrames
        self.remainderFrames = remainderFrames
    }

    /// The table for packets of `total` frames, if it was made for fewer or for more of them: the priming stays,
    /// and the remainder unless just that is missing.
    package func fitted(to total: Int64) -> PacketTable {
        let (sum, overflow) = validFrames.addingReportingOverflow(primingFrames + remainderFrames)
        if !overflow, sum == total { return self }
        let priming = min(primingFrames, total)
        let remainder = overflow || sum > total ? 0 : remainderFrames
        return PacketTable(
            primingFrames: priming, validFrames: total - priming - remainder, remainderFrames: remainder)
    }
}

/// Text of a file for display: without control characters, and nil rather than empty.
public struct AudioFileTags: Sendable, Equatable {
    /// Title of the piece.
    public var title: String?
    /// Who performs it.
    public var artist: String?
    /// What it is part of.
    public var album: String?

    /// Makes tags of the texts given.
    public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
        self.title = title
        self.artist = artist
        self.album = album
    }
}

/// What one read gave. No packets means the end of the file.
public struct PacketRead: Sendable, Equatable {
    /// Whole packets read.
    public var packets: Int
    /// Bytes of these packets.
    public var bytes: Int

    /// Makes a result of the two counts.
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
    /// The first packet to decode.
    public var packet: Int64
    /// Decoded frames before the one asked for.
    public var framesToDiscard: Int64

    /// Makes a point of a packet and a distance from its first frame.
    public init(packet: Int64, framesToDiscard: Int64) {
        self.packet = packet
        self.framesToDiscard = framesToDiscard
    }
}
