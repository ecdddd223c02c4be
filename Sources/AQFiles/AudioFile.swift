// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// An audio file that is open for reading by packet.
///
/// Packets of CAF, MPEG-4, ADTS and MPEG audio are returned as stored, with cookie and packet table. PCM in other
/// containers is returned in the file's own sample format. Formats that are decoded while they are read (FLAC, Ogg,
/// ADPCM) are returned as PCM, with as many bits as were encoded. Consecutive Ogg streams are joined; streams whose
/// format differs from the first are left out.
///
/// Any file is safe to open: sizes are checked against the file's size, and memory use does not grow with sizes in a
/// header. Damage that leaves playable audio is one of ``problems``, not an error.
///
/// Used by one thread at a time.
public final class AudioFile {
    /// The path as given, for messages.
    public let path: FilePath

    private let reader: any PacketReader
    private let file: OpenFile

    /// Opens a file for reading.
    ///
    /// A pipe is read while it arrives, if possible. All of it is read first if it is MPEG audio in a WAVE file, or if
    /// its index, its format or its trims follow the audio. The pipe's bytes are then kept while the file is open, in a
    /// file without a name in the directory `TMPDIR` (by default `/tmp`). A pipe of MPEG audio, ADTS, FLAC or Ogg may
    /// begin in the middle of a broadcast.
    ///
    /// - Parameters:
    ///   - path: The file's path; "-" is standard input, read forwards only unless it is a regular file.
    ///   - isEndNeeded: True to read all of a pipe first also if its header does not give the final ``packetTable``, as
    ///     in MPEG audio with an encoder's tag, fragmented MPEG-4, Ogg, and FLAC without a count. If false,
    ///     ``packetTable`` may change while such a pipe is read, but is final before the packets that it trims are
    ///     returned; in Ogg, and in FLAC without a count, it remains nil.
    ///   - onWait: Called during this call, a few times per second while all of a pipe is read first, with the number
    ///     of bytes read so far.
    /// - Throws: `notFound`, `isDirectory`, `unreadable`, `empty`, `unrecognised`, `damaged` or `unsupported`;
    ///   `diskFull` or a similar code if a pipe cannot be stored. The message names the file and the reason.
    ///
    /// The corresponding C function is `AudioFileOpenURL`.
    public static func open(
        path: String, isEndNeeded: Bool = false, onWait: ((_ bytes: Int64) -> Void)? = nil
    ) throws(AudioFileError) -> AudioFile {
        try open(path: FilePath(path), isEndNeeded: isEndNeeded, onWait: onWait)
    }

    /// Opens a file for reading by a path of any bytes.
    ///
    /// The parameters and errors are those of the function with a string path.
    public static func open(
        path: FilePath, isEndNeeded: Bool = false, onWait: ((_ bytes: Int64) -> Void)? = nil
    ) throws(AudioFileError) -> AudioFile {
        let file: OpenFile
        do {
            file = try OpenFile(path: path)
        } catch {
            throw AudioFileError(error.code, "cannot open \(name(of: path)): \(error.message)")
        }
        return try open(file, path, isEndNeeded: isEndNeeded, onWait: onWait)
    }

    /// Opens bytes that arrive in order, as if they came from a pipe.
    ///
    /// - Parameters:
    ///   - stream: The bytes. The file reads from it while it is open.
    ///   - path: The name for messages.
    ///   - isEndNeeded: As in ``open(path:isEndNeeded:onWait:)``, and `onWait` too.
    /// - Throws: The errors of ``open(path:isEndNeeded:onWait:)``, and those of `stream`.
    public static func open(
        _ stream: any ByteStream, named path: FilePath, isEndNeeded: Bool = false,
        onWait: ((_ bytes: Int64) -> Void)? = nil
    ) throws(AudioFileError) -> AudioFile {
        try open(OpenFile(stream: stream), path, isEndNeeded: isEndNeeded, onWait: onWait)
    }

    /// Opens a file that is elsewhere, such as on a server.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file, which reads from it while it is open.
    ///   - path: The name for messages.
    ///   - isEndNeeded: True to read the whole file if its header does not give the final ``packetTable``, as in MPEG
    ///     audio without a tag. If false, ``packetTable`` remains nil for such a file until its end was read.
    /// - Throws: The errors of ``open(path:isEndNeeded:onWait:)``, and those of `bytes`.
    public static func open(
        _ bytes: any RandomAccessBytes, named path: FilePath, isEndNeeded: Bool = false
    ) throws(AudioFileError) -> AudioFile {
        try open(OpenFile(remote: bytes), path, isEndNeeded: isEndNeeded, onWait: nil)
    }

