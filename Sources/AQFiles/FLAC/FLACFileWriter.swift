// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A writer of FLAC files of linear PCM, which libFLAC encodes.
///
/// Each append writes the FLAC frames that are complete, then the header that counts them: a process that dies leaves a
/// file with the right length. Audio that the encoder holds back is lost with the process: a block of 4096 frames, or
/// 1152 below 8192 Hz.
final class FLACFileWriter: PacketWriter {
    /// The largest number of frames in the file; nil for a stream, whose header has no count.
    let maximumFrameCount: Int64?

    private let encoder: FLACEncoder
    private let input: EncoderInput
    private var stream: PacketStreamFile
    private var isBegun = false
    private var headerBytes = 0
    private var metadata = FileMetadata()
    private var encodedFrames: Int64 = 0
    /// The number of frames in the file, which its header counts.
    private var storedFrames: Int64 = 0
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

    /// The number of frames passed to the encoder, which are all in the file once it is closed; after a failure, the
    /// number that the header counts.
    var frameCount: Int64 { isCut ? storedFrames : encodedFrames }

    var file: OutputFile { stream.file }

    var isEmpty: Bool { encodedFrames == 0 }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        let frames = try unsafe input.frames(in: bytes)
        let fitting = min(frames, Int(clamping: (maximumFrameCount ?? .max) - encodedFrames))
        do throws(AudioFileError) {
            try unsafe input.divide(bytes, frames: fitting) { (block, frames) throws(AudioFileError) in
                try encoder.encode(unsafe input.integers(block), frames: frames)
                encodedFrames += Int64(frames)
                try store()
            }
            try updateHeader()
        } catch {
            isCut = true
            try? updateHeader()
            throw error
        }
        guard fitting == frames else {
            throw AudioFileError(
                .containerFull, "its header counts no more than \(encodedFrames) frames")
        }
    }

    func set(_ setting: FileSetting) throws(AudioFileError) {
        try checkIsEmpty(before: setting)
        var changed = metadata
        try changed.set(setting)
        // Fails now if the metadata does not fit.
        _ = try FLACHeader.bytes(
            encoder.streamInfo, frames: 0, vendor: encoder.vendor, changed)
        metadata = changed
        if isBegun { try begin() }
    }

    func complete(hasFailed: Bool) throws(AudioFileError) {
        encoder.finish()
        guard !isCut else { return }
        do throws(AudioFileError) {
            try store()
            try updateHeader()
        } catch {
            isCut = true
            try? updateHeader()
            throw error
        }
    }

    /// Writes the header, or writes it again in an empty file.
    private func begin() throws(AudioFileError) {
        let header = try FLACHeader.bytes(
            encoder.streamInfo, frames: 0, vendor: encoder.vendor, metadata)
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

    /// Updates the header's count of the frames in the file.
    private func updateHeader() throws(AudioFileError) {
        guard stream.file.isSeekable, stream.packetCount > 0 else { return }
        let info = FLACHeader.streamInfo(encoder.streamInfo, frames: storedFrames)
        try stream.patch(info, at: FLACHeader.streamInfoOffset - Int64(headerBytes))
    }
}
