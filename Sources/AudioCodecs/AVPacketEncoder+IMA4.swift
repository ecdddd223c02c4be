#if HAVE_AV_CODECS
import CoreAudioTypes

extension AVPacketEncoder {
    /// Opens an encoder of IMA 4:1, from 16 bits.
    static func ima4(outputFormat: AudioStreamBasicDescription) throws(CodecError) -> AVPacketEncoder {
        let format = try IMA4.complete(outputFormat, to: "encode")
        let stream = try EncodedStream(format, rates: nil, channels: [1, 2])
        var settings = AVSettings(
            codec: .ima4, sample: .signed16, sampleRate: stream.rate, channels: stream.channels)
        settings.bitRate = stream.rate * Int(format.mBytesPerPacket) * 8 / IMA4.framesPerPacket
        return AVPacketEncoder(
            handle: try AVEncoderHandle(settings, encoding: format), settings: settings, outputFormat: format,
            maximumPacketSize: Int(format.mBytesPerPacket))
    }
}
#endif