    private static func open(
        _ file: OpenFile, _ path: FilePath, isEndNeeded: Bool, onWait: ((_ bytes: Int64) -> Void)?
    ) throws(AudioFileError) -> AudioFile {
        do {
            return try AudioFile(path, file, isEndNeeded: isEndNeeded, onWait: onWait)
        } catch {
            // The reader may take missing bytes for damage.
            let reason = file.failure ?? error
            throw AudioFileError(reason.code, "cannot open \(name(of: path)): \(reason.message)")
        }
    }

    private init(
        _ path: FilePath, _ file: OpenFile, isEndNeeded: Bool, onWait: ((_ bytes: Int64) -> Void)?
    ) throws(AudioFileError) {
        self.path = path
        self.file = file
        reader = try Self.openReader(file, isEndNeeded: isEndNeeded, onWait: onWait)
    }

    /// The format of the packets. PCM is interleaved; MPEG audio has packets of variable size.
    ///
    /// The corresponding C property is `kAudioFilePropertyDataFormat`.
    public var format: AudioStreamBasicDescription { reader.format }

    /// Whether the coding in the file is lossy, as MP3 and AAC are. True also for Vorbis, Opus and ADPCM, whose
    /// ``format`` is linear PCM because they are decoded.
    public var isLossy: Bool { reader.isLossy }

    /// The name of the file type: "WAVE", "AIFF", "AIFF-C", "CAF", "MPEG audio", "FLAC" and so on.
    public var containerName: String { reader.containerName }

    /// The coding in the file, such as "Vorbis" or "Microsoft ADPCM", if the file is decoded to ``format`` while it is
    /// read; nil for linear PCM, and if packets are returned as stored.
    public var decodedCodec: String? { reader.decodedCodec }

    /// The label of each channel.
    ///
    /// The corresponding C property is `kAudioFilePropertyChannelLayout`.
    public var channelLabels: [AudioChannelLabel] { reader.channelLabels }

    /// The decoder configuration beyond the format, in the form used in CAF; empty if there is none.
    ///
    /// The corresponding C property is `kAudioFilePropertyMagicCookieData`.
    public var magicCookie: [UInt8] { reader.magicCookie }

    /// Whether packets can be read in any order.
    public var isSeekable: Bool { reader.isSeekable }

    /// The range of decoded frames that is audio. The values from a pipe's header may change while the pipe is read.
    ///
    /// Nil if unknown: before the end of a pipe; before ``countPackets()`` in a file without a count, as FLAC may be;
    /// and in a file that cannot be read completely. May read through the whole file once if an ADTS or MPEG audio file
    /// has no reliable count.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketTableInfo`.
    public var packetTable: PacketTable? { reader.packetTable }

    /// The number of decoded frames before the audio; known even if ``packetTable`` is nil.
    public var primingFrames: Int64 { reader.primingFrames }

    /// The number of frames that ``readPackets(from:into:descriptions:)`` waits for in a pipe; further available frames
    /// are returned too. By default, the call waits until the given memory is full. In Ogg except FLAC, and in other
    /// pipes that libsndfile reads, the call waits for a whole page, or block of 2048 bytes, even if it has fewer
    /// frames.
    public var leastFramesPerRead: Int64 {
        get { reader.leastFramesPerRead }
        set { reader.leastFramesPerRead = newValue }
    }

    /// Whether ``readPackets(from:into:descriptions:)`` would return the next packets, the end or an error without a wait
    /// for a pipe or a ``ByteStream``. Reads and parses what has arrived. Nil if that is not known, because a library reads
    /// the pipe.
    public var isReadable: Bool? { reader.isReadable }

    /// The number of frames of audio; nil if ``packetTable`` is.
    public var frameCount: Int64? { reader.packetTable?.validFrames }

    /// Counts the packets exactly; reads through the file once if necessary.
    ///
    /// - Throws: `notSeekable` for a pipe without a count, whose packets would be consumed by counting; `unreadable`.
    ///
    /// The corresponding C property is `kAudioFilePropertyAudioDataPacketCount`.
    public func countPackets() throws(AudioFileError) -> Int64 {
        do { return try reader.countPackets() } catch { throw named(error, "count the packets of") }
    }

    /// Counts the frames of audio exactly; reads through the file once if necessary.
    ///
    /// - Throws: The errors of ``countPackets()``.
    public func countFrames() throws(AudioFileError) -> Int64 {
        let packets = try countPackets()
        return packetTable?.validFrames ?? packets * Int64(format.mFramesPerPacket)
    }

