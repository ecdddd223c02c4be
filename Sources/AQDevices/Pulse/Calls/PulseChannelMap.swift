// SPDX-License-Identifier: MIT

import CAQPulse
import CoreAudioTypes

/// The positions of a stream's or device's channels, as PulseAudio's numbers (`pa_channel_position_t`).
struct PulseChannelMap: Equatable {
    var positions: [Int32]

    init(positions: [Int32]) { self.positions = positions }

    init(_ map: pa_channel_map) {
        positions = unsafe withUnsafeBytes(of: map.map) { bytes in
            let all = unsafe bytes.bindMemory(to: pa_channel_position_t.self)
            return unsafe all.prefix(Int(map.channels)).map { Int32($0.rawValue) }
        }
    }

    /// The map for a stream that uses channels of this map's device by their numbers, counted from 1.
    ///
    /// - Returns: Nil if the device lacks one of the channels.
    func choosing(_ numbers: [Int]) -> PulseChannelMap? {
        guard numbers.count <= SampleFormat.maximumChannels,
            numbers.allSatisfy({ $0 >= 1 && $0 <= min(positions.count, SampleFormat.maximumChannels) })
        else { return nil }
        return PulseChannelMap(positions: numbers.map { positions[$0 - 1] })
    }

    var pulse: pa_channel_map {
        var map = pa_channel_map()
        unsafe pa_channel_map_init(&map)
        map.channels = UInt8(clamping: positions.count)
        unsafe withUnsafeMutableBytes(of: &map.map) { bytes in
            let all = unsafe bytes.bindMemory(to: pa_channel_position_t.self)
            for (index, position) in positions.enumerated() where index < all.count {
                unsafe all[index] = pa_channel_position_t(rawValue: .init(position))
            }
        }
        return map
    }
}

extension SampleFormat {
    /// The PulseAudio channel map. Always explicit, because PulseAudio's defaults differ between versions.
    var pulseChannelMap: PulseChannelMap {
        PulseChannelMap(
            positions: channelLabels.enumerated().map { Int32(position(for: $1, index: $0).rawValue) })
    }

    private func position(for label: AudioChannelLabel, index: Int) -> pa_channel_position_t {
        // If there are rear surrounds, the plain surrounds are side channels. Otherwise they are rear channels, as in
        // WAVE.
        let hasRear = channelLabels.contains(kAudioChannelLabel_RearSurroundLeft)
        // QUIRK: a single channel that is not MONO plays on one speaker only.
        if channels == 1 { return PA_CHANNEL_POSITION_MONO }
        return switch label {
        case kAudioChannelLabel_Left: PA_CHANNEL_POSITION_FRONT_LEFT
        case kAudioChannelLabel_Right: PA_CHANNEL_POSITION_FRONT_RIGHT
        case kAudioChannelLabel_Center: PA_CHANNEL_POSITION_FRONT_CENTER
        case kAudioChannelLabel_LFEScreen: PA_CHANNEL_POSITION_LFE
        case kAudioChannelLabel_LeftSurround:
            hasRear ? PA_CHANNEL_POSITION_SIDE_LEFT : PA_CHANNEL_POSITION_REAR_LEFT
        case kAudioChannelLabel_RightSurround:
            hasRear ? PA_CHANNEL_POSITION_SIDE_RIGHT : PA_CHANNEL_POSITION_REAR_RIGHT
        case kAudioChannelLabel_LeftCenter: PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER
        case kAudioChannelLabel_RightCenter: PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER
        case kAudioChannelLabel_CenterSurround: PA_CHANNEL_POSITION_REAR_CENTER
        case kAudioChannelLabel_LeftSurroundDirect: PA_CHANNEL_POSITION_SIDE_LEFT
        case kAudioChannelLabel_RightSurroundDirect: PA_CHANNEL_POSITION_SIDE_RIGHT
        case kAudioChannelLabel_RearSurroundLeft: PA_CHANNEL_POSITION_REAR_LEFT
        case kAudioChannelLabel_RearSurroundRight: PA_CHANNEL_POSITION_REAR_RIGHT
        case kAudioChannelLabel_TopCenterSurround: PA_CHANNEL_POSITION_TOP_CENTER
        case kAudioChannelLabel_VerticalHeightLeft: PA_CHANNEL_POSITION_TOP_FRONT_LEFT
        case kAudioChannelLabel_VerticalHeightCenter: PA_CHANNEL_POSITION_TOP_FRONT_CENTER
        case kAudioChannelLabel_VerticalHeightRight: PA_CHANNEL_POSITION_TOP_FRONT_RIGHT
        case kAudioChannelLabel_TopBackLeft: PA_CHANNEL_POSITION_TOP_REAR_LEFT
        case kAudioChannelLabel_TopBackCenter: PA_CHANNEL_POSITION_TOP_REAR_CENTER
        case kAudioChannelLabel_TopBackRight: PA_CHANNEL_POSITION_TOP_REAR_RIGHT
        case kAudioChannelLabel_Mono: PA_CHANNEL_POSITION_FRONT_CENTER
        default:
            // The sink's channel of the same number, if any, plays an AUX position.
            pa_channel_position_t(rawValue: PA_CHANNEL_POSITION_AUX0.rawValue + Int32(index % 32))
        }
    }
}
