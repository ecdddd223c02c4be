// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes

extension AVPacketEncoder {
    /// Opens LAME, an encoder of MP3, at a constant bit rate, from floats.
    static func mp3(
        outputFormat: AudioStreamBasicDescription, settings asked: CodecSettings
    ) throws(CodecError) -> AVPacketEncoder {
        let rates = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000]
        let request = try EncoderRequest(outputFormat, rates: rates, channels: [1, 2])
        // MPEG-2 and MPEG-2.5, for lower rates, have half the frames of MPEG-1 in a packet.
        let frames = request.rate >= 32_000 ? 1152 : 576
        try request.require(framesPerPacket: frames)
        var legal = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        if request.rate >= 32_000 {
            legal = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        } else if request.rate < 16_000 {
            // LAME has no higher bit rate at these sample rates.
            legal.removeAll { $0 > 64 }
        }
        let bitRate = try request.bitRate(asked.bitRate) { wanted in
            // LAME's default bit rate is an eleventh of that of 16-bit samples.
            let wanted = wanted ?? request.rate * 16 * request.channels / 11
            return 1000 * (legal.min { abs($0 * 1000 - wanted) < abs($1 * 1000 - wanted) } ?? 128)
        }
        var settings = AVSettings(
            codec: .mp3, sample: .float, sampleRate: request.rate, channels: request.channels)
        settings.bitRate = bitRate
        switch asked.quality {
        case .minimum: settings.effort = 9
        case .low: settings.effort = 7
        case .medium: settings.effort = 5
        case nil: settings.effort = 3
        case .high: settings.effort = 2
        case .maximum: settings.effort = 0
        }
        return AVPacketEncoder(
            handle: try AVEncoderHandle(settings, encoding: outputFormat), settings: settings,
            outputFormat: .encoded(
                kAudioFormatMPEGLayer3, framesPerPacket: frames, channels: request.channels,
                sampleRate: Double(request.rate)),
            maximumPacketSize: frames / 8 * bitRate / request.rate + 1)
    }
}
#endif
