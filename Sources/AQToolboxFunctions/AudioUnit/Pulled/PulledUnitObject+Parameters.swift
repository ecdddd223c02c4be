// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox
import Glibc

/// The parameters of the mixers, where the number of a level has the number of a channel added, and of the units that
/// change the rate and the pitch.
extension PulledUnitObject {
    private enum Parameter {
        case volume, enable, pan, rate, rateCents, pitch
        case level(channel: Int, isPeak: Bool, afterGain: Bool)
    }

    /// The levels by the first number of each; a thousand channels have numbers.
    private static let levels: [(first: AudioUnitParameterID, isPeak: Bool, afterGain: Bool)] = [
        (kMultiChannelMixerParam_PreAveragePower, false, false),
        (kMultiChannelMixerParam_PrePeakHoldLevel, true, false),
        (kMultiChannelMixerParam_PostAveragePower, false, true),
        (kMultiChannelMixerParam_PostPeakHoldLevel, true, true),
    ]

    private func parameter(numbered id: AudioUnitParameterID) -> Parameter? {
        switch (kind, id) {
        case (.varispeed, kVarispeedParam_PlaybackRate), (.timePitch, kNewTimePitchParam_Rate): return .rate
        case (.varispeed, kVarispeedParam_PlaybackCents): return .rateCents
        case (.timePitch, kNewTimePitchParam_Pitch): return .pitch
        default: break
        }
        guard kind.isMixer else { return nil }
        for level in Self.levels where level.first..<level.first + 1000 ~= id {
            return .level(
                channel: Int(id - level.first), isPeak: level.isPeak, afterGain: level.afterGain)
        }
        if kind == .stereoMixer {
            switch id {
            case kStereoMixerParam_Volume: return .volume
            case kStereoMixerParam_Pan: return .pan
            default: return nil
            }
        }
        switch id {
        case kMultiChannelMixerParam_Volume: return .volume
        case kMultiChannelMixerParam_Enable: return .enable
        case kMultiChannelMixerParam_Pan: return .pan
        default: return nil
        }
    }

    /// The parameter and the bus of a place. COMPAT: the global scope is that of the output.
    private func found(_ place: UnitProperty) throws(UnitError) -> (Parameter, PulledUnit.Bus) {
        guard let parameter = parameter(numbered: place.id) else {
            throw UnitError(.invalidParameter, "no parameter \(place.id)")
        }
        var place = place
        if place.scope == kAudioUnitScope_Global { place.scope = kAudioUnitScope_Output }
        return (parameter, try bus(at: place))
    }

    func parameter(_ place: UnitProperty) throws(UnitError) -> Float {
        let (parameter, bus) = try found(place)
        switch parameter {
        case .volume: return try engine.volume(bus)
        case .enable: return try engine.isEnabled(bus) ? 1 : 0
        case .pan:
            let pan = try engine.pan(bus)
            return kind == .stereoMixer ? (pan + 1) / 2 : pan
        case .rate: return engine.rate
        case .rateCents: return 1200 * log2(engine.rate)
        case .pitch: return engine.pitch
        case .level(let channel, let isPeak, let afterGain):
            return try engine.level(bus, channel: channel, isPeak: isPeak, afterGain: afterGain)
        }
    }

    func setParameter(_ place: UnitProperty, _ value: Float, offset: Int) throws(UnitError) {
        let (parameter, bus) = try found(place)
        switch parameter {
        case .volume: try engine.setVolume(value, bus)
        case .enable: try engine.setEnabled(value != 0, bus)
        // A stereo mixer counts positions from 0 to 1.
        case .pan: try engine.setPan(kind == .stereoMixer ? 2 * value - 1 : value, bus)
        case .rate: try engine.setRate(value)
        case .rateCents: try engine.setRate(exp2(value / 1200))
        case .pitch: try engine.setPitch(value)
        case .level: throw UnitError(.invalidParameter, "levels cannot be set")
        }
    }
}
