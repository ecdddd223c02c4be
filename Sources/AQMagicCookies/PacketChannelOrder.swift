// SPDX-License-Identifier: MIT

package import CoreAudioTypes

/// The order of channels in packets of AAC and Apple Lossless.
package enum PacketChannelOrder {
    /// The layout tag for a number of channels; nil for one and two in the usual order, and for other numbers.
    package static func tag(channels: Int, of codec: AudioFormatID) -> AudioChannelLayoutTag? {
        switch channels {
        case 3: kAudioChannelLayoutTag_AAC_3_0
        case 4: kAudioChannelLayoutTag_AAC_4_0
        case 5: kAudioChannelLayoutTag_AAC_5_0
        case 6: kAudioChannelLayoutTag_AAC_5_1
        case 7: kAudioChannelLayoutTag_AAC_6_1
        case 8 where codec == kAudioFormatAppleLossless: kAudioChannelLayoutTag_AAC_7_1
        // QUIRK: encoders and decoders use this order, with no more front channels than 5.1.
        case 8: kAudioChannelLayoutTag_AAC_7_1_B
        default: nil
        }
    }
}
