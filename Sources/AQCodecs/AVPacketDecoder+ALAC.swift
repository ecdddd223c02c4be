// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes
import AQMagicCookies

extension AVPacketDecoder {
    /// Opens a decoder of Apple Lossless. It outputs 16 bits for 16, 24 for 20 and 24, and 32 for 32.
    ///
    /// - Parameter magicCookie: The configuration, alone, with a layout, or in atoms. If empty, the usual parameters
    ///   are assumed, with the bit depth of the format's flags.
    static func alac(
        inputFormat: AudioStreamBasicDescription, magicCookie: [UInt8]
    ) throws(CodecError) -> AVPacketDecoder {
        let config: ALACSpecificConfig
        do throws(MagicCookieError) {
            if magicCookie.isEmpty {
                config = try ALACSpecificConfig(
                    sampleRate: Int(exactly: inputFormat.mSampleRate) ?? 0,
                    channels: Int(clamping: inputFormat.mChannelsPerFrame),
                    bitDepth: ALACSpecificConfig.bitDepth(of: inputFormat) ?? 16,
                    frameLength: inputFormat.mFramesPerPacket == 0
                        ? 4096 : Int(clamping: inputFormat.mFramesPerPacket))
            } else {
                config = try ALACSpecificConfig(bytes: magicCookie)
            }
        } catch {
            throw CodecError(
                magicCookie.isEmpty ? .unsupportedFormat : .invalidCookie, cannot: "decode", inputFormat,
                error.message)
        }
        let format = try inputFormat.completed(byCookieOf: config.format)
        let sample: AVSettings.Sample =
            switch config.bitDepth {
            case 16: .signed16
            case 20, 24: .signed24
            default: .signed32
            }
        // libavcodec accepts the configuration inside the box of MP4 files, without a layout.
        let box: [UInt8] = [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0]
        let settings = AVSettings(
            codec: .alac, sample: sample, sampleRate: config.sampleRate, channels: config.channels,
            packetFrames: config.frameLength,
            // Samples that do not compress are stored, with a few bytes for each element.
            packetBytes: config.frameLength * config.channels * 4 + 4096,
            extradata: box + config.bytes.prefix(24))
        return try AVPacketDecoder(inputFormat: format, settings: settings)
    }
}

extension AudioStreamBasicDescription {
    /// Returns the format with the number of frames in a packet, from a magic cookie.
    ///
    /// - Throws: `invalidCookie` if the cookie belongs to another stream.
    func completed(
        byCookieOf described: AudioStreamBasicDescription
    ) throws(CodecError) -> AudioStreamBasicDescription {
        var format = self
        if format.mFramesPerPacket == 0 { format.mFramesPerPacket = described.mFramesPerPacket }
        guard described.mSampleRate == format.mSampleRate,
            described.mChannelsPerFrame == format.mChannelsPerFrame,
            described.mFramesPerPacket == format.mFramesPerPacket
        else {
            throw CodecError(
                .invalidCookie, cannot: "decode", self,
                "the cookie describes \(described.summary), not \(format.summary)")
        }
        return format
    }
}
#endif
