// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes
import AQMagicCookies

extension AVPacketDecoder {
    /// Opens a decoder of AAC.
    ///
    /// If `inputFormat` is HE-AAC or HE-AAC v2, or has their doubled frames, band replication (SBR) and parametric
    /// stereo are decoded. Otherwise only the core is decoded, even if the stream has more. In both cases packets and
    /// frames correspond.
    ///
    /// - Parameter magicCookie: An ES descriptor or an AudioSpecificConfig. If empty, the stream is assumed to be of
    ///   low complexity with the channels in the usual order.
    static func aac(
        inputFormat: AudioStreamBasicDescription, magicCookie: [UInt8]
    ) throws(CodecError) -> AVPacketDecoder {
        let stream = try AACStream(format: inputFormat, magicCookie: magicCookie)
        let settings = AVSettings(
            codec: .aac, sample: .float, sampleRate: Int(stream.format.mSampleRate),
            channels: Int(stream.format.mChannelsPerFrame),
            packetFrames: Int(stream.format.mFramesPerPacket),
            // A core's packet has at most 6144 bits for each channel. This limit is far larger.
            packetBytes: 1 << 16,
            extradata: stream.extradata)
        return try AVPacketDecoder(inputFormat: stream.format, settings: settings)
    }
}

/// The description of an AAC stream, from its format and its magic cookie.
private struct AACStream {
    /// The given format with the number of frames in a packet.
    var format: AudioStreamBasicDescription
    /// The configuration, which signals exactly the parts to decode, so that packets cannot change them.
    var extradata: [UInt8]

    init(format: AudioStreamBasicDescription, magicCookie: [UInt8]) throws(CodecError) {
        guard let rate = Int(exactly: format.mSampleRate) else {
            throw CodecError(
                .unsupportedFormat, cannot: "decode", format, "sample rate of \(format.mSampleRate) Hz")
        }
        let hasStereo = format.mFormatID == kAudioFormatMPEG4AAC_HE_V2
        let isExtended =
            hasStereo || format.mFormatID == kAudioFormatMPEG4AAC_HE || format.mFramesPerPacket >= 1920
        var config: AudioSpecificConfig
        do throws(MagicCookieError) {
            if magicCookie.isEmpty {
                config = try AudioSpecificConfig(
                    sampleRate: isExtended ? rate / 2 : rate,
                    channels: hasStereo ? 1 : Int(clamping: format.mChannelsPerFrame))
                if format.mFramesPerPacket == 960 || format.mFramesPerPacket == 1920 {
                    config.framesPerPacket = 960
                }
            } else {
                config = try AACCookie.audioSpecificConfig(inCookie: magicCookie)
            }
        } catch {
            throw CodecError(
                magicCookie.isEmpty ? .unsupportedFormat : .invalidCookie, cannot: "decode", format,
                error.message)
        }
        guard config.objectType != 3 else {
            throw CodecError(
                .unsupportedFormat, cannot: "decode", format, "scalable sampling rate (AAC-SSR)")
        }
        if isExtended {
            config.extensionObjectType = hasStereo ? 29 : 5
            config.extensionSampleRate = config.extensionSampleRate ?? rate
        } else {
            config.extensionObjectType = nil
            config.extensionSampleRate = nil
        }
        self.format = try format.completed(byCookieOf: config.format)
        extradata = Self.extradata(of: config)
    }

    /// Returns the core's configuration, followed by bits that state explicitly whether it is extended.
    ///
    /// Otherwise libavcodec would search the first packets for extensions, and return another number of frames.
    private static func extradata(of config: AudioSpecificConfig) -> [UInt8] {
        // Replication at the core's own rate can only be signalled before the core's configuration.
        if config.extensionSampleRate == config.sampleRate { return config.bytes }
        var core = config
        core.extensionObjectType = nil
        core.extensionSampleRate = nil
        var tail = BitWriter()
        tail.write(0x2B7, 11)
        tail.write(5, 5)
        tail.write(config.extensionSampleRate != nil)
        if let rate = config.extensionSampleRate {
            tail.write(15, 4)
            tail.write(rate, 24)
            tail.write(0x548, 11)
            tail.write(config.extensionObjectType == 29)
        }
        return core.bytes + tail.bytes
    }
}
#endif
