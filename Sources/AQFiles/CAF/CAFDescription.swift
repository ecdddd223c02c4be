// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The contents of a 'desc' chunk: the published structure `CAFAudioDescription`.
struct CAFDescription {
    /// The format, including the fields and flags that the chunk lacks or defines differently.
    let format: AudioStreamBasicDescription

    /// Reads the contents of the chunk; nil if there are too few bytes.
    init?(_ bytes: some Sequence<UInt8>) {
        var cursor = FieldCursor(bytes)
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
        // G.711 has 8 bits per sample, whatever its format states; libsndfile refuses files that state another depth.
        if format.isG711 { format.mBitsPerChannel = 8 }
        self.format = format
    }

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

    /// The reason why files of this format cannot be read; nil if they can.
    var fault: AudioFileError? {
        let limit = FormatLimits.fault(
            sampleRate: format.mSampleRate, channels: Int(format.mChannelsPerFrame))
        return (limit ?? format.validationFailure).map {
            AudioFileError(.unsupported, "its header gives \($0)")
        }
    }

    /// Converts the chunk's flags to those of the format. Samples in CAF are signed and interleaved, and the bit for
    /// the byte order has the opposite meaning.
    private static func linearPCMFlags(
        _ flags: UInt32, bits: UInt32, containerBytes: UInt32
    ) -> AudioFormatFlags {
        let isFloat = flags & floatFlag != 0
        // A single byte has no byte order.
        let isBigEndian = flags & littleEndianFlag == 0 && containerBytes > 1
        return (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
            | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
            | (bits == containerBytes &* 8 ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh)
    }

    private static let floatFlag: UInt32 = 1
    private static let littleEndianFlag: UInt32 = 2
}
