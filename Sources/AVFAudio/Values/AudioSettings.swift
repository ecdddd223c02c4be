// SPDX-License-Identifier: MIT

import AudioToolbox
import Foundation

/// The values of a dictionary of settings. Numbers may have any number type of Swift, or be an `NSNumber`.
struct AudioSettings {
    var formatID: AudioFormatID?
    var sampleRate: Double?
    var channels: Int?
    var bitDepth: Int?
    var isBigEndian: Bool?
    var isFloat: Bool?
    var isNonInterleaved: Bool?
    var fileType: AudioFileTypeID?
    var quality: AVAudioQuality?
    var bitRate: Int?
    var bitRatePerChannel: Int?
    var bitRateStrategy: String?
    var bitDepthHint: Int?
    var rateAlgorithm: String?
    var rateQuality: AVAudioQuality?
    var layout: AVAudioChannelLayout?

    /// Nil if a value has the wrong type. Unknown keys are ignored.
    init?(_ settings: [String: Any]) {
        var isValid = true
        func number(_ key: String) -> Double? {
            guard let value = settings[key] else { return nil }
            let number = Self.number(value)
            if number == nil { isValid = false }
            return number
        }
        func integer(_ key: String) -> Int? {
            guard let number = number(key) else { return nil }
            guard number == number.rounded(), abs(number) < 9e15 else {
                isValid = false
                return nil
            }
            return Int(number)
        }
        // 0 leaves the choice to the codec.
        func choice(_ key: String) -> Int? { integer(key).flatMap { $0 == 0 ? nil : $0 } }
        func string(_ key: String) -> String? {
            guard let value = settings[key] else { return nil }
            if let string = value as? String { return string }
            if let string = value as? NSString { return string as String }
            isValid = false
            return nil
        }
        func quality(_ key: String) -> AVAudioQuality? {
            if let value = settings[key] as? AVAudioQuality { return value }
            return integer(key).flatMap { AVAudioQuality(rawValue: $0) }
        }
        formatID = integer(AVFormatIDKey).map { AudioFormatID(truncatingIfNeeded: $0) }
        sampleRate = number(AVSampleRateKey)
        channels = integer(AVNumberOfChannelsKey)
        bitDepth = integer(AVLinearPCMBitDepthKey)
        isBigEndian = number(AVLinearPCMIsBigEndianKey).map { $0 != 0 }
        isFloat = number(AVLinearPCMIsFloatKey).map { $0 != 0 }
        isNonInterleaved = number(AVLinearPCMIsNonInterleaved).map { $0 != 0 }
        fileType = integer(AVAudioFileTypeKey).map { AudioFileTypeID(truncatingIfNeeded: $0) }
        self.quality = quality(AVEncoderAudioQualityKey) ?? quality(AVEncoderAudioQualityForVBRKey)
        bitRate = choice(AVEncoderBitRateKey)
        bitRatePerChannel = choice(AVEncoderBitRatePerChannelKey)
        bitRateStrategy = string(AVEncoderBitRateStrategyKey)
        bitDepthHint = choice(AVEncoderBitDepthHintKey)
        rateAlgorithm = string(AVSampleRateConverterAlgorithmKey)
        rateQuality = quality(AVSampleRateConverterAudioQualityKey)
        if let value = settings[AVChannelLayoutKey] {
            let bytes = value as? Data ?? (value as? NSData).map { $0 as Data }
            layout = bytes.flatMap { AVAudioChannelLayout(bytes: $0) }
            if layout == nil { isValid = false }
        }
        if !isValid { return nil }
    }

    /// The number in a value of any number type; nil for another type. A Boolean counts as 0 or 1.
    private static func number(_ value: Any) -> Double? {
        switch value {
        case let value as Bool: value ? 1 : 0
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }

    /// The bits per second of all channels.
    func totalBitRate(channels: Int) -> Int? { bitRate ?? bitRatePerChannel.map { $0 * max(1, channels) } }

    /// The format of linear PCM that is described, or nil if it is impossible.
    ///
    /// - Parameters:
    ///   - sampleRate: The rate.
    ///   - channels: The number of channels.
    func linearPCM(sampleRate: Double, channels: Int) -> AudioStreamBasicDescription? {
        let isFloat = isFloat ?? false
        let bits = bitDepth ?? (isFloat ? 32 : 16)
        // No file and no buffer has floats of 16 bits, but programs make such formats.
        guard isFloat ? [16, 32, 64].contains(bits) : (8...32).contains(bits) && bits % 8 == 0 else {
            return nil
        }
        let (isBigEndian, isInterleaved) = (isBigEndian ?? false, !(isNonInterleaved ?? false))
        return isFloat
            ? .float(
                bits: bits, isBigEndian: isBigEndian, isInterleaved: isInterleaved, channels: channels,
                sampleRate: sampleRate)
            : .signedInteger(
                bits: bits, isBigEndian: isBigEndian, isInterleaved: isInterleaved, channels: channels,
                sampleRate: sampleRate)
    }
}
