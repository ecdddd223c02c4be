import CPulse
import CoreAudioTypes

extension SampleFormat {
    /// The channel map in words that PulseAudio knows, always explicit: its defaults differ between versions.
    var pulseChannelMap: pa_channel_map {
        var map = pa_channel_map()
        unsafe pa_channel_map_init(&map)
        map.channels = UInt8(channels)
        unsafe withUnsafeMutableBytes(of: &map.map) { bytes in
            let positions = unsafe bytes.bindMemory(to: pa_channel_position_t.self)
            for (index, label) in channelLabels.enumerated() where index < positions.count {
                unsafe positions[index] = position(for: label, index: index)
            }
        }
        return map
    }

    private func position(for label: AudioChannelLabel, index: Int) -> pa_channel_position_t {
        // Beside rear surrounds, the plain ones stand at the sides; alone, they stand behind, as in WAVE.
        let hasRear = channelLabels.contains(kAudioChannelLabel_RearSurroundLeft)
        // QUIRK: a lone channel that is not MONO goes to one speaker only.
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
            // AUX positions are played by the sink's channel of the same number, if it has one.
            pa_channel_position_t(rawValue: PA_CHANNEL_POSITION_AUX0.rawValue + Int32(index % 32))
        }
    }
}

extension pa_channel_map {
    /// The map for a stream whose channels are to be the ones of these numbers, counted from 1, of the device whose map
    /// this is.
    ///
    /// - Returns: Nil if the device lacks one of them.
    func choosing(_ numbers: [Int]) -> pa_channel_map? {
        let device = self
        let ownChannels = min(Int(channels), SampleFormat.maximumChannels)
        guard numbers.count <= SampleFormat.maximumChannels,
            numbers.allSatisfy({ $0 >= 1 && $0 <= ownChannels })
        else { return nil }
        var chosen = pa_channel_map()
        unsafe pa_channel_map_init(&chosen)
        chosen.channels = UInt8(numbers.count)
        unsafe withUnsafeBytes(of: device.map) { source in
            let own = unsafe source.bindMemory(to: pa_channel_position_t.self)
            unsafe withUnsafeMutableBytes(of: &chosen.map) { target in
                let positions = unsafe target.bindMemory(to: pa_channel_position_t.self)
                for (index, number) in numbers.enumerated() {
                    unsafe positions[index] = own[number - 1]
                }
            }
        }
        return chosen
    }
}
