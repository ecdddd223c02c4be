import CoreAudioTypes

/// What stands before the audio of a CAF file that is written: all of its chunks up to the count of edits.
struct CAFFileHeader {
    let format: AudioStreamBasicDescription
    /// Nil to leave it to the format what the channels are for.
    let channelLabels: [AudioChannelLabel]?
    var magicCookie: [UInt8] = []
    var information: [AudioFileInformation] = []

    init(_ format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]?) {
        self.format = format
        // The order of one or two channels goes without saying.
        let isUsual =
            channelLabels
            == CoreAudioTypes.ChannelLabels.defaults(
                channels: Int(format.mChannelsPerFrame))
        self.channelLabels = format.mChannelsPerFrame <= 2 && isUsual ? nil : channelLabels
    }

    /// The header of a file whose audio has no bytes yet.
    ///
    /// - Throws: `unsupported` if it would be longer than any reader need expect.
    func bytes() throws(AudioFileError) -> HeaderBytes {
        var header = HeaderBytes()
        header.append("caff")
        header.append(big: UInt16(1))
        header.append(big: UInt16(0))
        Self.append(.desc, CAFDescription(format).bytes, to: &header)
        if let channelLabels { Self.append(.chan, CAFChannelLayout.bytes(of: channelLabels), to: &header) }
        if !magicCookie.isEmpty { Self.append(.kuki, magicCookie, to: &header) }
        if !information.isEmpty { Self.append(.info, CAFInformation.bytes(of: information), to: &header) }
        // Of a length across two pages, a process that is killed might write one half.
        if header.count % Self.pageBytes > Self.pageBytes - CAFChunkHeader.bytes {
            Self.append(.free, [UInt8](repeating: 0, count: CAFChunkHeader.bytes), to: &header)
        }
        Self.append(.data, [0, 0, 0, 0], to: &header)
        guard header.count <= Self.largestBytes else {
            throw AudioFileError(
                .unsupported, "a header of \(header.count) bytes is larger than \(Self.largestBytes)")
        }
        return header
    }

    /// Where the length of the audio stands in a header, before the count of edits.
    static func lengthOffset(in header: HeaderBytes) -> Int { header.count - 12 }

    static func append(_ type: CAFChunkType, _ contents: [UInt8], to header: inout HeaderBytes) {
        header.append(big: type.rawValue)
        header.append(big: Int64(contents.count))
        header.append(raw: contents)
    }

    static let pageBytes = 4096
    private static let largestBytes = 1 << 16
}

extension PacketTable {
    /// Throws `unsupported` unless the fields of a CAF file hold these counts.
    func checkFitsCAF() throws(AudioFileError) {
        guard validFrames >= 0, 0...Int64(Int32.max) ~= primingFrames, 0...Int64(Int32.max) ~= remainderFrames
        else {
            throw AudioFileError(
                .unsupported,
                "a packet table of \(primingFrames) + \(validFrames) + \(remainderFrames) frames")
        }
    }

    /// The table for packets of `total` frames, if it was made for fewer or for more of them: the priming stays,
    /// and the remainder unless just that is missing.
    func fitted(to total: Int64) -> PacketTable {
        let (sum, overflow) = validFrames.addingReportingOverflow(primingFrames + remainderFrames)
        if !overflow, sum == total { return self }
        let priming = min(primingFrames, total)
        let remainder = overflow || sum > total ? 0 : remainderFrames
        return PacketTable(
            primingFrames: priming, validFrames: total - priming - remainder, remainderFrames: remainder)
    }
}
