import CoreAudioTypes

/// Reads the samples of a WAVE file as they lie there.
///
/// libsndfile reads them, too, as it does all that ``PlainWave`` declines; but it makes sixty system calls for the header,
/// and takes 0.16 ms longer, for which who plays a file waits.
final class PlainWaveReader: PacketReader {
    let format: AudioStreamBasicDescription
    let containerName = "WAVE"
    let isLossy = false
    let isSeekable = true
    private(set) var warnings = WarningList()

    private let file: OpenFile
    private let audio: Range<Int64>
    /// What else is in the file; read when it is asked for.
    private lazy var details = ContainerDetails(file: file, prolongedAudio: nil)
    /// True once it was reported that the audio ends too early.
    private var isShort = false

    init(file: OpenFile, _ wave: PlainWave) {
        self.file = file
        format = wave.format
        audio = wave.dataRange
    }

    var channelLabels: [AudioChannelLabel] { ChannelLabels.usual(channels: Int(format.mChannelsPerFrame)) }

    private var frameCount: Int64 { Int64(audio.count) / Int64(format.mBytesPerFrame) }

    var packetTable: PacketTable? {
        PacketTable(primingFrames: 0, validFrames: frameCount, remainderFrames: 0)
    }

    var packetSizeUpperBound: Int { Int(format.mBytesPerFrame) }

    var averageBitRate: Double { format.mSampleRate * Double(format.mBytesPerFrame) * 8 }

    var dataRange: Range<Int64>? { audio }

    var chunks: [AudioFileChunk] { details.chunks }

    var markers: [AudioFileMarker] { details.markers }

    var regions: [AudioFileRegion] { details.regions }

    var information: [AudioFileInformation] { details.metadata.information }

    var tags: AudioFileTags { FileMetadata(information: information).tags }

    var artwork: AudioFileArtwork? { details.metadata.artwork }

    func countPackets() throws(AudioFileError) -> Int64 { frameCount }

    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        let frameBytes = Int(format.mBytesPerFrame)
        guard bytes.count >= frameBytes else {
            throw AudioFileError(
                .bufferTooSmall, "a frame of \(frameBytes) bytes does not fit \(bytes.count)")
        }
        guard 0..<frameCount ~= packet else { return PacketRead(packets: 0, bytes: 0) }
        let wanted = Int(min(Int64(bytes.count / frameBytes), frameCount - packet)) * frameBytes
        let place = audio.lowerBound + packet * Int64(frameBytes)
        let got = try unsafe file.fill(
            UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted]), from: place)
        let frames = got / frameBytes
        if got < wanted, !isShort {
            isShort = true
            warnings.append("the audio ends at frame \(packet + Int64(frames)) of \(frameCount)")
        }
        return PacketRead(packets: frames, bytes: frames * frameBytes)
    }

    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        guard frame <= frameCount else {
            throw AudioFileError(.endOfFile, "frame \(frame) is past the end at \(frameCount)")
        }
        return SeekPoint(packet: frame, framesToDiscard: 0)
    }
}
