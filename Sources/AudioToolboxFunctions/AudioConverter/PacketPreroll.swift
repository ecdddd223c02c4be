import CAudioToolbox
import CoreAudioTypes

/// How far back a decoder has to begin, so that a packet comes out as if all before it had been decoded.
enum PacketPreroll {
    /// Packets before one, of a format; 0 for those whose packets stand alone.
    static func packets(of formatID: AudioFormatID) -> Int {
        switch formatID {
        // The transform overlaps with the packet before.
        case kAudioFormatMPEG4AAC: 1
        // So does the filter bank of what is replicated above.
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: 2
        // A packet of layer III may have bits in the 511 bytes of those before, at the lowest rates ten of them.
        case kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3: 10
        default: 0
        }
    }
}
