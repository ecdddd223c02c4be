// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import AQMPEGAudio

/// Empty packets with room for a tag.
enum MPEGTagPacket {
    /// A packet that decoders accept as part of the same stream as `header`, without a checksum, and with the same bit
    /// rate if it has enough room; nil if no bit rate has.
    static func make(like header: MPEGFrameHeader) -> [UInt8]? {
        let needed = 4 + header.sideInformationBytes + LAMETag.mostBytes
        let own = header.bits >> 12 & 15
        // Index 0, free format, has no length.
        for index in [own] + Array(1...14) where index > 0 {
            let bits = header.bits & ~0xF200 | 0x1_0000 | index << 12
            guard let bytes = MPEGFrameHeader(bits: bits)?.packetBytes, bytes >= needed else { continue }
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
                + [UInt8](repeating: 0, count: bytes - 4)
        }
        return nil
    }

    /// A packet for a stream of which only the format is known; nil if layer III does not support it.
    static func make(for format: AudioStreamBasicDescription) -> [UInt8]? {
        guard 1...2 ~= format.mChannelsPerFrame else { return nil }
        // MPEG-1, 2 and 2.5, layer III, without checksum, at a bit rate index that is replaced.
        for version in [0xFFFB_1000, 0xFFF3_1000, 0xFFE3_1000] as [UInt32] {
            for rateIndex in 0..<3 as Range<UInt32> {
                let mode: UInt32 = format.mChannelsPerFrame == 1 ? 0xC0 : 0x40
                let header = MPEGFrameHeader(bits: version | rateIndex << 10 | mode)
                guard let header, Double(header.sampleRate) == format.mSampleRate else { continue }
                let isUsual = format.mFramesPerPacket == header.samplesPerFrame
                return isUsual ? make(like: header) : nil
            }
        }
        return nil
    }
}
#endif
