// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// An audio file to which packets are appended.
///
/// If the process is killed, appended audio is kept: each append first writes the samples, then the header that counts
/// them, so the header never counts audio that is not in the file. Only audio that was not appended is lost, in encoded
/// files the audio that the encoder holds back, and in MPEG-4 and Ogg files the packets after the last fragment or
/// page, less than a second.
///
/// If the disk is full or fails, or the container's fields cannot count more, the whole frames that reached the file
/// are kept and counted. Every later append throws the same error, and ``close()`` leaves a valid file.
///
/// By default, writing past the process's file-size limit, or to a pipe without a reader, sends a signal that ends the
/// program. A program that needs errors instead must ignore SIGXFSZ and SIGPIPE.
///
/// Used by one thread at a time.
public final class AudioFileWriter {
    /// Options for creating a file.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The option to replace an existing file instead of failing.
        public static let overwrite = Options(rawValue: 1)

        /// The option to leave the file unreadable until it is closed.
        ///
        /// MPEG-4 then stores all audio in one piece, without the headers of fragments, and
        /// ``AudioFileWriter/frameCount`` is 0 until the file is closed. Other file types and streams are not affected.
        public static let wholeOrNothing = Options(rawValue: 2)
    }

    /// The path as given, for messages.
    public let path: FilePath
    /// The file type.
    public let type: AudioFileType
    /// The format of the appended packets.
    public let format: AudioStreamBasicDescription

    private let writer: any PacketWriter
    private let isWholeOrNothing: Bool
    private var isClosed = false
    /// The error that ended writing; already thrown.
    private var failure: AudioFileError?

    /// Creates a file with a valid header and no frames.
    ///
    /// - Parameters:
    ///   - path: The file's path; "-" is standard output. Outputs that cannot seek (a pipe, a FIFO, a terminal) are
    ///     written forwards only, with a header that leaves the length open.
    ///   - type: The file type.
    ///   - format: The format of the packets, with the container's own samples: see
    ///     ``AudioFileType/pcmFormat(sampleRate:channels:bits:isFloat:)``.
    ///   - channelLabels: The label of each channel; nil for the usual order. Containers store labels as far as they
    ///     support them, and from three channels on even if the order is usual. Labels do not change the order of the
    ///     channels: see ``AudioFileType/fixedChannelLabels(of:)`` for types that have only one.
    ///   - bitRate: The bit rate of an MP3 or Ogg file in bits per second. For MP3, it is one of the format's own rates,
    ///     such as 128,000; nil selects a variable rate of high quality; at sample rates below 32 kHz, 64,000 for each
    ///     channel, and below 16 kHz, 32,000. Ogg has variable rates, with this average for most music; nil selects
    ///     quality 5 of Vorbis, about 160,000 in stereo, and 96,000 for Opus in stereo.
    ///   - expectedPackets: The number of packets that will be appended, if known. CAF with packets of varying size,
    ///     and MPEG-4 with ``Options/wholeOrNothing``, then reserve room for their tables ahead of the audio, so that
    ///     the file can be played while it arrives through a pipe. If more packets are appended, the tables are stored
    ///     after the audio, as by default; if fewer, some room remains unused. Ignored above 2^20.
    /// - Throws: `exists` if the file must not be overwritten, `isDirectory`, `notFound` if its directory does not
    ///   exist, `unsupported` if the file type does not support the format; otherwise the errors of
    ///   ``append(_:packetDescriptions:)``. No new file is left behind.
    ///
    /// The corresponding C function is `AudioFileCreateWithURL`.
    public static func create(
        path: String, type: AudioFileType, format: AudioStreamBasicDescription,
        channelLabels: [AudioChannelLabel]? = nil, options: Options = [], bitRate: Int? = nil,
        expectedPackets: Int64? = nil
    ) throws(AudioFileError) -> AudioFileWriter {
        try create(
            path: FilePath(path), type: type, format: format, channelLabels: channelLabels, options: options,
            bitRate: bitRate, expectedPackets: expectedPackets)
    }

    /// Creates a file at a path of any bytes.
    ///
    /// The parameters and errors are those of the function with a string path.
    public static func create(
        path: FilePath, type: AudioFileType, format: AudioStreamBasicDescription,
        channelLabels: [AudioChannelLabel]? = nil, options: Options = [], bitRate: Int? = nil,
        expectedPackets: Int64? = nil
    ) throws(AudioFileError) -> AudioFileWriter {
        do throws(AudioFileError) {
            if let failure = format.validationFailure { throw AudioFileError(.unsupported, failure) }
            if let channelLabels, channelLabels.count != Int(format.mChannelsPerFrame) {
                throw AudioFileError(
                    .unsupported,
                    "\(channelLabels.count) channel labels for \(format.mChannelsPerFrame) channels")
            }
            let order = FileOrder(
                path: path, format: format, channelLabels: channelLabels,
                overwrite: options.contains(.overwrite), bitRate: bitRate, expectedPackets: expectedPackets,
                isWholeOrNothing: options.contains(.wholeOrNothing))
            return AudioFileWriter(
                path: path, type: type, format: format, writer: try order.makeWriter(of: type),
                isWholeOrNothing: options.contains(.wholeOrNothing))
        } catch {
            throw AudioFileError(error.code, "cannot create \(name(of: path)): \(error.message)")
        }
    }

    init(
        path: FilePath, type: AudioFileType, format: AudioStreamBasicDescription, writer: any PacketWriter,
        isWholeOrNothing: Bool = false
    ) {
        self.path = path
        self.type = type
        self.format = format
        self.writer = writer
        self.isWholeOrNothing = isWholeOrNothing
    }

    deinit {
        // Errors cannot be reported here.
        if !isClosed { try? finish() }
    }

    /// Appends whole packets.
    ///
    /// - Parameters:
    ///   - bytes: The packets one after another.
    ///   - packetDescriptions: The position of each packet in `bytes`; nil for formats with a constant packet size.
    /// - Throws: `diskFull`, `quotaExceeded`, `fileTooLarge`, `readOnly`, `containerFull` or `unwritable`, and the same
    ///   again in each later call; whole frames that reached the file are kept and counted. `unsupported` without any
    ///   change if `bytes` and `packetDescriptions` are not whole packets of the format, or the file is closed.
    ///
    /// The corresponding C function is `AudioFileWritePackets`.
    public func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>? = nil
    ) throws(AudioFileError) {
        try perform { () throws(AudioFileError) in
            try unsafe writer.append(bytes, packetDescriptions: packetDescriptions)
        }
    }

    /// Overwrites appended bytes, if packets have a constant size and are contiguous, as in PCM.
    ///
    /// - Parameter byteOffset: The offset of the first byte, relative to the first packet.
    /// - Throws: `unsupported` without any change for other packets, for streams, and for bytes beyond the appended
    ///   ones. Otherwise the errors of ``append(_:packetDescriptions:)``; some of the bytes may then have been changed,
    ///   and later calls are not affected.
    ///
    /// The corresponding C function is `AudioFileWriteBytes`.
    public func overwrite(
        _ bytes: UnsafeRawBufferPointer, at byteOffset: Int64
    ) throws(AudioFileError) {
        // A failed overwrite leaves all frames in place, so it does not end writing.
        try perform(isFinal: false) { () throws(AudioFileError) in
            try unsafe writer.overwrite(bytes, at: byteOffset)
        }
    }

    /// Removes the last appended packets, if packets have a constant size and are contiguous, as in PCM. Later packets
    /// replace them.
    ///
    /// - Parameter bytes: The number of bytes to keep, of whole packets.
    /// - Throws: `unsupported` without any change for other packets, for streams, for parts of packets, and for more
    ///   bytes than were appended. Otherwise the errors of ``append(_:packetDescriptions:)``.
    ///
    /// The corresponding C property is `kAudioFilePropertyAudioDataByteCount`.
    public func shorten(toBytes bytes: Int64) throws(AudioFileError) {
        try perform { () throws(AudioFileError) in try writer.shorten(toBytes: bytes) }
    }

    /// Stores the decoder configuration, before the first packet.
    ///
    /// - Throws: `unsupported` if the container cannot store the configuration, the configuration is for another
    ///   format, or packets were already appended; otherwise the errors of ``append(_:packetDescriptions:)``.
    ///
    /// The corresponding C property is `kAudioFilePropertyMagicCookieData`.
    public func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError) {
        try set(.magicCookie(cookie))
    }

    /// Stores the file's text metadata, before the first packet; replaces earlier metadata.
    ///
    /// - Parameter information: Entries with the keys of the published `kAFInfoDictionary_…` or any other keys. Empty
    ///   values are left out by all file types except CAF.
    /// - Throws: `unsupported` if this file type has no text metadata, the metadata is too long, or packets were
    ///   already appended; otherwise the errors of ``append(_:packetDescriptions:)``.
    ///
    /// The corresponding C property is `kAudioFilePropertyInfoDictionary`.
    public func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError) {
        try set(.information(information))
    }

    /// Stores a picture as the front cover, before the first packet; replaces an earlier picture.
    ///
    /// In WAVE and AIFF files large pictures, like long tags, are stored after the audio when the file is closed.
    ///
    /// - Throws: `unsupported` if this file type cannot store a picture of this size or any picture, or if packets were
    ///   already appended; otherwise the errors of ``append(_:packetDescriptions:)``.
    ///
    /// The corresponding C property is `kAudioFilePropertyAlbumArtwork`.
    public func setArtwork(_ artwork: AudioFileArtwork) throws(AudioFileError) {
        try set(.artwork(artwork))
    }

    /// Stores positions in the audio, before the first packet; replaces earlier positions.
    ///
    /// - Parameter markers: WAVE and AIFF store the whole frame and the name, and leave out markers past 2^32 frames;
    ///   CAF stores all fields.
    /// - Throws: `unsupported` if this file type cannot store markers, or packets were already appended; otherwise the
    ///   errors of ``append(_:packetDescriptions:)``.
    ///
    /// The corresponding C property is `kAudioFilePropertyMarkerList`.
    public func setMarkers(_ markers: [AudioFileMarker]) throws(AudioFileError) {
        try set(.markers(markers))
    }

    /// Stores ranges of the audio, before the first packet; replaces earlier ranges.
    ///
    /// - Throws: `unsupported` if this file type cannot store regions (CAF can), or packets were already appended;
    ///   otherwise the errors of ``append(_:packetDescriptions:)``.
    ///
    /// The corresponding C property is `kAudioFilePropertyRegionList`.
    public func setRegions(_ regions: [AudioFileRegion]) throws(AudioFileError) {
        try set(.regions(regions))
    }

    /// Stores chunks of the client ahead of the audio, before the first packet; replaces earlier chunks.
    ///
    /// An ``AudioFileEditor`` can add later or larger chunks after the file is closed.
    ///
    /// - Throws: `unsupported` for chunks that describe how the audio is stored, fillers, chunks of odd sizes in WAVE
    ///   and AIFF, chunks that with the rest of the header need more than 4000 bytes (in CAF 64 KiB), and file types
    ///   that are not made of chunks. Also `unsupported` after the first packet; otherwise the errors of
    ///   ``append(_:packetDescriptions:)``.
    ///
    /// The corresponding C function is `AudioFileSetUserData`.
    public func setChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError) {
        if let owned = chunks.first(where: { !type.canHaveChunk($0.type) }) {
            throw named(AudioFileError(.unsupported, "chunk \(owned.type) cannot be set"))
        }
        try set(.chunks(chunks))
    }

    /// Sets the numbers of priming, audio and remainder frames, which are written when the file is closed, or earlier.
    ///
    /// - Throws: `unsupported` if the container or a stream cannot store the table; otherwise the errors of
    ///   ``append(_:packetDescriptions:)``.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketTableInfo`.
    public func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        try perform { () throws(AudioFileError) in try writer.setPacketTable(table) }
    }

    /// The number of frames that the header on disk states; for a stream, the number written.
    ///
    /// For MP3, FLAC and Ogg files, appended frames that the encoder holds back until ``close()`` are included, except after
    /// a failure.
    public var frameCount: Int64 { writer.frameCount }

    /// The current size of the file, in bytes.
    public var byteCount: Int64 { writer.byteCount }

    /// The largest number of frames that this file can hold; nil if the container has no limit.
    public var maximumFrameCount: Int64? { writer.maximumFrameCount }

    /// Completes and closes the file. Does nothing if it is already closed.
    ///
    /// A writer that is released without this call also closes its file, but cannot report errors.
    ///
    /// - Throws: The errors of ``append(_:packetDescriptions:)``, except for a failure that was already thrown.
    ///
    /// The corresponding C function is `AudioFileClose`.
    public func close() throws(AudioFileError) {
        guard !isClosed else { return }
        isClosed = true
        do { try finish() } catch { throw named(error) }
    }

    private func finish() throws(AudioFileError) {
        var unreported: AudioFileError?
        do { try writer.complete(hasFailed: failure != nil) } catch { unreported = error }
        do { try writer.file.close() } catch { unreported = unreported ?? error }
        // One failure causes further ones; the first was already reported.
        if failure == nil, let unreported { throw unreported }
    }

    private func set(_ setting: FileSetting) throws(AudioFileError) {
        try perform { () throws(AudioFileError) in try writer.set(setting) }
    }

    /// Performs a change of the file. After a failure every later call throws the same error.
    private func perform(
        isFinal: Bool = true, _ change: () throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        if isClosed { throw named(AudioFileError(.unsupported, "it is closed")) }
        if let failure { throw named(failure) }
        do throws(AudioFileError) {
            try change()
        } catch {
            // An invalid call leaves the file as it was.
            if isFinal, error.code != .unsupported { failure = error }
            throw named(error)
        }
    }

    private func named(_ error: AudioFileError) -> AudioFileError {
        let message = "cannot write \(Self.name(of: path)): \(error.message)"
        // An invalid call leaves the file as it was. An unreadable file has no frames to report.
        guard error.code != .unsupported, !isWholeOrNothing else {
            return AudioFileError(error.code, message)
        }
        let safe =
            path == "-"
            ? "\(frameCount) frames were written" : "the file is whole up to frame \(frameCount)"
        return AudioFileError(error.code, "\(message); \(safe)")
    }

    private static func name(of path: FilePath) -> String {
        path == "-" ? "standard output" : "'\(path)'"
    }
}
