// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// Fields that follow from a format's ID, and from the other given fields.
extension AudioStreamBasicDescription {
    /// The description with fields of 0 filled in as far as the format determines them; nil for an unknown
    /// format.
    var completed: AudioStreamBasicDescription? {
        var format = self
        switch mFormatID {
        case kAudioFormatLinearPCM: format.completeLinearPCM()
        case kAudioFormatALaw, kAudioFormatULaw:
            format.mBitsPerChannel = 8
            format.completeConstantPackets(bytesPerChannel: 1, frames: 1)
            format.mBytesPerFrame = format.mBytesPerPacket
        case kAudioFormatAppleIMA4: format.completeConstantPackets(bytesPerChannel: 34, frames: 64)
        case kAudioFormatMPEGLayer3 where mSampleRate > 0 && mSampleRate < 32_000:
            // A packet of MPEG-2 or MPEG-2.5, at half the rate or less, has half the frames.
            format.completePackets(frames: 576)
        default:
            guard let frames = Self.framesByFormat[mFormatID] else { return nil }
            format.completePackets(frames: frames)
        }
        return format
    }

    /// Whether packets need descriptions of their sizes.
    var hasPacketsOfDifferentSizes: Bool {
        switch mFormatID {
        case kAudioFormatLinearPCM, kAudioFormatALaw, kAudioFormatULaw, kAudioFormatAppleIMA4,
            kAudioFormatDVIIntelIMA, kAudioFormatMicrosoftGSM, kAudioFormatMACE3, kAudioFormatMACE6:
            false
        default: mBytesPerPacket == 0
        }
    }

    /// Whether decoding cannot begin at some packets, even if earlier packets are decoded first.
    var hasDependentPackets: Bool { mFormatID == kAudioFormatMPEGD_USAC || mFormatID == kAudioFormatAPAC }

    private mutating func completeLinearPCM() {
        let samples = isInterleaved ? UInt64(mChannelsPerFrame) : 1
        if mBytesPerFrame == 0 {
            mBytesPerFrame = UInt32(clamping: (UInt64(mBitsPerChannel) + 7) / 8 * samples)
        }
        if mFramesPerPacket == 0 { mFramesPerPacket = 1 }
        if mBytesPerPacket == 0 {
            mBytesPerPacket = UInt32(clamping: UInt64(mBytesPerFrame) * UInt64(mFramesPerPacket))
        }
    }

    private mutating func completeConstantPackets(bytesPerChannel: UInt64, frames: UInt32) {
        mFramesPerPacket = frames
        mBytesPerPacket = UInt32(clamping: bytesPerChannel * UInt64(mChannelsPerFrame))
    }

    /// - Parameter frames: The number of frames in a packet, if the description has none; 0 if only the packets
    ///   state the number.
    private mutating func completePackets(frames: UInt32) {
        if mFramesPerPacket == 0 { mFramesPerPacket = frames }
        mBytesPerFrame = 0
        mBitsPerChannel = 0
    }

    private static let framesByFormat: [AudioFormatID: UInt32] = [
        kAudioFormatMPEGLayer1: 384, kAudioFormatMPEGLayer2: 1152, kAudioFormatMPEGLayer3: 1152,
        kAudioFormatMPEG4AAC: 1024, kAudioFormatMPEG4AAC_HE: 2048, kAudioFormatMPEG4AAC_HE_V2: 2048,
        kAudioFormatMPEG4AAC_LD: 512, kAudioFormatMPEG4AAC_ELD: 512, kAudioFormatMPEG4AAC_ELD_SBR: 1024,
        kAudioFormatMPEG4AAC_ELD_V2: 1024, kAudioFormatAppleLossless: 4096, kAudioFormatAC3: 1536,
        kAudioFormatEnhancedAC3: 1536, kAudioFormatAMR: 160, kAudioFormatAMR_WB: 320,
        kAudioFormatFLAC: 0, kAudioFormatOpus: 0, kAudioFormatMPEGD_USAC: 0, kAudioFormatiLBC: 0,
    ]
}
