// SPDX-License-Identifier: MIT

extension AudioStreamBasicDescription {
    /// Returns the format flags of linear PCM, like the published C++ function `CalculateLPCMFlags`.
    ///
    /// Samples that do not fill their container are aligned high.
    public static func linearPCMFlags(
        validBits: Int, containerBits: Int, isFloat: Bool, isBigEndian: Bool, isInterleaved: Bool = true
    ) -> AudioFormatFlags {
        (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
            | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
            | (validBits == containerBits ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh)
            | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved)
    }

    /// Describes linear PCM of signed integers.
    ///
    /// Arguments are not checked. If they are inconsistent, the ``validationFailure`` of the result is not nil.
    ///
    /// - Parameters:
    ///   - bits: The number of valid bits in a sample.
    ///   - containerBytes: The size of a sample in memory; nil for the smallest that holds `bits`. Samples that do
    ///     not fill the container are aligned high.
    public static func signedInteger(
        bits: Int, containerBytes: Int? = nil, isBigEndian: Bool = isNativeBigEndian,
        isInterleaved: Bool = true,
        channels: Int, sampleRate: Double
    ) -> AudioStreamBasicDescription {
        let containerBytes = containerBytes ?? leastBytes(holding: bits)
        let flags = linearPCMFlags(
            validBits: bits, containerBits: containerBytes &* 8, isFloat: false, isBigEndian: isBigEndian,
            isInterleaved: isInterleaved)
        return linearPCM(
            flags: flags, bits: bits, containerBytes: containerBytes, channels: channels,
            sampleRate: sampleRate)
    }

    /// Describes linear PCM of unsigned integers, in which silence is half the range.
    ///
    /// The parameters are those of
    /// ``signedInteger(bits:containerBytes:isBigEndian:isInterleaved:channels:sampleRate:)``.
    public static func unsignedInteger(
        bits: Int, containerBytes: Int? = nil, isBigEndian: Bool = isNativeBigEndian,
        isInterleaved: Bool = true,
        channels: Int, sampleRate: Double
    ) -> AudioStreamBasicDescription {
        var description = signedInteger(
            bits: bits, containerBytes: containerBytes, isBigEndian: isBigEndian,
            isInterleaved: isInterleaved,
            channels: channels, sampleRate: sampleRate)
        description.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger
        return description
    }

    /// Describes linear PCM of floating-point samples with a full scale of -1 to 1.
    ///
    /// - Parameter bits: The size of a sample, 32 or 64.
    public static func float(
        bits: Int = 32, isBigEndian: Bool = isNativeBigEndian, isInterleaved: Bool = true, channels: Int,
        sampleRate: Double
    ) -> AudioStreamBasicDescription {
        let flags = linearPCMFlags(
            validBits: bits, containerBits: bits, isFloat: true, isBigEndian: isBigEndian,
            isInterleaved: isInterleaved)
        return linearPCM(
            flags: flags, bits: bits, containerBytes: leastBytes(holding: bits), channels: channels,
            sampleRate: sampleRate)
    }

    /// Describes a format other than linear PCM.
    ///
    /// - Parameters:
    ///   - bytesPerPacket: The size of a packet; 0 if packets vary in size.
    ///   - framesPerPacket: The number of frames in a packet; 0 if this varies.
    public static func encoded(
        _ formatID: AudioFormatID, bytesPerPacket: Int = 0, framesPerPacket: Int, channels: Int,
        sampleRate: Double
    ) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: formatID, mFormatFlags: 0,
            mBytesPerPacket: UInt32(clamping: bytesPerPacket),
            mFramesPerPacket: UInt32(clamping: framesPerPacket),
            mBytesPerFrame: 0, mChannelsPerFrame: UInt32(clamping: channels), mBitsPerChannel: 0, mReserved: 0
        )
    }

    /// Whether the machine is big-endian.
    public static var isNativeBigEndian: Bool { kAudioFormatFlagsNativeEndian != 0 }

    /// Returns the size of a packet of linear PCM in bytes; for non-interleaved PCM, that of one channel. Nil if the
    /// size does not fit in the field.
    public static func bytesPerPacket(
        channels: Int, containerBytes: Int, isInterleaved: Bool = true
    ) -> Int? {
        let (bytes, overflow) = containerBytes.multipliedReportingOverflow(by: isInterleaved ? channels : 1)
        return overflow || bytes < 0 || bytes > Int(UInt32.max) ? nil : bytes
    }

    private static func leastBytes(holding bits: Int) -> Int {
        bits / 8 + (bits % 8 > 0 ? 1 : 0)
    }

    private static func linearPCM(
        flags: AudioFormatFlags, bits: Int, containerBytes: Int, channels: Int, sampleRate: Double
    ) -> AudioStreamBasicDescription {
        let isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
        let bytes = bytesPerPacket(
            channels: channels, containerBytes: containerBytes, isInterleaved: isInterleaved)
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
            mBytesPerPacket: UInt32(bytes ?? 0), mFramesPerPacket: 1, mBytesPerFrame: UInt32(bytes ?? 0),
            mChannelsPerFrame: UInt32(clamping: channels), mBitsPerChannel: UInt32(clamping: bits),
            mReserved: 0)
    }
}