    /// The upper bound of the size of the file's packets, in bytes.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketSizeUpperBound`.
    public var packetSizeUpperBound: Int { reader.packetSizeUpperBound }

    /// The average bit rate of the file in bits per second; 0 if unknown.
    ///
    /// The corresponding C property is `kAudioFilePropertyBitRate`.
    public var averageBitRate: Double { reader.averageBitRate }

    /// The range of the packets in the file, in bytes, including data between packets; nil if unknown.
    ///
    /// The corresponding C properties are `kAudioFilePropertyDataOffset` and
    /// `kAudioFilePropertyAudioDataByteCount`.
    public var dataRange: Range<Int64>? { reader.dataRange }

    /// The file's chunks, in order; nested chunks follow their parent.
    public var chunks: [AudioFileChunk] { reader.chunks }

    /// The file's text metadata. Keys are those of the published `kAFInfoDictionary_…` ("title", "artist", "tempo"), or
    /// similar names for other common fields ("album artist", "disc number"). All other keys are as stored in the file;
    /// in Vorbis comments they are in lower case.
    ///
    /// In a pipe of Ogg or FLAC, the metadata is that of the recording that is being read, and changes with it.
    ///
    /// The corresponding C property is `kAudioFilePropertyInfoDictionary`.
    public var information: [AudioFileInformation] { reader.information }

    /// The gains for a loudness of -18 LUFS in the file's tags.
    public var replayGain: ReplayGain { reader.replayGain }

    /// The checksum of all samples that the file states, as FLAC does; nil if it states none.
    public var sampleDigest: SampleDigest? { reader.sampleDigest }

    /// The embedded picture, the front cover if there are several; nil if there is none. In a pipe, only a picture
    /// before the audio, in tags of up to 4 MB, is found.
    ///
    /// The corresponding C property is `kAudioFilePropertyAlbumArtwork`.
    public var artwork: AudioFileArtwork? { reader.artwork }

    /// The marked positions in the audio, with their names if they have any.
    ///
    /// The corresponding C property is `kAudioFilePropertyMarkerList`.
    public var markers: [AudioFileMarker] { reader.markers }

    /// The named ranges of the audio.
    ///
    /// The corresponding C property is `kAudioFilePropertyRegionList`.
    public var regions: [AudioFileRegion] { reader.regions }

    /// The metadata for display.
    public var tags: AudioFileTags { FileMetadata(information: reader.information).tags }

    /// The problems found so far: the first 32, and the number of all others as one problem.
    public var problems: [AudioFileProblem] { reader.warnings.all }

    /// The messages of ``problems``, one line each.
    public var warnings: [String] { reader.warnings.lines }

    /// Reads as many whole packets as are available and fit.
    ///
    /// - Parameters:
    ///   - packet: The first packet to read.
    ///   - bytes: Receives the packets one after another.
    ///   - descriptions: Receives the position of each packet in `bytes`. Not used for formats with a constant packet
    ///     size, for which it may be empty.
    /// - Returns: The packets and bytes read; no packets at the end of the file.
    /// - Throws: `bufferTooSmall` if not even one packet or description fits, `endOfFile` for a negative packet,
    ///   `notSeekable` if a pipe is past the packet, `unreadable` if the system fails; the errors of opening if a pipe
    ///   has no readable packet.
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
            let read = try unsafe reader.readPackets(from: packet, into: bytes, descriptions: descriptions)
            // A reader may take missing bytes for the end.
            if read.packets == 0, let failure = file.failure { throw failure }
            return read
        } catch { throw named(error, "read") }
    }

    /// Returns the offset of a packet, or of its header if it has one, in the file; nil if unknown or past the end.
    ///
    /// - Throws: `unreadable` if the search fails.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketToByte`.
    public func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        do throws(AudioFileError) {
            return packet < 0 ? nil : try reader.byteOffset(ofPacket: packet)
        } catch { throw named(error, "find a packet in") }
    }

    /// Finds the packet at which decoding must begin, so that a frame equals that of decoding from the file's start.
    ///
    /// In an MPEG stream that changes its rate, frames after the change are found only approximately: the position is
    /// computed as if all packets had the length of the first packet.
    ///
    /// - Parameter frame: A frame of the audio, counted without the priming.
    /// - Throws: `endOfFile` if the frame is negative or the file ends before it, `notSeekable` if a pipe is past the
    ///   frame, `unreadable` if the system fails.
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
