// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// The number of packets that have to be decoded before a packet to get the output of a continuous stream.
enum PacketPreroll {
    /// The number of packets to decode before a packet of a format; 0 if packets are independent.
    static func packets(of formatID: AudioFormatID) -> Int {
        switch formatID {
        // The transform overlaps with the previous packet.
        case kAudioFormatMPEG4AAC: 1
        // The filter bank of the replicated band overlaps, too.
        case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: 2
        // The bit reservoir of layer III has up to 511 bytes: ten packets at the lowest rates.
        case kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3: 10
        default: 0
        }
    }
}
