// SPDX-License-Identifier: MIT

/// The consecutive segments of an HLS stream, joined to files: as the audio would be without segments.
struct HLSSegments {
    private let buffer: ArrivalBuffer
    private var transportStream: TransportStreamDemultiplexer?
    private var discontinuityNumber: Int64?
    private var initialization: HLSMediaPlaylist.Initialization?
    private var hasAudio = false
    /// Whether the next segment does not continue the last one.
    private var isInterrupted = true

    /// Whether another file begins after an interruption.
    private let splits: Bool

    init(buffer: ArrivalBuffer, splits: Bool) {
        self.buffer = buffer
        self.splits = splits
    }

    /// Notes that segments were left out.
    mutating func skip() { isInterrupted = true }

    /// Whether a segment does not continue the last one, or has another header: ``initialize(_:_:)`` is called first.
    func mustInitialize(_ segment: HLSMediaPlaylist.Segment) -> Bool {
        isInterrupted || segment.discontinuityNumber != discontinuityNumber
            || segment.initialization != initialization
    }

    /// Begins a file.
    ///
    /// - Parameter header: The bytes before the segments; empty if there are none.
    mutating func initialize(_ segment: HLSMediaPlaylist.Segment, _ header: [UInt8]) {
        if hasAudio, splits { buffer.appendBoundary() }
        (discontinuityNumber, initialization) = (segment.discontinuityNumber, segment.initialization)
        (transportStream, isInterrupted, hasAudio) = (nil, false, true)
        pass(header)
    }

    /// Passes on the audio of a segment, and the title that it states.
    ///
    /// - Throws: `badResponse` if a transport stream has no audio that can be played.
    mutating func append(_ bytes: [UInt8]) throws(NetworkError) {
        var rest = bytes[...]
        if let tag = SegmentTag(rest) {
            rest = rest.dropFirst(tag.byteCount)
            if let title = tag.title {
                buffer.append(title: tag.artist.map { "\($0) - \(title)" } ?? title)
            }
        }
        guard transportStream != nil || Self.isTransportStream(rest) else {
            return pass(Array(rest.dropFirst(SegmentInfoTag.byteCount(of: rest))))
        }
        var stream = transportStream ?? TransportStreamDemultiplexer()
        var audio: [UInt8] = []
        stream.read(rest, into: &audio)
        stream.endSegment(into: &audio)
        transportStream = stream
        switch stream.audio {
        case .unsupported:
            throw NetworkError(
                .badResponse,
                "its audio is \(stream.audio.unsupportedName ?? "of an unknown type"), which is not supported"
            )
        case .none: throw NetworkError(.badResponse, "its segments have no audio")
        case .undetermined, .mpegAudio, .adts: pass(audio)
        }
    }

    private func pass(_ bytes: [UInt8]) {
        // In pieces, because the buffer waits in front of each until there is room.
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceBytes)
            guard unsafe piece.withUnsafeBytes({ unsafe buffer.append($0) }) else { return }
            rest = rest.dropFirst(piece.count)
        }
    }

    private static let pieceBytes = 64 << 10

    /// Packets of 188 bytes that begin with the same byte (ISO 13818-1, 2.4.3.2).
    private static func isTransportStream(_ bytes: ArraySlice<UInt8>) -> Bool {
        let packet = 188
        guard bytes.first == 0x47, bytes.count >= packet else { return false }
        return bytes.count == packet || bytes[bytes.startIndex + packet] == 0x47
    }
}
