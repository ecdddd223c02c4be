// SPDX-License-Identifier: MIT

/// The segments of a stream (RFC 8216, 4.3.3).
package struct HLSMediaPlaylist: Equatable, Sendable {
    package enum Kind: Sendable { case event, onDemand }

    /// The part that precedes the segments of fragmented MPEG-4 (EXT-X-MAP).
    package struct Initialization: Equatable, Sendable {
        /// The URL reference, relative to the playlist; nil if it is missing or invalid.
        package var reference: String?
        /// The part of the resource; nil for all of it.
        package var byteRange: Range<Int64>?
    }

    package struct Segment: Equatable, Sendable {
        package var sequenceNumber: Int64
        /// The URL reference, relative to the playlist. ``RemoteAddress/resolved(_:)`` checks it.
        package var reference: String
        /// The part of the resource; nil for all of it.
        package var byteRange: Range<Int64>?
        /// The duration in seconds, at most 10⁹.
        package var seconds: Double
        /// The title, without control characters.
        package var title: String?
        package var initialization: Initialization?
        /// The number of discontinuities before the segment, in the whole stream. Segments with equal numbers have the
        /// same format and continuous timestamps.
        package var discontinuityNumber: Int64
        /// The encryption, such as "AES-128"; nil for none.
        package var encryptionMethod: String?
        /// Whether the segment cannot be loaded: the playlist says so, or its reference or byte range is invalid.
        package var isGap: Bool
    }

    /// The largest duration of a segment in seconds, at least 1. If it is not stated, that of the longest segment.
    package internal(set) var targetSeconds: Double = 0
    /// The sequence number of the first segment.
    package internal(set) var firstSequenceNumber: Int64 = 0
    package internal(set) var segments: [Segment] = []
    /// Whether no segment will be added.
    package internal(set) var hasEnded = false
    /// The stated type; nil if segments may be removed from the start.
    package internal(set) var kind: Kind?
    /// The position at which to start in seconds, from the start, or if negative from the end; nil if it is not stated.
    package internal(set) var startSeconds: Double?

    /// The number of segments in the longest playlist.
    package static let mostSegments = 50_000

    init(_ bytes: [UInt8]) throws(HLSPlaylistError) {
        var parser = HLSMediaParser()
        for (number, line) in TextLines(bytes[...]) { try parser.read(HLSLine(line), number: number) }
        self = parser.finished()
    }

    init() {}
}
