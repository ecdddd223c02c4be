import CAudioToolbox
import CoreAudioTypes

/// What the encoder of a format can be asked for.
///
/// Empty lists for what there is no choice of: bit rates of lossless formats, and what is computed sample by sample.
struct EncoderAbilities {
    private let formatID: AudioFormatID
    private let sampleRate: Double
    private let channels: Int

    /// - Parameter format: Whose rate and channels are those of now.
    init(of format: AudioStreamBasicDescription) {
        formatID = format.mFormatID
        sampleRate = format.mSampleRate
        channels = Int(format.mChannelsPerFrame)
    }

    /// Every bit rate that the encoder has at some rate and of some channels.
    var bitRates: [AudioValueRange] {
        switch formatID {
        case kAudioFormatMPEG4AAC:
            let most = Self.aacBitsPerSample * (Self.aacRates.max() ?? 0) * Double(Self.aacMostChannels)
            return [AudioValueRange(mMinimum: Self.aacLeastBitRate, mMaximum: most)]
        case kAudioFormatMPEGLayer3:
            return Self.points(Set(Self.mpeg1BitRates + Self.mpeg2BitRates).sorted())
        default: return []
        }
    }

    /// The bit rates at the rate and of the channels of now.
    var applicableBitRates: [AudioValueRange] {
        switch formatID {
        case kAudioFormatMPEG4AAC:
            return [
                AudioValueRange(
                    mMinimum: Self.aacLeastBitRate * Double(channels),
                    mMaximum: Self.aacBitsPerSample * sampleRate * Double(channels))
            ]
        case kAudioFormatMPEGLayer3:
            if sampleRate >= 32_000 { return Self.points(Self.mpeg1BitRates) }
            // MPEG-2.5, at rates below those of MPEG-2, is encoded no further.
            return Self.points(Self.mpeg2BitRates.filter { sampleRate >= 16_000 || $0 <= 64_000 })
        default: return []
        }
    }

    /// The sample rates, each a range of its own.
    var sampleRates: [AudioValueRange] {
        switch formatID {
        case kAudioFormatMPEG4AAC: Self.points(Self.aacRates)
        case kAudioFormatMPEGLayer3: Self.points(Self.mpegRates)
        default: [AudioValueRange(mMinimum: 1, mMaximum: AudioStreamBasicDescription.maximumSampleRate)]
        }
    }

    /// The orders of channels that go into the encoder.
    var layoutTags: [AudioChannelLayoutTag] {
        let common = [
            kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_MPEG_3_0_A,
            kAudioChannelLayoutTag_MPEG_4_0_A, kAudioChannelLayoutTag_MPEG_5_0_A,
            kAudioChannelLayoutTag_MPEG_5_1_A,
        ]
        return switch formatID {
        case kAudioFormatMPEG4AAC: common + [kAudioChannelLayoutTag_WAVE_7_1]
        case kAudioFormatAppleLossless:
            common + [kAudioChannelLayoutTag_MPEG_6_1_A, kAudioChannelLayoutTag_MPEG_7_1_A]
        default: Array(common.prefix(2))
        }
    }

    // ISO/IEC 14496-3: 6144 bits for each channel of a packet of 1024 frames.
    private static let aacBitsPerSample: Double = 6
    private static let aacLeastBitRate: Double = 8000
    private static let aacMostChannels = 8
    private static let aacRates: [Double] = [
        7350, 8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    ]
    // ISO/IEC 11172-3 and 13818-3, layer III.
    private static let mpegRates: [Double] = [
        8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
    ]
    private static let mpeg1BitRates: [Double] = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ].map { $0 * 1000 }
    private static let mpeg2BitRates: [Double] = [
        8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
    ].map { $0 * 1000 }

    private static func points(_ values: [Double]) -> [AudioValueRange] {
        values.map { AudioValueRange(mMinimum: $0, mMaximum: $0) }
    }
}
