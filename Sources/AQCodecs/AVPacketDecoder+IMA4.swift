// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes

extension AVPacketDecoder {
    /// Opens a decoder of IMA 4:1, whose packets contain 64 frames in 34 bytes for each channel.
    static func ima4(inputFormat: AudioStreamBasicDescription) throws(CodecError) -> AVPacketDecoder {
        let format = try IMA4.complete(inputFormat, to: "decode")
        let settings = AVSettings(
            codec: .ima4, sample: .signed16, sampleRate: Int(format.mSampleRate),
            channels: Int(format.mChannelsPerFrame), packetFrames: IMA4.framesPerPacket,
            packetBytes: Int(format.mBytesPerPacket))
        return try AVPacketDecoder(inputFormat: format, settings: settings)
    }
}
#endif
