// SPDX-License-Identifier: MIT

/// Properties derived from the fields. They are defined for any field values: none traps.
///
/// There is no conformance to `Equatable` or `CustomStringConvertible`: ported programs declare their own.
extension AudioStreamBasicDescription {
    public var isLinearPCM: Bool { mFormatID == kAudioFormatLinearPCM }
    public var isFloat: Bool { isLinearPCM && has(kAudioFormatFlagIsFloat) }
    public var isSignedInteger: Bool { isLinearPCM && !isFloat && has(kAudioFormatFlagIsSignedInteger) }
    public var isBigEndian: Bool { isLinearPCM && has(kAudioFormatFlagIsBigEndian) }
    public var isNativeEndian: Bool { isBigEndian == Self.isNativeBigEndian }

    /// Whether all channels are in one buffer; false only for non-interleaved linear PCM.
    public var isInterleaved: Bool { !isLinearPCM || !has(kAudioFormatFlagIsNonInterleaved) }

    /// Whether the format is MPEG audio of layer I, II or III.
    public var isMPEGAudio: Bool {
        [kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3].contains(mFormatID)
    }

    /// Whether the format is A-law or µ-law.
    public var isG711: Bool { mFormatID == kAudioFormatALaw || mFormatID == kAudioFormatULaw }

    /// The size of a sample of linear PCM in memory, in bytes; nil if this is not a whole number above 0.
    public var sampleContainerBytes: Int? {
        let samples = isInterleaved ? mChannelsPerFrame : 1
        guard isLinearPCM, samples > 0, mBytesPerFrame > 0, mBytesPerFrame % samples == 0 else { return nil }
        return Int(mBytesPerFrame / samples)
    }

    /// Whether the valid bits of linear PCM fill their container, whatever the flag states.
    public var isPacked: Bool {
        guard let sampleContainerBytes else { return false }
        return UInt64(mBitsPerChannel) == UInt64(sampleContainerBytes) * 8
    }

    /// Whether samples are in the high bits of a container that they do not fill.
    public var isAlignedHigh: Bool { isLinearPCM && !isPacked && has(kAudioFormatFlagIsAlignedHigh) }

    /// The number of bits after the binary point of fixed-point samples; 0 for ordinary integers.
    public var fractionBits: Int {
        guard isLinearPCM, !isFloat else { return 0 }
        return Int(
            (mFormatFlags & kLinearPCMFormatFlagsSampleFractionMask)
                >> kLinearPCMFormatFlagsSampleFractionShift)
    }

    /// Whether all packets have the same size and number of frames, so that they need no packet descriptions.
    public var hasConstantPacketSize: Bool { mBytesPerPacket > 0 && mFramesPerPacket > 0 }

    /// Returns the size of `frames` frames in bytes; nil if packets vary in size or frames, `frames` is negative, the
    /// frames end inside a packet, or the size overflows.
    public func byteCount(ofFrames frames: Int) -> Int? {
        guard hasConstantPacketSize, frames >= 0, frames % Int(mFramesPerPacket) == 0 else { return nil }
        let (bytes, overflow) = (frames / Int(mFramesPerPacket))
            .multipliedReportingOverflow(by: Int(mBytesPerPacket))
        return overflow ? nil : bytes
    }

    /// Returns the number of frames in the whole packets of `bytes` bytes; nil if packets vary in size or frames,
    /// `bytes` is negative, or the number overflows.
    public func frameCount(inBytes bytes: Int) -> Int? {
        guard hasConstantPacketSize, bytes >= 0 else { return nil }
        let (frames, overflow) = (bytes / Int(mBytesPerPacket))
            .multipliedReportingOverflow(by: Int(mFramesPerPacket))
        return overflow ? nil : frames
    }

    /// Returns whether all fields except `mReserved` are equal.
    public func isSame(as other: AudioStreamBasicDescription) -> Bool {
        mSampleRate == other.mSampleRate && mFormatID == other.mFormatID && mFormatFlags == other.mFormatFlags
            && mBytesPerPacket == other.mBytesPerPacket && mFramesPerPacket == other.mFramesPerPacket
            && mBytesPerFrame == other.mBytesPerFrame && mChannelsPerFrame == other.mChannelsPerFrame
            && mBitsPerChannel == other.mBitsPerChannel
    }

    private func has(_ flag: AudioFormatFlags) -> Bool { mFormatFlags & flag != 0 }
}
