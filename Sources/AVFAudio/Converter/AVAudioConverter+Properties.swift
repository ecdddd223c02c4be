// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes
public import Foundation

/// The settings of a conversion. A value that a converter refuses is reported on standard error, and ignored.
extension AVAudioConverter {
    // MARK: Channels

    /// For each channel of the output the number of the channel of the input, or -1 for silence. Overrides layouts, and
    /// ``downmix``, whichever is set first.
    public var channelMap: [NSNumber] {
        get {
            (values(kAudioConverterChannelMap, of: Int32(0))
                ?? (0..<Int32(outputFormat.channelCount)).map { $0 })
                .map { NSNumber(value: $0) }
        }
        set {
            // The functions of C refuse a map while they mix.
            if downmix { set(kAudioConverterPropertyPerformDownmix, to: [UInt32(0)], "a channel map") }
            set(kAudioConverterChannelMap, to: newValue.map(\.int32Value), "a channel map")
            if downmixes { downmix = true }
        }
    }

    /// Whether channels are mixed if the output has fewer, initially false.
    public var downmix: Bool {
        get { value(kAudioConverterPropertyPerformDownmix, UInt32(0)).map { $0 != 0 } ?? downmixes }
        set {
            downmixes = newValue
            set(kAudioConverterPropertyPerformDownmix, to: [UInt32(newValue ? 1 : 0)], "a downmix")
        }
    }

    /// Whether noise is added if the output has fewer bits, initially false.
    public var dither: Bool {
        get { (value(kAudioConverterPropertyDithering, UInt32(0)) ?? 0) != 0 }
        set { set(kAudioConverterPropertyDithering, to: [UInt32(newValue ? 1 : 0)], "dithering") }
    }

    // MARK: Sample rate

    /// The raw value of an ``AVAudioQuality``. Of no effect if the rates are equal.
    public var sampleRateConverterQuality: Int {
        get { Int(value(kAudioConverterSampleRateConverterQuality, UInt32(0)) ?? 0) }
        set {
            guard convertsRate else { return }
            set(
                kAudioConverterSampleRateConverterQuality, to: [UInt32(clamping: newValue)],
                "a quality of sample-rate conversion")
        }
    }

    /// One of the strings named `AVSampleRateConverterAlgorithm_…`; nil until it is set.
    public var sampleRateConverterAlgorithm: String? {
        get { rateAlgorithm }
        set {
            rateAlgorithm = newValue
            let complexity: UInt32? =
                switch newValue {
                case AVSampleRateConverterAlgorithm_Normal:
                    kAudioConverterSampleRateConverterComplexity_Normal
                case AVSampleRateConverterAlgorithm_Mastering:
                    kAudioConverterSampleRateConverterComplexity_Mastering
                case AVSampleRateConverterAlgorithm_MinimumPhase:
                    kAudioConverterSampleRateConverterComplexity_MinimumPhase
                default: nil
                }
            guard let complexity, convertsRate else { return }
            set(
                kAudioConverterSampleRateConverterComplexity, to: [complexity],
                "an algorithm of sample-rate conversion")
        }
    }

    private var convertsRate: Bool { inputFormat.sampleRate != outputFormat.sampleRate }

    public var primeMethod: AVAudioConverterPrimeMethod {
        get {
            value(kAudioConverterPrimeMethod, UInt32(0)).flatMap {
                AVAudioConverterPrimeMethod(rawValue: Int($0))
            }
                ?? .normal
        }
        set { set(kAudioConverterPrimeMethod, to: [UInt32(newValue.rawValue)], "a prime method") }
    }

    public var primeInfo: AVAudioConverterPrimeInfo {
        get {
            let info = value(kAudioConverterPrimeInfo, AudioConverterPrimeInfo())
            return AVAudioConverterPrimeInfo(
                leadingFrames: info?.leadingFrames ?? 0, trailingFrames: info?.trailingFrames ?? 0)
        }
        set {
            let info = AudioConverterPrimeInfo(
                leadingFrames: newValue.leadingFrames, trailingFrames: newValue.trailingFrames)
            set(kAudioConverterPrimeInfo, to: [info], "numbers of prime frames")
        }
    }

    // MARK: Encoders

    /// The decoder configuration: that of the input if it is encoded, otherwise the one that the encoder has made.
    public var magicCookie: Data? {
        get {
            inputFormat.asbd.isLinearPCM
                ? values(kAudioConverterCompressionMagicCookie, of: UInt8(0)).map { Data($0) }
                : inputFormat.magicCookie
        }
        set {
            guard let newValue, !inputFormat.asbd.isLinearPCM else { return }
            set(kAudioConverterDecompressionMagicCookie, to: Array(newValue), "a magic cookie")
        }
    }

    /// Bits per second of all channels; 0 without an encoder.
    public var bitRate: Int {
        get { Int(value(kAudioConverterEncodeBitRate, UInt32(0)) ?? 0) }
        set { set(kAudioConverterEncodeBitRate, to: [UInt32(clamping: newValue)], "a bit rate") }
    }

    /// One of the strings named `AVAudioBitRateStrategy_…`; nil until it is set.
    public var bitRateStrategy: String? {
        get { strategy }
        set {
            strategy = newValue
            let mode: UInt32? =
                switch newValue {
                case AVAudioBitRateStrategy_Constant: kAudioCodecBitRateControlMode_Constant
                case AVAudioBitRateStrategy_LongTermAverage: kAudioCodecBitRateControlMode_LongTermAverage
                case AVAudioBitRateStrategy_VariableConstrained:
                    kAudioCodecBitRateControlMode_VariableConstrained
                default: nil
                }
            if let mode { set(kAudioCodecPropertyBitRateControlMode, to: [mode], "a strategy of bit rates") }
        }
    }

    /// The size of the largest packet of the output, in bytes.
    public var maximumOutputPacketSize: Int {
        Int(value(kAudioConverterPropertyMaximumOutputPacketSize, UInt32(0)) ?? 0)
    }

    /// The bit rates of the encoder; nil without one.
    public var availableEncodeBitRates: [NSNumber]? { bounds(kAudioConverterAvailableEncodeBitRates) }
    /// The bit rates of the encoder for the formats; nil without one.
    public var applicableEncodeBitRates: [NSNumber]? { bounds(kAudioConverterApplicableEncodeBitRates) }
    /// The sample rates of the encoder; nil without one.
    public var availableEncodeSampleRates: [NSNumber]? { bounds(kAudioConverterAvailableEncodeSampleRates) }
    /// The sample rates of the encoder for the formats; nil without one.
    public var applicableEncodeSampleRates: [NSNumber]? { bounds(kAudioConverterApplicableEncodeSampleRates) }

    /// The tags of layouts that the encoder has; nil without one.
    public var availableEncodeChannelLayoutTags: [NSNumber]? {
        values(kAudioConverterAvailableEncodeChannelLayoutTags, of: AudioChannelLayoutTag(0))?
            .map { NSNumber(value: $0) }
    }

    /// The numbers of a list of ranges; of a range that is no number, its bounds.
    private func bounds(_ property: AudioConverterPropertyID) -> [NSNumber]? {
        values(property, of: AudioValueRange())?.flatMap {
            ($0.mMinimum == $0.mMaximum ? [$0.mMinimum] : [$0.mMinimum, $0.mMaximum]).map {
                NSNumber(value: $0)
            }
        }
    }
}
