// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The packets before a packet that must be decoded for the same output as when decoding from the start.
enum Preroll {
    /// The first packet to pass to a decoder after a reset.
    ///
    /// - Parameter packetBytes: Returns the size of an earlier packet.
    static func firstPacket(
        for packet: Int64, of format: AudioStreamBasicDescription, packetBytes: (Int64) -> Int
    ) -> Int64 {
        format.isMPEGAudio
            ? firstMPEGPacket(for: packet, of: format, packetBytes) : max(packet - packets(of: format), 0)
    }

    private static func packets(of format: AudioStreamBasicDescription) -> Int64 {
        switch format.mFormatID {
        // Each packet of these formats is independent.
        case kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleLossless,
            kAudioFormatAppleIMA4, kAudioFormatFLAC:
            return 0
        // The window of the transform overlaps with one packet; the second gives the shape of that packet's window.
        case kAudioFormatMPEG4AAC: return 2
        // Parameters of band replication come a few times per second, not with every packet.
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: return 16
        case kAudioFormatOpus:
            // RFC 7845, section 4.6: the decoder converges within 80 ms.
            let frames = max(Double(format.mFramesPerPacket), 120)
            return Int64((0.08 * format.mSampleRate / frames).rounded(.up))
        default: return 4
        }
    }

    /// Returns the first packet of MPEG audio to decode.
    ///
    /// The synthesis window spans the packet and, if packets are short, two before it; the older one needs its bit
    /// reservoir. The synthesis rotates through 16 steps of 32 frames, so only every eighth packet has the phase of the
    /// first packet.
    private static func firstMPEGPacket(
        for packet: Int64, of format: AudioStreamBasicDescription, _ packetBytes: (Int64) -> Int
    ) -> Int64 {
        var first = max(packet - 2, 0)
        var missing = format.mFormatID == kAudioFormatMPEGLayer3 ? reservoirBytes : 0
        while missing > 0, first > 0 {
            first -= 1
            missing -= max(packetBytes(first) - overheadBytes, 0)
        }
        return first / 8 * 8
    }

    /// The largest bit reservoir (ISO 11172-3, 2.4.2.7), and the most that a packet has besides main data.
    private static let reservoirBytes = 511
    private static let overheadBytes = 38
}
