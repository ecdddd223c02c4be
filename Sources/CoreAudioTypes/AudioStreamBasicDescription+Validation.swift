// SPDX-License-Identifier: MIT

extension AudioStreamBasicDescription {
    /// The largest number of channels of a valid description. A larger number indicates a damaged header.
    public static var maximumChannels: Int { 1024 }
    /// The highest sample rate that a valid description may have, in frames per second.
    public static var maximumSampleRate: Double { 1_536_000 }
    /// The largest constant packet size of a valid description, in bytes.
    public static var maximumBytesPerPacket: Int { 1 << 20 }
    /// The largest number of frames in a packet of a valid description.
    public static var maximumFramesPerPacket: Int { 1 << 20 }

    /// The reason why this description cannot describe audio; nil if the description is complete and consistent.
    ///
    /// The bytes and frames per packet of a valid description are safe to compute with: their products with a number of
    /// packets below 2^32 do not overflow, and they are not 0 for linear PCM and G.711. The reason is lower case,
    /// without full stop, and follows the attempted operation: `cannot open 'a.wav': 0 channels`.
    public var validationFailure: String? {
        if let failure = rateOrChannelsFailure { return failure }
        guard mBytesPerPacket <= Self.maximumBytesPerPacket else {
            return "packets of \(mBytesPerPacket) bytes"
        }
        guard mFramesPerPacket <= Self.maximumFramesPerPacket else {
            return "packets of \(mFramesPerPacket) frames"
        }
        if isLinearPCM { return linearPCMFailure }
        if isG711 {
            guard mFramesPerPacket == 1, mBytesPerPacket == mChannelsPerFrame else {
                return "\(mFramesPerPacket) frames in \(mBytesPerPacket) bytes are not one byte for each of "
                    + "\(mChannelsPerFrame) channels"
            }
        }
        return nil
    }

    /// The reason why no audio has this sample rate or number of channels, whatever the other fields; nil if both are
    /// valid.
    package var rateOrChannelsFailure: String? {
        guard mSampleRate.isFinite, mSampleRate >= 1, mSampleRate <= Self.maximumSampleRate else {
            return "sample rate of \(mSampleRate) Hz"
        }
        guard mChannelsPerFrame >= 1, mChannelsPerFrame <= Self.maximumChannels else {
            return "\(mChannelsPerFrame) channels"
        }
        return nil
    }

    private var linearPCMFailure: String? {
        guard mFramesPerPacket == 1, mBytesPerPacket == mBytesPerFrame else {
            return "linear PCM of \(mFramesPerPacket) frames and \(mBytesPerPacket) bytes a packet with "
                + "\(mBytesPerFrame) bytes a frame"
        }
        guard let bytes = sampleContainerBytes else {
            return "\(mBytesPerFrame) bytes a frame for \(mChannelsPerFrame) channels"
        }
        if isFloat {
            guard mBitsPerChannel == 32 || mBitsPerChannel == 64, isPacked else {
                return "floating-point samples of \(mBitsPerChannel) bits in \(bytes) bytes"
            }
            return nil
        }
        guard mBitsPerChannel >= 1, mBitsPerChannel <= 32, bytes <= 4, mBitsPerChannel <= bytes * 8 else {
            return "integer samples of \(mBitsPerChannel) bits in \(bytes) bytes"
        }
        guard isPacked || mFormatFlags & kAudioFormatFlagIsPacked == 0 else {
            return "packed samples of \(mBitsPerChannel) bits do not fill \(bytes) bytes"
        }
        guard fractionBits < mBitsPerChannel else {
            return "\(fractionBits) fraction bits in samples of \(mBitsPerChannel) bits"
        }
        return nil
    }
}
