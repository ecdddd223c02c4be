// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes

extension AVPacketEncoder {
    /// Opens an encoder of IMA 4:1, from 16-bit integers.
    static func ima4(outputFormat: AudioStreamBasicDescription) throws(CodecError) -> AVPacketEncoder {
        let format = try IMA4.complete(outputFormat, to: "encode")
        let request = try EncoderRequest(format, rates: nil, channels: [1, 2])
        var settings = AVSettings(
            codec: .ima4, sample: .signed16, sampleRate: request.rate, channels: request.channels)
        settings.bitRate = request.rate * Int(format.mBytesPerPacket) * 8 / IMA4.framesPerPacket
        return AVPacketEncoder(
            handle: try AVEncoderHandle(settings, encoding: format), settings: settings, outputFormat: format,
            maximumPacketSize: Int(format.mBytesPerPacket))
    }
}
#endif
