import CoreAudioTypes

/// Writes MP3 and FLAC files with the encoders of libsndfile.
///
/// The encoder writes to memory, and each append writes whole packets from there to the file. Then the header is
/// updated to count them: a process that dies leaves a file with the right length. Audio that the encoder holds back is
/// lost with the process: for FLAC a block of 4096 frames, or 1152 below 8192 Hz; for MP3 at most a third of a second.
/// (For digital silence up to two seconds, with low bit rates at low sample rates.)
final class SndFileWriter: PacketWriter {
    private let file: OutputFile
    private let encoder: SndFileEncoder
    private var input: EncoderInput
    private let type: AudioFileType
    private let frameBytes: Int
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
    static func make(
        _ order: FileOrder, type: AudioFileType
    ) throws(AudioFileError) -> any PacketWriter {
        let format = order.format
        _ = try type.pcmFormat(
            sampleRate: format.mSampleRate, channels: Int(format.mChannelsPerFrame),
            bits: Int(format.mBitsPerChannel), isFloat: format.isFloat)
        let input = try EncoderInput(format: format)
        let encoder = try SndFileEncoder(
            EncoderSettings(type: type, format: format, bitRate: order.bitRate))
        return try order.createFile { (file) throws(AudioFileError) in
            try SndFileWriter(
                encoder, type: type, input: input, frameBytes: Int(format.mBytesPerFrame), to: file)
        }
    }

    init(
        _ encoder: SndFileEncoder, type: AudioFileType, input: EncoderInput, frameBytes: Int,
        to file: OutputFile
    ) throws(AudioFileError) {
        self.encoder = encoder
        self.type = type
        self.input = input
        self.frameBytes = frameBytes
        self.file = file
        // The start of a stream waits for the metadata, because it cannot be changed after it is written.
        if file.isSeekable { try store(encoder.output.wholeCount) }
    }

    /// The frames passed to the encoder, which are all in the file once it is closed; after a failure the frames that
    /// the header counts.
    var frameCount: Int64 { isCut ? min(counted.frames, encodedFrames) : encodedFrames }

    var byteCount: Int64 { file.byteCount }

    var maximumFrameCount: Int64? {
        // The header of a stream has no count, and so no limit.
        file.isSeekable ? encoder.settings.maximumFrameCount : nil
    }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        guard bytes.count % frameBytes == 0 else {
            throw AudioFileError(
                .unsupported, "\(bytes.count) bytes are no whole number of frames of \(frameBytes) bytes")
        }
        if let failure { throw failure }
        let room = Int(clamping: (maximumFrameCount ?? .max) - encodedFrames)
        let frames = min(bytes.count / frameBytes, room)
        do throws(AudioFileError) {
            var done = 0
            while done < frames {
                let chunk = min(EncoderInput.chunkFrames, frames - done)
                let part = unsafe UnsafeRawBufferPointer(
                    rebasing: bytes[done * frameBytes..<(done + chunk) * frameBytes])
                try unsafe input.encode(part, by: encoder)
                done += chunk
                encodedFrames += Int64(chunk)
                try store(encoder.output.wholeCount)
            }
            try renewHeader()
        } catch {
            cutOff(after: error)
            throw error
        }
        guard frames * frameBytes == bytes.count else {
            let error = AudioFileError(
                .containerFull, "its header counts no more than \(encodedFrames) frames")
            failure = error
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
        let changed = try EncodedOpening(encoded, of: type, metadata)
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
                opening = try EncodedOpening(bytes, of: type, metadata)
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
