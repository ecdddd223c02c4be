import CoreAudioTypes

/// What each library's reader does for ``AudioFile``. Messages of errors begin after "cannot … 'path': ".
protocol PacketReader: AnyObject {
    var format: AudioStreamBasicDescription { get }
    /// Whether the coding that the file holds loses some of the sound, even if it comes decoded.
    var isLossy: Bool { get }
    var containerName: String { get }
    /// The coding in the file, if ``format`` is what it is decoded to; nil if packets come as they are stored.
    var decodedCodec: String? { get }
    var channelLabels: [AudioChannelLabel] { get }
    var isSeekable: Bool { get }
    /// Nil if it is unknown before the end. May scan a file.
    var packetTable: PacketTable? { get }
    /// Known even where the table is not.
    var primingFrames: Int64 { get }
    /// Frames that a read from a pipe waits for, if it has room for them.
    var leastFramesPerRead: Int64 { get set }
    var packetSizeUpperBound: Int { get }
    var averageBitRate: Double { get }
    var magicCookie: [UInt8] { get }
    var dataRange: Range<Int64>? { get }
    var chunks: [AudioFileChunk] { get }
    var information: [AudioFileInformation] { get }
    var artwork: AudioFileArtwork? { get }
    var markers: [AudioFileMarker] { get }
    var regions: [AudioFileRegion] { get }
    var tags: AudioFileTags { get }
    var warnings: WarningList { get }

    /// Exact; may scan a file.
    func countPackets() throws(AudioFileError) -> Int64
    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead
    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint
    /// Nil if it is unknown, or past the end.
    func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64?
}

extension PacketReader {
    var isLossy: Bool {
        !format.isLinearPCM && ![kAudioFormatAppleLossless, kAudioFormatFLAC].contains(format.mFormatID)
    }
    var decodedCodec: String? { nil }
    var primingFrames: Int64 { packetTable?.primingFrames ?? 0 }
    /// All that there is room for, unless the reader knows better.
    var leastFramesPerRead: Int64 {
        get { .max }
        set {}
    }
    var magicCookie: [UInt8] { [] }
    var dataRange: Range<Int64>? { nil }
    var chunks: [AudioFileChunk] { [] }
    var information: [AudioFileInformation] {
        [("title", tags.title), ("artist", tags.artist), ("album", tags.album)]
            .compactMap { key, text in text.map { AudioFileInformation(key, $0) } }
    }
    /// Packets of one size lie one after another.
    func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        guard format.hasConstantPacketSize, let dataRange, packet >= 0 else { return nil }
        let (distance, overflow) = packet.multipliedReportingOverflow(by: Int64(format.mBytesPerPacket))
        guard !overflow, distance < dataRange.upperBound - dataRange.lowerBound else { return nil }
        return dataRange.lowerBound + distance
    }
    var artwork: AudioFileArtwork? { nil }
    var markers: [AudioFileMarker] { [] }
    var regions: [AudioFileRegion] { [] }
}
