public import CoreAudioTypes

/// An audio file that is being written, by appending packets.
///
/// Whatever was appended is safe from the death of the process: the samples go to the file first, then the
/// header that counts them, at every append. At no moment does the header promise more than the file holds. So
/// a program that is killed loses what it did not append yet, and nothing more. (Encoded files hold back what
/// their encoder holds back.)
///
/// When the disk is full, or fails, or the container can count no further, the whole frames that reached the
/// file are kept and counted, every later append throws the same error, and ``close()`` leaves a valid file.
///
/// The system's default answer to writing past the process's file-size limit, or to a pipe without a reader, is
/// a signal that ends the program: one that wants errors ignores SIGXFSZ and SIGPIPE.
///
/// Used by one thread at a time.
public final class AudioFileWriter {
    /// How a file is created.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Empties a file that exists already, rather than refusing it.
        public static let overwrite = Options(rawValue: 1)

        /// Nobody will read the file unless it was closed, so it need not be readable before.
        ///
        /// MPEG-4 then has all its audio in one piece, where otherwise the heads of its fragments remain, and
        /// ``AudioFileWriter/frameCount`` is 0 until it is closed. Other kinds of file are written as ever.
        public static let wholeOrNothing = Options(rawValue: 2)
    }

    /// The path as given, for messages.
    public let path: FilePath
    /// The kind of file.
    public let type: AudioFileType
    /// What is appended.
    public let format: AudioStreamBasicDescription

    private let writer: any PacketWriter
    private let isWholeOrNothing: Bool
    private var isClosed = false

    /// Creates a file with a valid header that counts no frames.
    ///
    /// - Parameters:
    ///   - path: Of the file; "-" is standard output. What cannot seek (a pipe, a FIFO, a terminal) is written
    ///     forwards only, with a header that leaves the length open.
    ///   - type: The kind of file.
    ///   - format: What will be appended, in the container's own samples: see
    ///     ``AudioFileType/pcmFormat(sampleRate:channels:bits:isFloat:)``.
    ///   - channelLabels: What each channel is for; nil for the usual order. Containers say so as far as they
    ///     can, and from three channels on also if it is usual.
    ///   - bitRate: Bits per second of an MP3 file, one of the format's own rates, such as 128,000. Nil is a
    ///     variable rate of high quality; below 32 kHz 64,000 a channel, and below 16 kHz 32,000.
    ///   - expectedPackets: How many packets will be appended, as far as that is known. CAF and MPEG-4 then have
    ///     room for their tables ahead of the audio, so that the file can be played while it arrives through a
    ///     pipe. If there turn out to be more, the tables go behind the audio as they do without this; if there
    ///     are fewer, some of the room stays unused.
    /// - Throws: `exists` for a file that is not to be overwritten, `isDirectory`, `notFound` if its folder is
    ///   missing, `unsupported` if the kind of file cannot hold the format; otherwise what writing throws. No
    ///   file is left behind that was not there before.
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
    /// Parameters and errors are those of the function that takes a string.
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
        // Nobody is left to tell.
        if !isClosed { try? writer.close() }
    }

    /// Appends whole packets.
    ///
    /// - Parameters:
    ///   - bytes: The packets one after another.
    ///   - packetDescriptions: Where each packet lies in `bytes`; nil for formats of constant packet size.
    /// - Throws: `diskFull`, `quotaExceeded`, `fileTooLarge`, `readOnly`, `containerFull` or `unwritable`, and
    ///   the same again at each later call; whatever whole frames reached the file are kept and counted.
    ///   `unsupported` if `bytes` is no whole number of packets, or the file is closed: nothing is changed.
    ///
    /// The corresponding C function is `AudioFileWritePackets`.
    public func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>? = nil
    ) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            try unsafe writer.append(bytes, packetDescriptions: packetDescriptions)
        } catch { throw named(error) }
    }

    /// Writes bytes over some of those appended, if packets have one size and lie one after another, as in PCM.
    ///
    /// - Parameter byteOffset: Of the first byte, counted from the first packet.
    /// - Throws: `unsupported` for other packets, for streams, and for bytes of which not all were appended: nothing is
    ///   changed. Otherwise what writing throws; some of the bytes may have been changed then.
    ///
    /// The corresponding C function is `AudioFileWriteBytes`.
    public func overwrite(
        _ bytes: UnsafeRawBufferPointer, at byteOffset: Int64
    ) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            try unsafe writer.overwrite(bytes, at: byteOffset)
        } catch { throw named(error) }
    }

    /// Cuts off the last of the packets appended, if they have one size and lie one after another, as in PCM; those
    /// appended later take their place.
    ///
    /// - Parameter bytes: What is left: whole packets.
    /// - Throws: `unsupported` for other packets, for streams, and for more bytes than were appended: nothing is changed.
    ///   Otherwise what writing throws.
    ///
    /// The corresponding C property is `kAudioFilePropertyAudioDataByteCount`.
    public func shorten(toBytes bytes: Int64) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            try writer.shorten(toBytes: bytes)
        } catch { throw named(error) }
    }

    /// Stores what a decoder of the packets needs to know, before the first of them.
    ///
    /// - Throws: `unsupported` if the container has no place for it, or packets were appended already;
    ///   otherwise what ``append(_:packetDescriptions:)`` throws.
    ///
    /// The corresponding C property is `kAudioFilePropertyMagicCookieData`.
    public func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            try writer.setMagicCookie(cookie)
        } catch { throw named(error) }
    }

    /// Stores what the file is to say of itself in text, before the first packet; replaces what was set before.
    ///
    /// - Parameter information: Keys as in the published `kAFInfoDictionary_…`, or any others.
    ///   Values without text are left out by all kinds of file but CAF.
    /// - Throws: `unsupported` if texts are not written to this kind of file, take too much room, or packets were
    ///   appended already; otherwise what ``append(_:packetDescriptions:)`` throws.
    ///
    /// The corresponding C property is `kAudioFilePropertyInfoDictionary`.
    public func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            try writer.setInformation(information)
        } catch { throw named(error) }
    }

    /// Stores a picture, as the front cover, before the first packet; replaces what was set before.
    ///
    /// Large ones, as long texts, stand behind the sound of WAVE and AIFF files, which have them once they are
    /// closed.
    ///
    /// - Throws: `unsupported` if this kind of file has no place for it, or not so large a one, or packets were
    ///   appended already; otherwise what ``append(_:packetDescriptions:)`` throws.
    ///
    /// The corresponding C property is `kAudioFilePropertyAlbumArtwork`.
    public func setArtwork(_ artwork: AudioFileArtwork) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            try writer.setArtwork(artwork)
        } catch { throw named(error) }
    }

    /// Stores places in the sound, before the first packet; replaces what was set before.
    ///
    /// - Parameter markers: Of which WAVE and AIFF keep the whole frame and the name, CAF all. Those past 2^32 frames are
    ///   left out there.
    /// - Throws: `unsupported` if they are not written to this kind of file, or packets were appended already;
    ///   otherwise what ``append(_:packetDescriptions:)`` throws.
    ///
    /// The corresponding C property is `kAudioFilePropertyMarkerList`.
    public func setMarkers(_ markers: [AudioFileMarker]) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            try writer.setMarkers(markers)
        } catch { throw named(error) }
    }

    /// Stores stretches of the sound, before the first packet; replaces what was set before.
    ///
    /// - Throws: `unsupported` if they are not written to this kind of file (CAF has them), or packets were appended
    ///   already; otherwise what ``append(_:packetDescriptions:)`` throws.
    ///
    /// The corresponding C property is `kAudioFilePropertyRegionList`.
    public func setRegions(_ regions: [AudioFileRegion]) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            try writer.setRegions(regions)
        } catch { throw named(error) }
    }

    /// Stores chunks of the client's ahead of the sound, before the first packet; replaces those set before.
    ///
    /// What comes later, or is larger, an ``AudioFileEditor`` adds to the file once it is closed.
    ///
    /// - Throws: `unsupported` for chunks that tell how the sound is stored, kinds of file that are not made of chunks,
    ///   chunks that take too much room there (4 kB; in CAF 64 kB), or after the first packet; otherwise what
    ///   ``append(_:packetDescriptions:)`` throws.
    ///
    /// The corresponding C function is `AudioFileSetUserData`.
    public func setChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            if let owned = chunks.first(where: { !type.canHaveChunk($0.type) }) {
                throw AudioFileError(.unsupported, "chunk \(owned.type) is none that can be set")
            }
            try writer.setChunks(chunks)
        } catch { throw named(error) }
    }

    /// Says which of the frames are sound; written when the file is closed.
    ///
    /// - Throws: `unsupported` if the container has no place for it.
    ///
    /// The corresponding C property is `kAudioFilePropertyPacketTableInfo`.
    public func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        do throws(AudioFileError) {
            try checkIsOpen()
            try writer.setPacketTable(table)
        } catch { throw named(error) }
    }

    /// Frames that the header on disk counts; of a stream, those written.
    ///
    /// Of MP3 and FLAC files, those appended: what the encoder holds back yet is stored by ``close()``. After a
    /// failure it is what the header counts here too.
    public var frameCount: Int64 { writer.frameCount }

    /// Size of the file so far, in bytes.
    public var byteCount: Int64 { writer.byteCount }

    /// The most frames that this file can hold; nil if its container has no limit.
    public var maximumFrameCount: Int64? { writer.maximumFrameCount }

    /// Completes and closes the file; does nothing the second time.
    ///
    /// A writer that is let go of unclosed closes its file too, but cannot tell of errors.
    ///
    /// - Throws: As ``append(_:packetDescriptions:)``, but for a failure that it has thrown already.
    ///
    /// The corresponding C function is `AudioFileClose`.
    public func close() throws(AudioFileError) {
        guard !isClosed else { return }
        isClosed = true
        do { try writer.close() } catch { throw named(error) }
    }

    private func checkIsOpen() throws(AudioFileError) {
        if isClosed { throw AudioFileError(.unsupported, "it is closed") }
    }

    private func named(_ error: AudioFileError) -> AudioFileError {
        let message = "cannot write \(Self.name(of: path)): \(error.message)"
        // A call that makes no sense leaves the file as it was. Of half a file nobody wants to know where it ends.
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
