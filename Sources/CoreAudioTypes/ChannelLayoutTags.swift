// SPDX-License-Identifier: MIT

/// The relation of layout tags to channel labels.
public enum ChannelLayoutTags {
    /// Returns the label of each channel of a layout, in the order of the samples.
    ///
    /// Nil for unknown tags and for those that announce a bitmap or descriptions. A tag that only states a number of
    /// channels (`kAudioChannelLayoutTag_DiscreteInOrder`, `…_Unknown` and the `…_HOA_` tags) has that many labels.
    public static func labels(of tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? {
        let channels = AudioChannelLayoutTag_GetNumberOfChannels(tag)
        switch tag & 0xFFFF_0000 {
        case kAudioChannelLayoutTag_DiscreteInOrder: return ChannelLabels.discrete(channels: Int(channels))
        case kAudioChannelLayoutTag_Unknown:
            return Array(repeating: kAudioChannelLabel_Unknown, count: Int(channels))
        case kAudioChannelLayoutTag_HOA_ACN_SN3D:
            return (0..<channels).map { kAudioChannelLabel_HOA_SN3D | $0 }
        case kAudioChannelLayoutTag_HOA_ACN_N3D: return (0..<channels).map { kAudioChannelLabel_HOA_N3D | $0 }
        default: return labelsByTag[tag]
        }
    }

    /// Returns the tag whose channels are `labels` in this order; if several match, the first in the published
    /// headers. Nil if no tag with a fixed order matches, or there are no labels.
    public static func tag(of labels: [AudioChannelLabel]) -> AudioChannelLayoutTag? {
        ChannelLayoutTable.orders.first { labelsByTag[$0.tag] == labels }?.tag
    }

    private static let labelsByTag: [AudioChannelLayoutTag: [AudioChannelLabel]] = {
        var result: [AudioChannelLayoutTag: [AudioChannelLabel]] = [:]
        for (tag, speakers) in ChannelLayoutTable.orders {
            result[tag] = speakers.split(separator: " ").map {
                ChannelLayoutTable.labels[String($0)] ?? kAudioChannelLabel_Unknown
            }
        }
        return result
    }()
}
