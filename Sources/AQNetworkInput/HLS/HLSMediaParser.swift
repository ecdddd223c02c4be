// SPDX-License-Identifier: MIT

/// Collects the segments of a media playlist, line by line.
struct HLSMediaParser {
    private var playlist = HLSMediaPlaylist()
    private var firstDiscontinuity: Int64 = 0

    // For the next segment only.
    private var seconds: Double?
    private var title: String?
    private var byteRange: ArraySlice<UInt8>?
    private var isGap = false

    // For all further segments.
    private var discontinuities: Int64 = 0
    private var initialization: HLSMediaPlaylist.Initialization?
    private var encryptionMethod: String?

    mutating func read(_ line: HLSLine, number: Int) throws(HLSPlaylistError) {
        switch line {
        case .tag(let name, let value): try read(tag: name, value, number: number)
        case .reference(let reference): try append(reference, number: number)
        case .other: break
        }
    }

    private mutating func read(
        tag: String, _ value: ArraySlice<UInt8>, number: Int
    ) throws(HLSPlaylistError) {
        switch tag {
        case "EXTINF":
            let length = value.prefix { $0 != UInt8(ascii: ",") }
            seconds = max(0, HLSNumber.decimal(length) ?? 0)
            let words = StreamText.decode(value[length.endIndex...].dropFirst().prefix(4096))
            title = words.isEmpty ? nil : words
        case "EXT-X-BYTERANGE": byteRange = value
        case "EXT-X-GAP": isGap = true
        case "EXT-X-DISCONTINUITY": discontinuities += 1
        case "EXT-X-MAP":
            let attributes = HLSAttributes(value)
            var range: Range<Int64>?
            if let text = attributes["BYTERANGE"] {
                range = try HLSNumber.byteRange(text, from: 0, line: number)
            }
            initialization = HLSMediaPlaylist.Initialization(
                reference: attributes.reference("URI"), byteRange: range)
        case "EXT-X-KEY":
            let method = HLSAttributes(value).text("METHOD") ?? "an unknown method"
            encryptionMethod = method == "NONE" ? nil : method
        case "EXT-X-TARGETDURATION": playlist.targetSeconds = HLSNumber.decimal(value) ?? 0
        case "EXT-X-MEDIA-SEQUENCE":
            playlist.firstSequenceNumber = try HLSNumber.integer(value, line: number) ?? 0
        case "EXT-X-DISCONTINUITY-SEQUENCE":
            firstDiscontinuity = try HLSNumber.integer(value, line: number) ?? 0
        case "EXT-X-ENDLIST": playlist.hasEnded = true
        case "EXT-X-PLAYLIST-TYPE":
            let type = TextLines.trimmed(value)
            playlist.kind =
                type.elementsEqual("VOD".utf8) ? .onDemand : type.elementsEqual("EVENT".utf8) ? .event : nil
        case "EXT-X-START":
            playlist.startSeconds = HLSAttributes(value)["TIME-OFFSET"].flatMap(HLSNumber.decimal)
        default: break
        }
    }

    private mutating func append(_ reference: String?, number: Int) throws(HLSPlaylistError) {
        guard playlist.segments.count < HLSMediaPlaylist.mostSegments else {
            throw HLSPlaylistError("it has more than \(HLSMediaPlaylist.mostSegments) segments")
        }
        var range: Range<Int64>?
        if let byteRange {
            // Without an offset, the range follows that of the previous segment in the same resource.
            let previous = playlist.segments.last
            let end = previous?.reference == reference ? previous?.byteRange?.upperBound : nil
            range = try HLSNumber.byteRange(byteRange, from: end ?? 0, line: number)
        }
        let isRangeValid = byteRange == nil || range?.isEmpty == false
        playlist.segments.append(
            HLSMediaPlaylist.Segment(
                sequenceNumber: 0, reference: reference ?? "", byteRange: range, seconds: seconds ?? 0,
                title: title, initialization: initialization, discontinuityNumber: discontinuities,
                encryptionMethod: encryptionMethod, isGap: isGap || reference == nil || !isRangeValid))
        (seconds, title, byteRange, isGap) = (nil, nil, nil, false)
    }

    /// Returns the playlist with all numbers.
    func finished() -> HLSMediaPlaylist {
        var playlist = playlist
        for index in playlist.segments.indices {
            // At most 2^61 and the number of lines.
            playlist.segments[index].sequenceNumber = playlist.firstSequenceNumber + Int64(index)
            playlist.segments[index].discontinuityNumber += firstDiscontinuity
        }
        if playlist.targetSeconds <= 0 {
            playlist.targetSeconds = playlist.segments.reduce(0) { max($0, $1.seconds.rounded()) }
        }
        playlist.targetSeconds = min(max(1, playlist.targetSeconds), Self.mostTargetSeconds)
        return playlist
    }

    private static let mostTargetSeconds = 3600.0
}
