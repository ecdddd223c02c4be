// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes

/// Layouts for numbers of channels.
enum ChannelOrder {
    /// The layout that a number of channels usually has; nil for one and two, which need none.
    static func usual(channels: Int) -> AVAudioChannelLayout? {
        guard channels > 2 else { return nil }
        let labels = ChannelLabels.defaults(channels: channels)
        return ChannelLayoutTags.tag(of: labels).flatMap { AVAudioChannelLayout(layoutTag: $0) }
            ?? discrete(channels: channels)
    }

    /// A layout of channels without use.
    static func discrete(channels: Int) -> AVAudioChannelLayout? {
        AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channels))
    }
}

extension AVAudioChannelLayout {
    /// Whether every channel is one of a loudspeaker, so that channels of two layouts can be mixed by their places.
    var hasOnlySpeakers: Bool {
        channels.labels.allSatisfy {
            kAudioChannelLabel_Left...kAudioChannelLabel_RightTopRear ~= $0 || $0 == kAudioChannelLabel_Mono
        }
    }
}
