// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CAQAVCodec
import CoreAudioTypes

/// A decoder of AAC, Apple Lossless and IMA 4:1, by libavcodec.
///
/// Each packet becomes exactly ``maximumFramesPerPacket`` frames, except a packet of Apple Lossless that states
/// fewer, as the last of a stream does. Channels are in the order of ``DecodedChannelOrder``.
final class AVPacketDecoder: PacketDecoder {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription
    let maximumFramesPerPacket: Int
    private(set) var damagedPackets = 0
    private var silence = SilenceAllowance()

    private let handle: Handle
    /// The size of a packet in bytes; 0 if packets vary in size.
    private let bytesPerPacket: Int

    /// Opens the decoder.
    ///
    /// - Parameter settings: The settings that the format and its cookie require.
    init(inputFormat: AudioStreamBasicDescription, settings: AVSettings) throws(CodecError) {
        if let reason = AVCodecID.failure(of: inputFormat.mFormatID, isEncoding: false) {
            throw CodecError(.unsupportedFormat, cannot: "decode", inputFormat, reason)
        }
        guard 1...AVSettings.maximumChannels ~= settings.channels else {
            throw CodecError(
                .unsupportedFormat, cannot: "decode", inputFormat,
                "\(settings.channels) channels, not 1 to \(AVSettings.maximumChannels)")
        }
        let (pointer, reason) = unsafe settings.open { unsafe aq_av_decoder_open($0, $1) }
        guard let pointer = unsafe pointer else {
            throw CodecError(.unsupportedFormat, cannot: "decode", inputFormat, reason)
        }
        handle = unsafe Handle(pointer)
        self.inputFormat = inputFormat
        outputFormat = settings.pcmFormat(sampleRate: inputFormat.mSampleRate)
        maximumFramesPerPacket = settings.packetFrames
        bytesPerPacket = Int(inputFormat.mBytesPerPacket)
    }

    func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        // An empty buffer counts as one damaged packet. If all packets have one size, no silence replaces it.
        let packets = bytesPerPacket > 0 ? packet.count / bytesPerPacket : 1
        let bytes = maximumFramesPerPacket * Int(outputFormat.mBytesPerFrame)
        guard output.count / bytes >= packets else {
            throw CodecError(
                .outputTooSmall, cannot: "decode", inputFormat,
                "\(packets * maximumFramesPerPacket) frames do not fit \(output.count) bytes")
        }
        if bytesPerPacket > 0, packets == 0 || packet.count % bytesPerPacket > 0 { damagedPackets += 1 }
        guard packets > 0, let target = output.baseAddress else { return 0 }
        let packetBytes = bytesPerPacket > 0 ? bytesPerPacket : packet.count
        var frames = 0
        for index in 0..<packets {
            var decodedFrames: Int32 = 0
            // SAFETY: the packet is inside `packet`, and the output has room for its frames after those of previous
            // packets.
            let result = unsafe aq_av_decoder_decode(
                handle.pointer, packet.baseAddress.map { unsafe $0 + index * packetBytes }, packetBytes,
                target + frames * Int(outputFormat.mBytesPerFrame), &decodedFrames)
            switch result {
            case AQ_AV_OK: silence.add(decodedFrames: Int(decodedFrames))
            case AQ_AV_DAMAGED:
                damagedPackets += 1
                guard silence.take(silentFrames: Int(decodedFrames), packetBytes: packetBytes) else {
                    throw SilenceAllowance.failure(of: inputFormat, damagedPackets: damagedPackets)
                }
            default:
                throw CodecError(
                    .decoderFailed, cannot: "decode", inputFormat, "libavcodec has no memory left")
            }
            frames += Int(decodedFrames)
        }
        return frames
    }

    func reset() {
        unsafe aq_av_decoder_reset(handle.pointer)
    }

    @safe private struct Handle: ~Copyable {
        let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
        deinit { unsafe aq_av_decoder_close(pointer) }
    }
}
#endif
