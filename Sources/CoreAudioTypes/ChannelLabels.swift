// SPDX-License-Identifier: MIT

/// The channel labels of a stream without a layout, and the relation of labels to WAVE channel masks.
public enum ChannelLabels {
    /// Returns the labels of `channels` channels in the order of a WAVE file: 1 mono, 2 left and right, 6 left,
    /// right, centre, LFE and two surrounds. More than 8 channels are only numbered. Empty for fewer than 1.
    public static func defaults(channels: Int) -> [AudioChannelLabel] {
        let left = kAudioChannelLabel_Left
        let right = kAudioChannelLabel_Right
        let front = [left, right, kAudioChannelLabel_Center]
        let surround = [kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround]
        let sides = [kAudioChannelLabel_LeftSurroundDirect, kAudioChannelLabel_RightSurroundDirect]
        let lfe = [kAudioChannelLabel_LFEScreen]
        return switch channels {
        case ...0: []
        case 1: [kAudioChannelLabel_Mono]
        case 2: [left, right]
        case 3: front
        case 4: [left, right] + surround
        case 5: front + surround
        case 6: front + lfe + surround
        case 7: front + lfe + [kAudioChannelLabel_CenterSurround] + sides
        case 8: front + lfe + surround + sides
        default: discrete(channels: channels)
        }
    }

    /// Returns labels with numbers only, starting at 0.
    public static func discrete(channels: Int) -> [AudioChannelLabel] {
        (0..<max(channels, 0)).map {
            kAudioChannelLabel_Discrete_0 | AudioChannelLabel(truncatingIfNeeded: $0 & 0xFFFF)
        }
    }

    /// Returns the labels of the speakers in a WAVE channel mask, in the order of its bits.
    ///
    /// - Parameter mask: The channel mask. Bits other than the 18 with a speaker are ignored.
    public static func labels(ofWaveMask mask: UInt32) -> [AudioChannelLabel] {
        (0..<18).filter { mask & 1 << $0 != 0 }.map { $0 + 1 }
    }

    /// Returns the WAVE channel mask of `labels`; nil if a label has no bit, or the bits are not in ascending order.
    ///
    /// If both surrounds and both rear surrounds are present, the surrounds have the bits of the side channels, and the
    /// rear surrounds those of the back channels.
    public static func waveMask(of labels: [AudioChannelLabel]) -> UInt32? {
        let hasRear = placesBesideRear.keys.allSatisfy(labels.contains)
        var mask: UInt32 = 0
        for label in labels {
            let label = hasRear ? placesBesideRear[label] ?? label : label
            guard 1...18 ~= label, mask >> (label - 1) == 0 else { return nil }
            mask |= 1 << (label - 1)
        }
        return mask
    }

    /// The labels of the mask bits that the four surrounds of 7.1 use.
    private static let placesBesideRear: [AudioChannelLabel: AudioChannelLabel] = [
        kAudioChannelLabel_RearSurroundLeft: kAudioChannelLabel_LeftSurround,
        kAudioChannelLabel_RearSurroundRight: kAudioChannelLabel_RightSurround,
        kAudioChannelLabel_LeftSurround: kAudioChannelLabel_LeftSurroundDirect,
        kAudioChannelLabel_RightSurround: kAudioChannelLabel_RightSurroundDirect,
    ]
}
