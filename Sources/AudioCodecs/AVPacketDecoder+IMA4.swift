#if HAVE_AV_CODECS
import CoreAudioTypes

extension AVPacketDecoder {
    /// Opens a decoder of IMA 4:1, whose packets hold 64 frames in 34 bytes for each channel.
    static func ima4(inputFormat: AudioStreamBasicDescription) throws(CodecError) -> AVPacketDecoder {
        let format = try IMA4.complete(inputFormat, to: "decode")
        let settings = AVSettings(
            codec: .ima4, sample: .signed16, sampleRate: Int(format.mSampleRate),
            channels: Int(format.mChannelsPerFrame), packetFrames: IMA4.framesPerPacket,
            packetBytes: Int(format.mBytesPerPacket))
        return try AVPacketDecoder(inputFormat: format, settings: settings)
    }
}

/// The packets of IMA 4:1, all of one size.
enum IMA4 {
    static let framesPerPacket = 64
    static let bytesPerChannel = 34

    /// Fills in what the format leaves open.
    static func complete(
        _ format: AudioStreamBasicDescription, to verb: String
    ) throws(CodecError) -> AudioStreamBasicDescription {
        let channels = format.mChannelsPerFrame
        guard 1...2 ~= channels else {
            throw CodecError(
                .unsupportedFormat,
                "cannot \(verb) \(format.encodingSummary): \(channels) channels, libavcodec takes 1 or 2")
        }
        var complete = format
        if format.mFramesPerPacket == 0 { complete.mFramesPerPacket = UInt32(framesPerPacket) }
        if format.mBytesPerPacket == 0 { complete.mBytesPerPacket = UInt32(bytesPerChannel) * channels }
        guard Int(complete.mFramesPerPacket) == framesPerPacket,
            complete.mBytesPerPacket == UInt32(bytesPerChannel) * channels
        else {
            throw CodecError(
                .invalidFormat,
                "cannot \(verb) \(format.encodingSummary): \(complete.mFramesPerPacket) frames in "
                    + "\(complete.mBytesPerPacket) bytes are not 64 in 34 for each of \(channels) channels")
        }
        return complete
    }
}
#endif
