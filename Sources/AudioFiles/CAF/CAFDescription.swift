import CoreAudioTypes

/// The contents of a 'desc' chunk: the structure `CAFAudioDescription` of the published header.
struct CAFDescription {
    /// The format, with the fields and the flags that the chunk does not have or has otherwise.
    let format: AudioStreamBasicDescription

    /// Nil for fewer bytes than the chunk has.
    init?(_ bytes: some Sequence<UInt8>) {
        var cursor = CAFCursor(bytes)
        guard let sampleRate = cursor.readDouble(), let formatID = cursor.read(UInt32.self),
            let flags = cursor.read(UInt32.self), let bytesPerPacket = cursor.read(UInt32.self),
            let framesPerPacket = cursor.read(UInt32.self), let channels = cursor.read(UInt32.self),
            let bits = cursor.read(UInt32.self)
        else { return nil }
        var format = AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: formatID, mFormatFlags: flags,
            mBytesPerPacket: bytesPerPacket, mFramesPerPacket: framesPerPacket, mBytesPerFrame: 0,
            mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
        if formatID == kAudioFormatLinearPCM {
            format.mBytesPerFrame = framesPerPacket == 1 ? bytesPerPacket : 0
            format.mFormatFlags = Self.linearPCMFlags(
                flags, bits: bits, containerBytes: channels == 0 ? 0 : bytesPerPacket / channels)
        } else if format.isG711 {
            format.mBytesPerFrame = framesPerPacket == 1 ? bytesPerPacket : 0
            format.mBitsPerChannel = 8
        }
        self.format = format
    }

    init(_ format: AudioStreamBasicDescription) {
        var format = format
        // A code of G.711 has 8 bits, whether its format says so or not; libsndfile refuses files that do not.
        if format.isG711 { format.mBitsPerChannel = 8 }
        self.format = format
    }

    /// The contents of the chunk.
    var bytes: [UInt8] {
        var contents = HeaderBytes()
        contents.append(big: format.mSampleRate.bitPattern)
        contents.append(big: format.mFormatID)
        let pcmFlags =
            (format.isFloat ? Self.floatFlag : 0) | (format.isBigEndian ? 0 : Self.littleEndianFlag)
        contents.append(big: format.isLinearPCM ? pcmFlags : format.mFormatFlags)
        contents.append(big: format.mBytesPerPacket)
        contents.append(big: format.mFramesPerPacket)
        contents.append(big: format.mChannelsPerFrame)
        contents.append(big: format.mBitsPerChannel)
        return contents.bytes
    }

    /// Why no file of this format can be read; nil if it says nothing impossible.
    var fault: AudioFileError? {
        let limit = FormatLimits.fault(
            sampleRate: format.mSampleRate, channels: Int(format.mChannelsPerFrame))
        return (limit ?? format.validationFailure).map {
            AudioFileError(.unsupported, "its header gives \($0)")
        }
    }

    /// The flags of the format for those of the chunk, whose samples are signed and interleaved, and whose bit
    /// for the byte order means the opposite.
    private static func linearPCMFlags(
        _ flags: UInt32, bits: UInt32, containerBytes: UInt32
    ) -> AudioFormatFlags {
        let isFloat = flags & floatFlag != 0
        // A single byte has no order.
        let isBigEndian = flags & littleEndianFlag == 0 && containerBytes > 1
        return (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
            | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
            | (bits == containerBytes &* 8 ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh)
    }

    private static let floatFlag: UInt32 = 1
    private static let littleEndianFlag: UInt32 = 2
}
