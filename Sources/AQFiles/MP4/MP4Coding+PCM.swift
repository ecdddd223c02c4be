// SPDX-License-Identifier: MIT

import CoreAudioTypes

extension MP4Coding {
    /// The format of linear PCM in any encoding of QuickTime or ISO; nil if the samples are not linear PCM, or have an
    /// invalid size.
    static func linearPCM(
        _ description: MP4SoundDescription, rate: Double
    ) -> AudioStreamBasicDescription? {
        let isLittle = description.isLittleEndian
        switch description.type.description {
        // COMPAT: both types are often declared with 16 bits, although the samples have more.
        case "'sowt'": return integer(description, bits: wholeBits(description), isBigEndian: false, rate)
        case "'twos'": return integer(description, bits: wholeBits(description), isBigEndian: true, rate)
        case "'in24'": return integer(description, bits: 24, isBigEndian: !isLittle, rate)
        case "'in32'": return integer(description, bits: 32, isBigEndian: !isLittle, rate)
        case "'fl32'": return float(description, bits: 32, isBigEndian: !isLittle, rate)
        case "'fl64'": return float(description, bits: 64, isBigEndian: !isLittle, rate)
        case "'raw '", "'NONE'":
            guard description.bits <= 8 else {
                return integer(description, bits: description.bits, isBigEndian: true, rate)
            }
            return .unsignedInteger(
                bits: 8, channels: description.channels, sampleRate: rate)
        case "'lpcm'": return flagged(description, rate)
        case "'ipcm'", "'fpcm'":
            // ISO/IEC 23003-5, 5: a bit for the byte order, and the size.
            guard let config = description.box("pcmC"), let flags = config.uint8(at: 4),
                let bits = config.uint8(at: 5)
            else { return nil }
            let isBig = flags & 1 == 0
            return description.type == FourCharacterCode(mp4: "fpcm")
                ? float(description, bits: Int(bits), isBigEndian: isBig, rate)
                : integer(description, bits: Int(bits), isBigEndian: isBig, rate)
        default: return nil
        }
    }

    private static func wholeBits(_ description: MP4SoundDescription) -> Int {
        let stated = description.bytesPerPacket * 8
        return [8, 16, 24, 32].contains(stated) ? stated : description.bits
    }

    private static func integer(
        _ description: MP4SoundDescription, bits: Int, isBigEndian: Bool, _ rate: Double
    ) -> AudioStreamBasicDescription? {
        guard [8, 16, 24, 32].contains(bits) else { return nil }
        return .signedInteger(
            bits: bits, isBigEndian: isBigEndian, channels: description.channels, sampleRate: rate)
    }

    private static func float(
        _ description: MP4SoundDescription, bits: Int, isBigEndian: Bool, _ rate: Double
    ) -> AudioStreamBasicDescription? {
        guard bits == 32 || bits == 64 else { return nil }
        return .float(bits: bits, isBigEndian: isBigEndian, channels: description.channels, sampleRate: rate)
    }

    /// Makes the format from the flags in version 2 of the description.
    private static func flagged(
        _ description: MP4SoundDescription, _ rate: Double
    ) -> AudioStreamBasicDescription? {
        guard let flags = description.formatFlags, flags & kAudioFormatFlagIsNonInterleaved == 0,
            1...1024 ~= description.channels, description.bytesPerPacket % description.channels == 0
        else { return nil }
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: flags, mBytesPerPacket: UInt32(clamping: description.bytesPerPacket),
            mFramesPerPacket: 1, mBytesPerFrame: UInt32(clamping: description.bytesPerPacket),
            mChannelsPerFrame: UInt32(clamping: description.channels),
            mBitsPerChannel: UInt32(clamping: description.bits), mReserved: 0)
    }
}
