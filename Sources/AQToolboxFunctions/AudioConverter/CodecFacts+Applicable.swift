// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// The settings that an encoder accepts for a sample rate and a number of channels.
extension CodecFacts {
    /// The bit rates of the whole stream in bits per second; empty if there is no choice.
    static func applicableBitRates(of format: AudioStreamBasicDescription) -> [AudioValueRange] {
        let channels = Double(format.mChannelsPerFrame)
        let rate = format.mSampleRate
        switch format.mFormatID {
        // ISO/IEC 14496-3: at most 6144 bits for each channel of a packet of 1024 frames.
        case kAudioFormatMPEG4AAC:
            return [AudioValueRange(mMinimum: 8000 * channels, mMaximum: 6 * rate * channels)]
        // ISO/IEC 11172-3 and 13818-3. MPEG-2.5, for the lowest rates, is encoded with at most 64 kbit/s.
        case kAudioFormatMPEGLayer3:
            let kilobits: [Double] =
                rate >= 32_000
                ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
                : [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
            return
                kilobits
                .filter { rate >= 16_000 || $0 <= 64 }
                .map { AudioValueRange(mMinimum: $0 * 1000, mMaximum: $0 * 1000) }
        default: return []
        }
    }
}
