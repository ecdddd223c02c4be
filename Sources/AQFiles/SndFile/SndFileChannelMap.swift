// SPDX-License-Identifier: MIT

import CAQSndFile
import CoreAudioTypes

/// The channel maps of libsndfile, which name a speaker for each channel.
enum SndFileChannelMap {
    /// The labels of a map; the usual labels for the number of channels if the map contradicts itself.
    static func labels(of map: [CInt]) -> [AudioChannelLabel] {
        let labels = map.map(label(forPosition:))
        // If two channels have the same speaker, the map is not trusted.
        let isDistinct = Set(labels).count == labels.count
        return isDistinct && !labels.contains(kAudioChannelLabel_Unknown)
            ? labels : ChannelLabels.defaults(channels: map.count)
    }

    private static func label(forPosition position: CInt) -> AudioChannelLabel {
        switch Int(position) {
        case SF_CHANNEL_MAP_MONO: kAudioChannelLabel_Mono
        case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT: kAudioChannelLabel_Left
        case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT: kAudioChannelLabel_Right
        case SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_FRONT_CENTER: kAudioChannelLabel_Center
        case SF_CHANNEL_MAP_REAR_CENTER: kAudioChannelLabel_CenterSurround
        case SF_CHANNEL_MAP_REAR_LEFT: kAudioChannelLabel_LeftSurround
        case SF_CHANNEL_MAP_REAR_RIGHT: kAudioChannelLabel_RightSurround
        case SF_CHANNEL_MAP_LFE: kAudioChannelLabel_LFEScreen
        case SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER: kAudioChannelLabel_LeftCenter
        case SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER: kAudioChannelLabel_RightCenter
        case SF_CHANNEL_MAP_SIDE_LEFT: kAudioChannelLabel_LeftSurroundDirect
        case SF_CHANNEL_MAP_SIDE_RIGHT: kAudioChannelLabel_RightSurroundDirect
        case SF_CHANNEL_MAP_TOP_CENTER: kAudioChannelLabel_TopCenterSurround
        case SF_CHANNEL_MAP_TOP_FRONT_LEFT: kAudioChannelLabel_VerticalHeightLeft
        case SF_CHANNEL_MAP_TOP_FRONT_RIGHT: kAudioChannelLabel_VerticalHeightRight
        case SF_CHANNEL_MAP_TOP_FRONT_CENTER: kAudioChannelLabel_VerticalHeightCenter
        case SF_CHANNEL_MAP_TOP_REAR_LEFT: kAudioChannelLabel_TopBackLeft
        case SF_CHANNEL_MAP_TOP_REAR_RIGHT: kAudioChannelLabel_TopBackRight
        case SF_CHANNEL_MAP_TOP_REAR_CENTER: kAudioChannelLabel_TopBackCenter
        case SF_CHANNEL_MAP_AMBISONIC_B_W: kAudioChannelLabel_Ambisonic_W
        case SF_CHANNEL_MAP_AMBISONIC_B_X: kAudioChannelLabel_Ambisonic_X
        case SF_CHANNEL_MAP_AMBISONIC_B_Y: kAudioChannelLabel_Ambisonic_Y
        case SF_CHANNEL_MAP_AMBISONIC_B_Z: kAudioChannelLabel_Ambisonic_Z
        default: kAudioChannelLabel_Unknown
        }
    }
}
