public import CoreAudioTypes

/// An audio file, open for reading by packet.
///
/// CAF, MPEG-4, ADTS and MPEG audio come as the packets that are stored, with cookie and packet table; PCM in other
/// containers comes in the file's own sample format, through libsndfile but from plain WAVE files; what libsndfile can
/// only decode (FLAC, Ogg, ADPCM) comes as PCM, with as many bits as were encoded. Ogg streams that
/// follow each other are one, without those whose format is another than the first one's.
///
/// A file may be anything: sizes are checked against it, memory does not grow with what a header promises,
/// and damage that leaves sound to play is one of ``problems`` rather than an error.
///
/// Used by one thread at a time.
public final class AudioFile {
    /// The path as given, for messages.
    public let path: FilePath

    private let reader: any PacketReader

    /// Opens a file for reading.
    ///
    /// A pipe is read while it comes. If that cannot be, since the index comes last, or what stands behind the sound
    /// tells where that begins, all of it is read first, and kept as long as the file is open: in a file without a
    /// name in the folder `TMPDIR`, or else `/tmp`.
    ///
    /// - Parameters:
    ///   - path: Of the file; "-" is standard input, read forwards only unless it is a regular file.
    ///   - isEndNeeded: True to have all of a pipe read first also where only its end tells the number of frames
    ///     for sure, as with MPEG audio, MPEG-4 in fragments and Ogg. Without that ``packetTable`` may change while such
    ///     a pipe is read, but is final before those packets are given out of which it cuts off frames.
    ///   - onWait: Called from inside this call, a few times a second, while all of a pipe is read first: with the
    ///     bytes so far.
    /// - Throws: An error of any code but `endOfFile`, whose message names the file and the reason; `diskFull` and
    ///   the like for a pipe that cannot be kept.
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

    /// Whether the file's own coding loses some of the sound: MP3 and AAC do, and Vorbis, Opus and ADPCM, whose
    /// ``format`` is linear PCM since they come decoded.
    public var isLossy: Bool { reader.isLossy }

    /// What holds the audio: "WAVE", "AIFF", "AIFF-C", "CAF", "MPEG audio", "FLAC" and so on.
    public var containerName: String { reader.containerName }

    /// The coding in the file, such as "Vorbis" or "MS ADPCM", if ``format`` is what it is decoded to while the file is
    /// read; nil if packets come as they are stored.
    public var decodedCodec: String? { reader.decodedCodec }

    /// What each channel is for; as many as there are channels.
    ///
    /// The corresponding C property is `kAudioFilePropertyChannelLayout`.
    public var channelLabels: [AudioChannelLabel] { reader.channelLabels }

    /// What a decoder needs to know beyond the format, in the form that a CAF file has it; empty if nothing.
    ///
    /// The corresponding C property is `kAudioFilePropertyMagicCookieData`.
    public var magicCookie: [UInt8] { reader.magicCookie }

    /// True if packets can be read in any order.
    public var isSeekable: Bool { reader.isSeekable }

    /// Which of the decoded frames are sound; nil if that is unknown before the end of a pipe. What a pipe's header
    /// tells may change as it is read.
    ///
    /// May read through the file once if it has no trustworthy count of its own.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketTableInfo`.
    public var packetTable: PacketTable? { reader.packetTable }

    /// Decoded frames before the first of sound; known from the beginning, even where ``packetTable`` is not.
    public var primingFrames: Int64 { reader.primingFrames }

    /// Frames that ``readPackets(from:into:descriptions:)`` waits for, reading from a pipe; more come if they are at
    /// hand. Usually it fills the memory that it is given.
    public var leastFramesPerRead: Int64 {
        get { reader.leastFramesPerRead }
        set { reader.leastFramesPerRead = newValue }
    }

    /// Frames of sound; nil only if that is unknown before the end, as in a pipe.
    public var frameCount: Int64? { reader.packetTable?.validFrames }

