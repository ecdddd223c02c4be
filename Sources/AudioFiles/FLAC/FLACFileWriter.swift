import CoreAudioTypes

/// Writes FLAC files of linear PCM, which libFLAC encodes.
///
/// Each append writes the FLAC frames that are complete, then the header that counts them: a process that dies leaves a
/// file with the right length. Audio that the encoder holds back is lost with the process: a block of 4096 frames, or
/// 1152 below 8192 Hz.
final class FLACFileWriter: PacketWriter {
    /// The most frames that the file can hold; nil for a stream, whose header has no count.
    let maximumFrameCount: Int64?

    private let encoder: FLACEncoder
    private let input: EncoderInput
    private var stream: PacketStreamFile
    private var isBegun = false
    private var headerBytes = 0
    private var metadata = FileMetadata()
    /// The frames passed to the encoder.
    private var encodedFrames: Int64 = 0
    /// The frames in the file, which its header counts.
    private var storedFrames: Int64 = 0
    /// The error that ended writing; already thrown.
    private var failure: AudioFileError?
    /// Whether the file lacks audio that was encoded.
    private var isCut = false

    /// Checks that the encoder supports the format, then creates the file.
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        guard order.bitRate == nil else {
            throw AudioFileError(.unsupported, "FLAC files have no bit rate to choose")
        }
        let input = try EncoderInput(format: order.format, of: .flac)
        let encoder = try FLACEncoder(
            sampleRate: input.sampleRate, channels: Int(order.format.mChannelsPerFrame),
            bits: Int(order.format.mBitsPerChannel))
        return try order.createFile { (file) throws(AudioFileError) in
            try FLACFileWriter(encoder, input: input, to: file)
        }
    }

    init(
        _ encoder: FLACEncoder, input: EncoderInput, to file: OutputFile,
        mostFrames: Int64 = FLACHeader.maximumFrameCount
    ) throws(AudioFileError) {
        self.encoder = encoder
        self.input = input
        stream = PacketStreamFile(file)
        maximumFrameCount = file.isSeekable ? mostFrames : nil
        // The start of a stream waits for the metadata, because it cannot be changed after it is written.
        if file.isSeekable { try begin() }
    }

    /// The frames passed to the encoder, which are all in the file once it is closed; after a failure the frames that
    /// the header counts.
    var frameCount: Int64 { isCut ? storedFrames : encodedFrames }

    var byteCount: Int64 { stream.file.byteCount }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        let frames = try unsafe input.frames(in: bytes)
        if let failure { throw failure }
        let fitting = min(frames, Int(clamping: (maximumFrameCount ?? .max) - encodedFrames))
        do throws(AudioFileError) {
            try unsafe input.divide(bytes, frames: fitting) { (block, frames) throws(AudioFileError) in
                try encoder.encode(unsafe input.integers(block), frames: frames)
                encodedFrames += Int64(frames)
                try store()
            }
            try updateHeader()
        } catch {
            (failure, isCut) = (error, true)
            try? updateHeader()
            throw error
        }
        guard fitting == frames else {
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

    func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "the encoder writes the packet table of this kind of file itself")
    }

    func close() throws(AudioFileError) {
        encoder.finish()
        let isKnown = isCut
        do throws(AudioFileError) {
            if !isCut {
                try store()
                try updateHeader()
            }
        } catch {
            (failure, isCut) = (error, true)
            try? updateHeader()
        }
        do throws(AudioFileError) {
            try stream.file.close()
        } catch {
            if !isCut { failure = error }
            isCut = true
        }
        // One failure causes others; the first was already reported.
        if isCut, !isKnown, let failure { throw failure }
    }

    private func setMetadata(_ what: String, _ metadata: FileMetadata) throws(AudioFileError) {
        if let failure { throw failure }
        guard encodedFrames == 0 else {
            throw AudioFileError(.unsupported, "\(what) must come before the first packet")
        }
        // Reports now whether it fits.
        _ = try FLACHeader.bytes(encoder.streamInfo, frames: 0, metadata)
        self.metadata = metadata
        guard isBegun else { return }
        do throws(AudioFileError) { try begin() } catch {
            (failure, isCut) = (error, true)
            throw error
        }
    }

    /// Writes the header, or writes it again in an empty file.
    private func begin() throws(AudioFileError) {
        let header = try FLACHeader.bytes(encoder.streamInfo, frames: 0, metadata)
        headerBytes = header.count
        isBegun = true
        try stream.begin(with: header)
    }

    /// Writes the FLAC frames that are complete.
    private func store() throws(AudioFileError) {
        if !isBegun { try begin() }
        let output = encoder.takeOutput()
        try stream.append(output.bytes, packetEnds: output.ends) { packets in
            storedFrames += output.frames.prefix(packets).reduce(0, +)
        }
    }

    /// Makes the header count the frames in the file.
    private func updateHeader() throws(AudioFileError) {
        guard stream.file.isSeekable, stream.packetCount > 0 else { return }
        let info = FLACHeader.streamInfo(encoder.streamInfo, frames: storedFrames)
        try stream.patch(info, at: FLACHeader.streamInfoOffset - Int64(headerBytes))
    }
}
