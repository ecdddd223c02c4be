// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes
import Foundation

/// Equality, the text and the settings of a format.
extension AVAudioFormat {
    /// The fields of a description that matter, without flags and counts that follow from others.
    private struct Essence: Hashable {
        var formatID: AudioFormatID
        var flags: AudioFormatFlags
        var sampleRate: Double
        var channels: UInt32
        var bits: UInt32
        var bytesPerFrame: UInt32
        var bytesPerPacket: UInt32
        var framesPerPacket: UInt32

        init(_ asbd: AudioStreamBasicDescription) {
            (formatID, sampleRate) = (asbd.mFormatID, asbd.mSampleRate)
            (channels, bits) = (asbd.mChannelsPerFrame, asbd.mBitsPerChannel)
            (bytesPerFrame, bytesPerPacket) = (asbd.mBytesPerFrame, asbd.mBytesPerPacket)
            (framesPerPacket, flags) = (asbd.mFramesPerPacket, asbd.mFormatFlags)
            guard asbd.isLinearPCM else { return }
            // Packed samples have no other alignment, and one channel is always interleaved.
            var ignored = kAudioFormatFlagIsPacked | kAudioFormatFlagsAreAllClear
            if asbd.isPacked { ignored |= kAudioFormatFlagIsAlignedHigh }
            if asbd.mChannelsPerFrame == 1 { ignored |= kAudioFormatFlagIsNonInterleaved }
            if asbd.isFloat { ignored |= kAudioFormatFlagIsSignedInteger }
            if asbd.mBitsPerChannel <= 8 { ignored |= kAudioFormatFlagIsBigEndian }
            flags &= ~ignored
        }
    }

    /// The layout if it says more than the number of channels does.
    private var significantLayout: AVAudioChannelLayout? {
        switch channelLayout?.layoutTag {
        case kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo: nil
        default: channelLayout
        }
    }

    func isSame(as other: AVAudioFormat) -> Bool {
        Essence(asbd) == Essence(other.asbd) && significantLayout == other.significantLayout
    }

    /// Whether a buffer of the other format has the same audio: the same format, or the same encoding if one of them says
    /// less about it. A client's format of AAC is one of rate and channels, and the encoder's has the frames of a packet.
    func fits(_ other: AVAudioFormat) -> Bool {
        let (left, right) = (asbd, other.asbd)
        guard !left.isLinearPCM, !right.isLinearPCM else { return self == other }
        func agree<Value: FixedWidthInteger>(_ field: (AudioStreamBasicDescription) -> Value) -> Bool {
            field(left) == 0 || field(right) == 0 || field(left) == field(right)
        }
        return left.mFormatID == right.mFormatID && left.mSampleRate == right.mSampleRate
            && left.mChannelsPerFrame == right.mChannelsPerFrame && agree(\.mFormatFlags)
            && agree(\.mFramesPerPacket) && agree(\.mBytesPerPacket) && agree(\.mBitsPerChannel)
    }

    var essentialHash: Int { Essence(asbd).hashValue }

    var summary: String {
        let asbd = asbd
        var parts = ["\(asbd.mChannelsPerFrame) ch", " \(Self.text(asbd.mSampleRate)) Hz"]
        switch commonFormat {
        case .pcmFormatFloat32: parts.append("Float32")
        case .pcmFormatFloat64: parts.append("Float64")
        case .pcmFormatInt16: parts.append("Int16")
        case .pcmFormatInt32: parts.append("Int32")
        case .otherFormat: parts.append(asbd.summary)
        }
        if asbd.isLinearPCM, asbd.mChannelsPerFrame != 1 {
            parts.append(isInterleaved ? "interleaved" : "deinterleaved")
        }
        return parts.joined(separator: ", ")
    }

    func makeSettings() -> [String: Any] {
        let asbd = asbd
        var settings: [String: Any] = [
            AVFormatIDKey: NSNumber(value: asbd.mFormatID),
            AVSampleRateKey: NSNumber(value: asbd.mSampleRate),
            AVNumberOfChannelsKey: NSNumber(value: asbd.mChannelsPerFrame),
        ]
        if asbd.isLinearPCM {
            settings[AVLinearPCMBitDepthKey] = NSNumber(value: asbd.mBitsPerChannel)
            settings[AVLinearPCMIsFloatKey] = NSNumber(value: asbd.isFloat)
            settings[AVLinearPCMIsBigEndianKey] = NSNumber(value: asbd.isBigEndian)
            settings[AVLinearPCMIsNonInterleaved] = NSNumber(value: !asbd.isInterleaved)
        }
        if let channelLayout { settings[AVChannelLayoutKey] = channelLayout.bytes }
        return settings
    }

    private static func text(_ rate: Double) -> String {
        rate == rate.rounded() && abs(rate) < 1e9 ? "\(Int(rate))" : "\(rate)"
    }
}