    /// Counts the packets exactly, reading through the file once if need be.
    ///
    /// - Throws: `notSeekable` for a pipe, whose packets are gone once counted; `unreadable`.
    ///
    /// The corresponding C property is `kAudioFilePropertyAudioDataPacketCount`.
    public func countPackets() throws(AudioFileError) -> Int64 {
        do { return try reader.countPackets() } catch { throw named(error, "count the packets of") }
    }

    /// Counts the frames of sound exactly, reading through the file once if need be.
    ///
    /// - Throws: As ``countPackets()``.
    public func countFrames() throws(AudioFileError) -> Int64 {
        let packets = try countPackets()
        return packetTable?.validFrames ?? packets * Int64(format.mFramesPerPacket)
    }

    /// Bytes that no packet of the file exceeds.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketSizeUpperBound`.
    public var packetSizeUpperBound: Int { reader.packetSizeUpperBound }

    /// Bits per second over the whole file as far as it is known.
    ///
    /// The corresponding C property is `kAudioFilePropertyBitRate`.
    public var averageBitRate: Double { reader.averageBitRate }

    /// Where the packets begin, and how many bytes there are of them with what lies between; nil if unknown.
    ///
    /// The corresponding C properties are `kAudioFilePropertyDataOffset` and
    /// `kAudioFilePropertyAudioDataByteCount`.
    public var dataRange: Range<Int64>? { reader.dataRange }

    /// The file's parts, in their order; those that are nested follow what they are in.
    public var chunks: [AudioFileChunk] { reader.chunks }

    /// Everything that the file says of itself in text: keys as in the published `kAFInfoDictionary_…`
    /// ("title", "artist", "tempo"), or else as the file has them.
    ///
    /// The corresponding C property is `kAudioFilePropertyInfoDictionary`.
    public var information: [AudioFileInformation] { reader.information }

    /// The picture that the file carries, the front cover if there are several; nil if it has none. Of a pipe only
    /// one that stands before the sound, in tags of up to 4 MB, is known.
    ///
    /// Looked for at each call.
    ///
    /// The corresponding C property is `kAudioFilePropertyAlbumArtwork`.
    public var artwork: AudioFileArtwork? { reader.artwork }

    /// Named places in the sound.
    ///
    /// The corresponding C property is `kAudioFilePropertyMarkerList`.
    public var markers: [AudioFileMarker] { reader.markers }

    /// Named stretches of the sound.
    ///
    /// The corresponding C property is `kAudioFilePropertyRegionList`.
    public var regions: [AudioFileRegion] { reader.regions }

    /// Text for display.
    public var tags: AudioFileTags { reader.tags }

    /// Everything found so far that is not as it should be.
    public var problems: [AudioFileProblem] { reader.warnings.all }

    /// The lines of ``problems``.
    public var warnings: [String] { reader.warnings.lines }

    /// Reads packets, as many whole ones as there are and as fit.
    ///
    /// - Parameters:
    ///   - packet: The first packet to read.
    ///   - bytes: Receives the packets one after another.
    ///   - descriptions: Receives where each packet lies in `bytes`. Formats of constant packet size leave
    ///     it alone, and it may be empty.
    /// - Returns: What was read; no packets at the end of the file.
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

    /// Where a packet lies, with its header if it has one, from the beginning of the file; nil if that is
    /// unknown, or past the end.
    ///
    /// - Throws: `unreadable` if the system fails while it looks for it.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketToByte`.
    public func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        do throws(AudioFileError) {
            return packet < 0 ? nil : try reader.byteOffset(ofPacket: packet)
        } catch { throw named(error, "find a packet in") }
    }

    /// Finds where decoding must begin so that a frame comes out exactly as when decoding from the start.
    ///
    /// In an MPEG stream that changes its rate, frames after the change are found only roughly: the point is
    /// reckoned as if all packets had the length of the first.
    ///
    /// - Parameter frame: Counted in frames of sound, after the priming.
    /// - Throws: `endOfFile` if the file ends before the frame, `notSeekable` if a pipe is past it,
    ///   `unreadable` if the system fails.
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
