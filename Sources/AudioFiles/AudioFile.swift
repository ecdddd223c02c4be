public import CoreAudioTypes

/// An audio file, open for reading by packet.
///
/// CAF, MPEG-4, ADTS and MPEG audio are returned as stored packets, with cookie and packet table. PCM in other
/// containers is returned in the file's own sample format, through libsndfile except for plain WAVE files. Formats that
/// libsndfile can only decode (FLAC, Ogg, ADPCM) are returned as PCM, with as many bits as were encoded. Consecutive
/// Ogg streams are joined, without those in another format than the first.
///
/// Any file is safe to open: sizes are checked against it, memory does not grow with sizes in a header, and damage that
/// leaves playable audio is one of ``problems``, not an error.
///
/// Used by one thread at a time.
public final class AudioFile {
    /// The path as given, for messages.
    public let path: FilePath

    private let reader: any PacketReader

    /// Opens a file for reading.
    ///
    /// A pipe is read while it arrives. If that is not possible, because the index is at the end, or data after the
    /// audio defines where the audio begins, all of it is read first, and kept while the file is open: in a file
    /// without a name in the directory `TMPDIR`, or else `/tmp`.
    ///
    /// - Parameters:
    ///   - path: The file's path; "-" is standard input, read forwards only unless it is a regular file.
    ///   - isEndNeeded: True to read all of a pipe first also if only its end gives the exact number of frames, as with
    ///     MPEG audio, fragmented MPEG-4 and Ogg. If false, ``packetTable`` may change while such a pipe is read, but
    ///     is final before the packets that it trims are returned.
    ///   - onWait: Called within this call, a few times per second while all of a pipe is read first, with the number
    ///     of bytes so far.
    /// - Throws: An error of any code except `endOfFile`, whose message names the file and the reason; `diskFull` and
    ///   similar codes if a pipe cannot be stored.
    ///
    /// The corresponding C function is `AudioFileOpenURL`.
    public static func open(
        path: String, isEndNeeded: Bool = false, onWait: ((_ bytes: Int64) -> Void)? = nil
    ) throws(AudioFileError) -> AudioFile {
        try open(path: FilePath(path), isEndNeeded: isEndNeeded, onWait: onWait)
    }

    /// Opens a file for reading by a path of any bytes.
    ///
    /// Parameters and errors are those of the function that takes a string.
    public static func open(
        path: FilePath, isEndNeeded: Bool = false, onWait: ((_ bytes: Int64) -> Void)? = nil
    ) throws(AudioFileError) -> AudioFile {
        do {
            let reader = try openReader(path: path, isEndNeeded: isEndNeeded, onWait: onWait)
            return AudioFile(path: path, reader: reader)
        } catch {
            throw AudioFileError(error.code, "cannot open \(name(of: path)): \(error.message)")
        }
    }

    private init(path: FilePath, reader: any PacketReader) {
        self.path = path
        self.reader = reader
    }

    /// The file's own data format. PCM is interleaved; MPEG audio has packets of variable size.
    ///
    /// The corresponding C property is `kAudioFilePropertyDataFormat`.
    public var format: AudioStreamBasicDescription { reader.format }

    /// Whether the file's coding is lossy: MP3, AAC, and Vorbis, Opus and ADPCM, whose ``format`` is linear PCM because
    /// they are returned decoded.
    public var isLossy: Bool { reader.isLossy }

    /// The file type: "WAVE", "AIFF", "AIFF-C", "CAF", "MPEG audio", "FLAC" and so on.
    public var containerName: String { reader.containerName }

    /// The coding in the file, such as "Vorbis" or "MS ADPCM", if it is decoded to ``format`` while the file is read;
    /// nil if packets are returned as stored.
    public var decodedCodec: String? { reader.decodedCodec }

    /// The label of each channel; one per channel.
    ///
    /// The corresponding C property is `kAudioFilePropertyChannelLayout`.
    public var channelLabels: [AudioChannelLabel] { reader.channelLabels }

    /// The decoder configuration beyond the format, in the form used in CAF; empty if there is none.
    ///
    /// The corresponding C property is `kAudioFilePropertyMagicCookieData`.
    public var magicCookie: [UInt8] { reader.magicCookie }

    /// Whether packets can be read in any order.
    public var isSeekable: Bool { reader.isSeekable }

    /// The range of decoded frames that is audio; nil if unknown before the end of a pipe. Values from a pipe's header
    /// may change while it is read.
    ///
    /// May read through the whole file once if the file has no reliable count.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketTableInfo`.
    public var packetTable: PacketTable? { reader.packetTable }

    /// The decoded frames before the first of the audio; always known, even if ``packetTable`` is not.
    public var primingFrames: Int64 { reader.primingFrames }

    /// The frames that ``readPackets(from:into:descriptions:)`` waits for in a pipe; it returns more if they are
    /// available. By default it fills the given memory.
    public var leastFramesPerRead: Int64 {
        get { reader.leastFramesPerRead }
        set { reader.leastFramesPerRead = newValue }
    }

    /// The frames of audio; nil only if unknown before the end, as in a pipe.
    public var frameCount: Int64? { reader.packetTable?.validFrames }

