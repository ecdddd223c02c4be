import CoreAudioTypes

/// The lead before a packet that makes decoding produce the same output as from the start.
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
        // The transform's windows overlap with one packet; the second is needed for its window's shape.
        case kAudioFormatMPEG4AAC: return 2
        // Parameters of band replication come a few times per second, not with every packet.
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: return 16
        case kAudioFormatOpus:
            // RFC 7845, section 4.6: 80 ms let the decoder converge.
            let frames = max(Double(format.mFramesPerPacket), 120)
            return Int64((0.08 * format.mSampleRate / frames).rounded(.up))
        default: return 4
        }
    }

    /// The synthesis window spans the packet and, in the shortest ones, two packets before; the oldest of these needs
    /// the main data before it. The synthesis rotates through 16 steps of 32 frames, so only every eighth packet has
    /// the same phase as the first.
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

    /// The largest main data offset (ISO 11172-3, 2.4.2.7), and the most that a packet has besides main data.
    private static let reservoirBytes = 511
    private static let overheadBytes = 38
}
