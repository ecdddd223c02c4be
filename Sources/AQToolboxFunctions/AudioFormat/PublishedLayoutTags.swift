// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

enum PublishedLayoutTags {
    /// The tags that define an order of this many channels, without the tags that only count channels.
    static func tags(channels: UInt32) -> [AudioChannelLayoutTag] {
        guard 1...0xFFFF ~= channels else { return [] }
        return numbers.compactMap { number in
            let tag = number << 16 | channels
            guard !counting.contains(number << 16) else { return nil }
            return ChannelLayoutTags.labels(of: tag) == nil && tag != withoutOrder ? nil : tag
        }
    }

    /// Returns whether a tag is published, with a number of channels that it can have.
    static func isPublished(_ tag: AudioChannelLayoutTag) -> Bool {
        guard tag & 0xFFFF > 0 else { return false }
        return tag == withoutOrder || ChannelLayoutTags.labels(of: tag) != nil
    }

    /// The tag of 22.2, whose published description gives no order.
    private static let withoutOrder = kAudioChannelLayoutTag_CICP_13
    /// The upper halves of the tags, from mono's to the last of the list.
    private static let numbers: ClosedRange<UInt32> = 100...219
    /// Tags that are combined with any number of channels.
    private static let counting = [
        kAudioChannelLayoutTag_DiscreteInOrder, kAudioChannelLayoutTag_HOA_ACN_SN3D,
        kAudioChannelLayoutTag_HOA_ACN_N3D,
    ]
}