    /// Counts the packets exactly; reads through the file once if necessary.
    ///
    /// - Throws: `notSeekable` for a pipe, whose packets would be consumed by counting; `unreadable`.
    ///
    /// The corresponding C property is `kAudioFilePropertyAudioDataPacketCount`.
    public func countPackets() throws(AudioFileError) -> Int64 {
        do { return try reader.countPackets() } catch { throw named(error, "count the packets of") }
    }

    /// Counts the frames of audio exactly; reads through the file once if necessary.
    ///
    /// - Throws: The same errors as ``countPackets()``.
    public func countFrames() throws(AudioFileError) -> Int64 {
        let packets = try countPackets()
        return packetTable?.validFrames ?? packets * Int64(format.mFramesPerPacket)
    }

    /// The upper bound of the size of the file's packets, in bytes.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketSizeUpperBound`.
    public var packetSizeUpperBound: Int { reader.packetSizeUpperBound }

    /// The average bit rate of the file, as far as it is known.
    ///
    /// The corresponding C property is `kAudioFilePropertyBitRate`.
    public var averageBitRate: Double { reader.averageBitRate }

    /// The range of the packets, including data between them; nil if unknown.
    ///
    /// The corresponding C properties are `kAudioFilePropertyDataOffset` and
    /// `kAudioFilePropertyAudioDataByteCount`.
    public var dataRange: Range<Int64>? { reader.dataRange }

    /// The file's chunks, in order; nested chunks follow their parent.
    public var chunks: [AudioFileChunk] { reader.chunks }

    /// The file's text metadata: keys as in the published `kAFInfoDictionary_…` ("title", "artist", "tempo"), or else
    /// as stored in the file.
    ///
    /// The corresponding C property is `kAudioFilePropertyInfoDictionary`.
    public var information: [AudioFileInformation] { reader.information }

    /// The embedded picture, the front cover if there are several; nil if there is none. In a pipe, only a picture
    /// before the audio, in tags of up to 4 MB, is found.
    ///
    /// Searched for in each call.
    ///
    /// The corresponding C property is `kAudioFilePropertyAlbumArtwork`.
    public var artwork: AudioFileArtwork? { reader.artwork }

    /// The named positions in the audio.
    ///
    /// The corresponding C property is `kAudioFilePropertyMarkerList`.
    public var markers: [AudioFileMarker] { reader.markers }

    /// The named ranges of the audio.
    ///
    /// The corresponding C property is `kAudioFilePropertyRegionList`.
    public var regions: [AudioFileRegion] { reader.regions }

    /// The metadata for display.
    public var tags: AudioFileTags { FileMetadata(information: reader.information).tags }

    /// All problems found so far.
    public var problems: [AudioFileProblem] { reader.warnings.all }

    /// The lines of ``problems``.
    public var warnings: [String] { reader.warnings.lines }

    /// Reads as many whole packets as are present and fit.
    ///
    /// - Parameters:
    ///   - packet: The first packet to read.
    ///   - bytes: Receives the packets one after another.
    ///   - descriptions: Receives the position of each packet in `bytes`. Not used for formats with a constant packet
    ///     size, for which it may be empty.
    /// - Returns: The packets and bytes read; no packets at the end of the file.
    /// - Throws: `bufferTooSmall` if not even one packet fits, `notSeekable` if a pipe is past the packet,
    ///   `unreadable` if the system fails.
    ///
    /// The corresponding C function is `AudioFileReadPacketData`.
    public func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        do throws(AudioFileError) {
            guard packet >= 0 else {
                throw AudioFileError(.endOfFile, "packet \(packet) is before the first")
            }
            return try unsafe reader.readPackets(from: packet, into: bytes, descriptions: descriptions)
        } catch { throw named(error, "read") }
    }

    /// The offset in the file of a packet, or of its header if it has one; nil if unknown or past the end.
    ///
    /// - Throws: `unreadable` if the search fails.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketToByte`.
    public func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        do throws(AudioFileError) {
            return packet < 0 ? nil : try reader.byteOffset(ofPacket: packet)
        } catch { throw named(error, "find a packet in") }
    }

    /// Finds where decoding must begin so that a frame is exactly the same as when decoding from the start.
    ///
    /// In an MPEG stream that changes its rate, frames after the change are found only approximately: the position is
    /// computed as if all packets had the length of the first.
    ///
    /// - Parameter frame: A frame of the audio, counted without the priming.
    /// - Throws: `endOfFile` if the file ends before the frame, `notSeekable` if a pipe is past it, `unreadable` if the
    ///   system fails.
    public func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        do throws(AudioFileError) {
            guard frame >= 0 else { throw AudioFileError(.endOfFile, "frame \(frame) is before the first") }
            return try reader.seekPoint(forFrame: frame)
        } catch { throw named(error, "seek in") }
    }

    private func named(_ error: AudioFileError, _ attempted: String) -> AudioFileError {
        AudioFileError(error.code, "cannot \(attempted) \(Self.name(of: path)): \(error.message)")
    }

    private static func name(of path: FilePath) -> String {
        path == "-" ? "standard input" : "'\(path)'"
    }
}
