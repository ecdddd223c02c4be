// SPDX-License-Identifier: MIT

import CoreAudioTypes

#if HAVE_MPEG_AUDIO
import AQMPEGAudio

/// A writer of MP3 files of linear PCM, which LAME encodes.
///
/// Each append writes the packets that are complete through ``MPEGPacketWriter``, whose tag counts them: a process that
/// dies leaves a file with the right length. Audio that the encoder holds back is lost with the process: at most a third
/// of a second. (For digital silence up to two seconds, with low bit rates at low sample rates.)
final class MP3FileWriter: PacketWriter {
    private let encoder: LAMEEncoder
    private let input: EncoderInput
    private let packets: MPEGPacketWriter
    private var encodedFrames: Int64 = 0
    /// Whether the file lacks audio that was encoded.
    private var isCut = false

    /// Checks that the encoder supports the format, then creates the file.
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        let input = try EncoderInput(format: order.format, of: .mp3)
        let channels = Int(order.format.mChannelsPerFrame)
        let settings = try MP3Settings(
            sampleRate: input.sampleRate, channels: channels, bitRate: order.bitRate)
        let encoder = try LAMEEncoder(
            sampleRate: input.sampleRate, channels: channels, bitRate: settings.bitRate)
        var order = order
        order.format = .encoded(
            kAudioFormatMPEGLayer3, framesPerPacket: settings.header.samplesPerFrame, channels: channels,
            sampleRate: order.format.mSampleRate)
        let format = order.format
        guard let tagPacket = MPEGTagPacket.make(like: settings.header) else {
            throw AudioFileError(.unsupported, "MPEG audio layer III has no \(format.summary)")
        }
        return try order.createFile { (file) throws(AudioFileError) in
            try MP3FileWriter(
                encoder, input: input,
                to: MPEGPacketWriter(tagPacket, format, encoderName: encoder.name, to: file))
        }
    }

    private init(
        _ encoder: LAMEEncoder, input: EncoderInput, to packets: MPEGPacketWriter
    ) throws(AudioFileError) {
        self.encoder = encoder
        self.input = input
        self.packets = packets
        try updateTable()
        try packets.begin()
    }

    /// The number of frames passed to the encoder, which are all in the file once it is closed; after a failure, the
    /// number that the tag counts.
    var frameCount: Int64 { isCut ? min(packets.frameCount, encodedFrames) : encodedFrames }

    var file: OutputFile { packets.file }

    /// Whether no audio was appended; the file does not show it, because the encoder holds back packets.
    var isEmpty: Bool { encodedFrames == 0 }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        let frames = try unsafe input.frames(in: bytes)
        do throws(AudioFileError) {
            var encoded: [[UInt8]] = []
            try unsafe input.divide(bytes, frames: frames) { (block, frames) throws(AudioFileError) in
                encoded += try encoder.encode(unsafe input.floats(block), frames: frames)
            }
            encodedFrames += Int64(frames)
            try store(encoded)
        } catch {
            isCut = true
            throw error
        }
    }

    func set(_ setting: FileSetting) throws(AudioFileError) {
        try checkIsEmpty(before: setting)
        try packets.set(setting)
    }

    func complete(hasFailed: Bool) throws(AudioFileError) {
        guard !hasFailed else { return }
        do throws(AudioFileError) {
            // Without audio the encoder would produce packets of silence.
            if encodedFrames > 0 { try store(encoder.finish()) }
            try packets.complete(hasFailed: false)
        } catch {
            isCut = true
            throw error
        }
    }

    private func store(_ encoded: [[UInt8]]) throws(AudioFileError) {
        try updateTable()
        var end: Int64 = 0
        let descriptions = encoded.map { packet in
            defer { end += Int64(packet.count) }
            return AudioStreamPacketDescription(
                mStartOffset: end, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
        }
        let bytes = encoded.flatMap { $0 }
        try unsafe bytes.withUnsafeBufferPointer { bytes throws(AudioFileError) in
            try unsafe descriptions.withUnsafeBufferPointer { descriptions throws(AudioFileError) in
                try unsafe packets.append(UnsafeRawBufferPointer(bytes), packetDescriptions: descriptions)
            }
        }
    }

    /// Sets the trims up to the end of the stored packets. The end of a stream is not known.
    private func updateTable() throws(AudioFileError) {
        try packets.setPacketTable(
            PacketTable(
                primingFrames: encoder.delayFrames + LAMETag.decoderLagFrames,
                validFrames: packets.isSeekable ? encodedFrames : 0, remainderFrames: 0))
    }
}
#else
/// The replacement of the writer in programs built without MPEG audio.
enum MP3FileWriter {
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        throw AudioFileError(.unsupported, "this program was built without MPEG audio")
    }
}
#endif
