// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes
import AQMagicCookies

extension AVPacketEncoder {
    /// Opens an encoder of low-complexity AAC, from floats.
    static func aac(
        outputFormat: AudioStreamBasicDescription, settings asked: CodecSettings
    ) throws(CodecError) -> AVPacketEncoder {
        let rates = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
            7350,
        ]
        let request = try EncoderRequest(outputFormat, rates: rates, channels: [1, 2, 3, 4, 5, 6, 8])
        try request.require(framesPerPacket: 1024)
        guard outputFormat.mFormatFlags == 0 || outputFormat.mFormatFlags == 2 else {
            throw request.refusal("MPEG-4 object type \(outputFormat.mFormatFlags), libavcodec has 2 (LC)")
        }
        // A packet has at most 6144 bits for each channel.
        let most = request.rate * 6 * request.channels
        let bitRate = try request.bitRate(asked.bitRate) { wanted in
            let perChannel =
                switch request.rate {
                case 48_001...: 96_000
                case 44_100...: 64_000
                case 32_000...: 48_000
                case 22_050...: 32_000
                case 16_000...: 24_000
                default: 16_000
                }
            return min(max(wanted ?? perChannel * request.channels, 8000 * request.channels), most)
        }
        var settings = AVSettings(
            codec: .aac, sample: .float, sampleRate: request.rate, channels: request.channels)
        settings.bitRate = bitRate
        switch asked.quality {
        case .minimum, .low: settings.search = "fast"
        case .medium, .high, .maximum, nil: settings.search = "twoloop"
        }
        let handle = try AVEncoderHandle(settings, encoding: outputFormat)
        let config: AudioSpecificConfig
        do throws(MagicCookieError) {
            config = try AudioSpecificConfig(bytes: handle.extradata)
        } catch {
            throw request.refusal("libavcodec's configuration is wrong: \(error.message)")
        }
        let packetBytes = 768 * request.channels
        return AVPacketEncoder(
            handle: handle, settings: settings, outputFormat: config.format,
            magicCookie: AACCookie.cookie(for: config, bitRate: bitRate, maximumPacketSize: packetBytes),
            maximumPacketSize: packetBytes)
    }
}
#endif
