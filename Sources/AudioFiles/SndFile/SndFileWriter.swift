import CoreAudioTypes

/// Writes MP3 files with the encoder of libsndfile.
///
/// The encoder writes to memory, and each append writes whole packets from there to the file. Then the header is
/// updated to count them: a process that dies leaves a file with the right length. Audio that the encoder holds back is
/// lost with the process: at most a third of a second. (For digital silence up to two seconds, with low bit rates at low sample rates.)
final class SndFileWriter: PacketWriter {
    private let file: OutputFile
    private let encoder: SndFileEncoder
    private let input: EncoderInput
    /// The metadata of the file.
    private var metadata = FileMetadata()
    /// The encoder's first bytes, once they are in the file, and the start written there.
    private var encodedOpening: [UInt8]?
    private var opening = EncodedOpening([])
    /// The frames passed to the encoder.
    private var encodedFrames: Int64 = 0
    /// The audio in the file, and the part of it that its header counts.
    private var stored = StreamMark()
    private var counted = StreamMark()
    /// The error that ended the recording; already thrown.
    private var failure: AudioFileError?
    /// Whether the file lacks audio that was encoded.
    private var isCut = false

    /// Checks that an available encoder supports the format, then creates the file.
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        let input = try EncoderInput(format: order.format, of: .mp3)
        let encoder = try SndFileEncoder(EncoderSettings(format: order.format, bitRate: order.bitRate))
        return try order.createFile { (file) throws(AudioFileError) in
            try SndFileWriter(encoder, input: input, to: file)
        }
    }

    private init(
        _ encoder: SndFileEncoder, input: EncoderInput, to file: OutputFile
    ) throws(AudioFileError) {
        self.encoder = encoder
        self.input = input
        self.file = file
        // The start of a stream waits for the metadata, because it cannot be changed after it is written.
        if file.isSeekable { try store(encoder.output.wholeCount) }
    }

    /// The frames passed to the encoder, which are all in the file once it is closed; after a failure the frames that
    /// the header counts.
    var frameCount: Int64 { isCut ? min(counted.frames, encodedFrames) : encodedFrames }

    var byteCount: Int64 { file.byteCount }

    var maximumFrameCount: Int64? { nil }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        let frames = try unsafe input.frames(in: bytes)
        if let failure { throw failure }
        do throws(AudioFileError) {
            try unsafe input.divide(bytes, frames: frames) { (block, frames) throws(AudioFileError) in
                try encoder.encode(unsafe input.floats(block), frames: frames)
                encodedFrames += Int64(frames)
                try store(encoder.output.wholeCount)
            }
            try renewHeader()
        } catch {
            cutOff(after: error)
            throw error
        }
    }

    func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "this kind of file has no place for a magic cookie")
    }

    func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError) {
        try setMetadata("the texts", FileMetadata(information: information, artwork: metadata.artwork))
    }

    func setArtwork(_ artwork: AudioFileArtwork) throws(AudioFileError) {
        try setMetadata("the picture", FileMetadata(information: metadata.information, artwork: artwork))
    }

    private func setMetadata(_ what: String, _ metadata: FileMetadata) throws(AudioFileError) {
        if let failure { throw failure }
        guard encodedFrames == 0 else {
            throw AudioFileError(.unsupported, "\(what) must come before the first packet")
        }
        let encoded = encodedOpening ?? Array(encoder.output.pending.prefix(encoder.output.wholeCount))
        let changed = try EncodedOpening(encoded, metadata)
        self.metadata = metadata
        guard encodedOpening != nil else { return }
        do throws(AudioFileError) {
            try file.truncate(to: 0)
            opening = changed
            try file.append(changed.bytes)
        } catch {
            // The start without metadata was written before, so that it has space even on a full disk.
            opening = EncodedOpening(encoded)
            try? file.truncate(to: 0)
            try? file.append(encoded)
            (failure, isCut) = (error, true)
            encoder.output.discard()
            throw error
        }
    }

    func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "the encoder writes the packet table of this kind of file itself")
    }

    func close() throws(AudioFileError) {
        encoder.finish()
        let isKnown = isCut
        do throws(AudioFileError) {
            if !isCut { try complete() }
        } catch {
            cutOff(after: error)
        }
        do throws(AudioFileError) {
            try file.close()
        } catch {
            if !isCut { failure = error }
            isCut = true
        }
        // One failure causes others; the first was already reported.
        if isCut, !isKnown, let failure { throw failure }
    }

    /// Stores the encoder's last output, and only then the header that counts it.
    private func complete() throws(AudioFileError) {
        try store(encoder.output.pending.count, isLast: true)
        guard file.isSeekable else { return }
        guard !encoder.output.isTooLongForEncoder else { return try renewHeader() }
        for revision in encoder.output.revisions {
            try file.patch(revision.bytes[...], at: opening.fileOffset(of: revision.offset))
        }
        counted = stored
    }

    /// Moves the first encoded bytes to the file.
    private func store(_ count: Int, isLast: Bool = false) throws(AudioFileError) {
        let output = encoder.output
        guard count > 0 else { return }
        // A header that the encoder has completed in memory is better.
        if output.isAtBeginning, !isLast, let opening = output.header(upTo: nil, ofFrames: 0) {
            output.apply(opening)
        }
        var bytes = Array(output.pending.prefix(count))
        do throws(AudioFileError) {
            if encodedOpening == nil {
                encodedOpening = bytes
                opening = try EncodedOpening(bytes, metadata)
                bytes = opening.bytes
            }
            try file.append(bytes)
        } catch {
            noteStored()
            throw error
        }
        noteStored()
        output.drop(count)
    }

    private func noteStored() {
        let encodedBytes = file.byteCount - opening.addedBytes
        if let mark = encoder.output.marks.last(where: { $0.bytes <= encodedBytes }) { stored = mark }
    }

    /// Updates the header to count the packets in the file.
    private func renewHeader() throws(AudioFileError) {
        guard file.isSeekable, stored != counted,
            let patch = encoder.output.header(upTo: stored, ofFrames: encodedFrames),
            patch.offset + Int64(patch.bytes.count) <= stored.bytes
        else { return }
        try file.patch(patch.bytes[...], at: opening.fileOffset(of: patch.offset))
        counted = stored
    }

    /// Leaves whole packets in the file, and a header that counts them.
    private func cutOff(after error: AudioFileError) {
        failure = error
        isCut = true
        encoder.output.discard()
        guard file.isSeekable else {
            counted = stored
            return
        }
        // The first failure is reported. If these fail too, part of a packet remains, which readers skip, or the header
        // counts less than is present.
        try? file.truncate(to: stored.bytes > 0 ? stored.bytes + opening.addedBytes : 0)
        try? renewHeader()
    }
}
