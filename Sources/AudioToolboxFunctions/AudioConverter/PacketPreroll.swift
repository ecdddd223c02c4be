import CAudioToolbox
import CoreAudioTypes

/// The number of packets that have to be decoded before a packet, so that it is decoded as in a continuous
/// stream.
enum PacketPreroll {
    /// The number of packets before one, for a format; 0 if packets are independent.
    static func packets(of formatID: AudioFormatID) -> Int {
        switch formatID {
        // The transform overlaps with the packet before.
        case kAudioFormatMPEG4AAC: 1
        // The filter bank of the replicated band overlaps, too.
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: 2
        // A packet of layer III may have bits in the 511 bytes before it: at the lowest rates ten packets.
        case kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3: 10
        default: 0
        }
    }
}
