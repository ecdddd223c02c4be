// SPDX-License-Identifier: MIT

/// The numbers of decoded frames before, within and after the audio.
///
/// Corresponds to the published structure `AudioFilePacketTableInfo`.
public struct PacketTable: Sendable, Equatable {
    /// The number of frames at the start that the decoder needs, but that must not be played.
    public var primingFrames: Int64
    /// The number of frames of audio.
    public var validFrames: Int64
    /// The number of frames at the end that only fill the last packet.
    public var remainderFrames: Int64

    /// Makes a table from the three counts.
    public init(primingFrames: Int64, validFrames: Int64, remainderFrames: Int64) {
        self.primingFrames = primingFrames
        self.validFrames = validFrames
        self.remainderFrames = remainderFrames
    }

    /// Returns the table adjusted to packets of `total` frames. The priming is kept, up to `total`; the remainder is
    /// dropped if the packets have fewer frames than the table.
    package func fitted(to total: Int64) -> PacketTable {
        let (sum, overflow) = validFrames.addingReportingOverflow(primingFrames + remainderFrames)
        if !overflow, sum == total { return self }
        let priming = min(primingFrames, total)
        let remainder = overflow || sum > total ? 0 : remainderFrames
        return PacketTable(
            primingFrames: priming, validFrames: total - priming - remainder, remainderFrames: remainder)
    }
}

/// Metadata for display, without control characters; empty values are nil.
public struct AudioFileTags: Sendable, Equatable {
    /// The title of the piece.
    public var title: String?
    /// The performer.
    public var artist: String?
    /// The name of the album.
    public var album: String?

    /// Makes tags from the given strings.
    public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
        self.title = title
        self.artist = artist
        self.album = album
    }
}

/// The result of a read; no packets at the end of the file.
public struct PacketRead: Sendable, Equatable {
    /// The number of whole packets read.
    public var packets: Int
    /// The total size of the packets read, in bytes.
    public var bytes: Int

    /// Makes a result from the two counts.
    public init(packets: Int, bytes: Int) {
        self.packets = packets
        self.bytes = bytes
    }
}

/// The position at which decoding must begin, so that a frame equals that of decoding from the file's start.
///
/// Pass packets from ``packet`` on to a reset decoder, and drop the first ``framesToDiscard`` frames. The next frame is
/// the requested one.
public struct SeekPoint: Sendable, Equatable {
    /// The first packet to decode.
    public var packet: Int64
    /// The number of decoded frames before the requested one.
    public var framesToDiscard: Int64

    /// Makes a seek point from a packet and a distance from its first frame.
    public init(packet: Int64, framesToDiscard: Int64) {
        self.packet = packet
        self.framesToDiscard = framesToDiscard
    }
}
