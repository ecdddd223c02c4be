// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes
import AQMagicCookies

extension AVPacketEncoder {
    /// Opens an encoder of Apple Lossless, from 16 or 24 bits: libavcodec encodes no other depths.
    ///
    /// The bit depth is that of the format's flags, or else the requested one, with 20 encoded as 24, or else 16.
    static func alac(
        outputFormat: AudioStreamBasicDescription, settings asked: CodecSettings
    ) throws(CodecError) -> AVPacketEncoder {
        let request = try EncoderRequest(outputFormat, rates: nil, channels: Array(1...8))
        try request.require(framesPerPacket: 4096)
        let flagged = ALACSpecificConfig.bitDepth(of: outputFormat)
        guard flagged != nil || outputFormat.mFormatFlags == 0 else {
            throw request.refusal("no bits of a source have the format flags \(outputFormat.mFormatFlags)")
        }
        let bits: Int
        switch flagged ?? asked.bitDepth ?? 16 {
        case 16: bits = 16
        case 24: bits = 24
        case 20 where flagged == nil: bits = 24
        case let other: throw request.refusal("\(other) bits a sample, libavcodec takes 16 or 24")
        }
        var settings = AVSettings(
            codec: .alac, sample: bits == 16 ? .signed16 : .signed24, sampleRate: request.rate,
            channels: request.channels)
        switch asked.quality {
        case .minimum, .low: settings.effort = 1
        case .medium, .high, .maximum, nil: settings.effort = 2
        }
        let handle = try AVEncoderHandle(settings, encoding: outputFormat)
        var config: ALACSpecificConfig
        do throws(MagicCookieError) {
            config = try ALACSpecificConfig(bytes: handle.extradata)
        } catch {
            throw request.refusal("libavcodec's configuration is wrong: \(error.message)")
        }
        config.channelLayoutTag = PacketChannelOrder.tag(
            channels: request.channels, of: kAudioFormatAppleLossless)
        return AVPacketEncoder(
            handle: handle, settings: settings, outputFormat: config.format, magicCookie: config.bytes,
            // Samples that do not compress are stored, with a header of some bytes for each element.
            maximumPacketSize: (config.frameLength * bits / 8 + 16) * request.channels + 16)
    }
}
#endif
