import CoreAudioTypes

/// How far before a packet decoding must begin for it to come out as when decoding from the start.
enum CAFPreroll {
    /// The first packet that a decoder which was reset must be given.
    static func firstPacket(
        for packet: Int64, format: AudioStreamBasicDescription, index: CAFPacketIndex?
    ) -> Int64 {
        if format.isMPEGAudio, let index { return firstMPEGPacket(for: Int(packet), index: index) }
        return max(packet - packets(of: format), 0)
    }

    private static func packets(of format: AudioStreamBasicDescription) -> Int64 {
        switch format.mFormatID {
        // Every packet of these stands by itself.
        case kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAppleLossless,
            kAudioFormatAppleIMA4, kAudioFormatFLAC:
            return 0
        // The windows of a transform overlap with one packet; the second is for the shape of its window.
        case kAudioFormatMPEG4AAC: return 2
        // Spectral band replication also keeps what it was told and what it filtered.
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: return 8
        case kAudioFormatOpus:
            // RFC 7845, section 4.6: 80 ms let the decoder converge.
            let frames = max(Double(format.mFramesPerPacket), 120)
            return Int64((0.08 * format.mSampleRate / frames).rounded(.up))
        default: return 4
        }
    }

    /// The synthesis window spans the packet and, in the shortest ones, two before it; the oldest of these needs
    /// the main data in front of it. As the synthesis goes round with 16 steps of 32 frames, only every eighth
    /// packet stands where the first one did.
    private static func firstMPEGPacket(for packet: Int, index: CAFPacketIndex) -> Int64 {
        var first = max(packet - 2, 0)
        var missing = reservoirBytes
        while missing > 0, first > 0 {
            first -= 1
            let bytes = index.packet(at: index.place(of: first))?.bytes ?? 0
            missing -= max(bytes - overheadBytes, 0)
        }
        return Int64(first / 8 * 8)
    }

    /// How far back main data may begin (ISO 11172-3, 2.4.2.7), and the most that a packet has beside it.
    private static let reservoirBytes: Int64 = 511
    private static let overheadBytes: Int64 = 38
}
