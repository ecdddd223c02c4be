// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CAQAudioToolbox

/// Makes an instance of a component.
///
/// - Throws: `kAudioComponentErr_UnsupportedType` for a component that is not implemented; the device's error, for
///   example in a forked child.
func makeUnitInstance(
    of entry: AudioComponentEntry, _ component: AudioComponent
) throws(StatusError) -> UnitInstance {
    if let kind = pulledUnitKind(entry.description.componentSubType) {
        return unsafe instance(PulledUnitObject(kind), component)
    }
    do throws(DeviceError) {
        switch entry.description.componentSubType {
        case kAudioUnitSubType_HALOutput: return unsafe instance(try IOUnitObject(.halOutput), component)
        case kAudioUnitSubType_RemoteIO: return unsafe instance(try IOUnitObject(.remoteIO), component)
        case kAudioUnitSubType_VoiceProcessingIO:
            return unsafe instance(try IOUnitObject(.voiceProcessing), component)
        case kAudioUnitSubType_DefaultOutput:
            return unsafe instance(try IOUnitObject(.defaultOutput), component)
        case kAudioUnitSubType_SystemOutput:
            return unsafe instance(try IOUnitObject(.systemOutput), component)
        default: break
        }
    } catch {
        throw StatusError(error)
    }
    throw StatusError(kAudioComponentErr_UnsupportedType)
}

private func pulledUnitKind(_ subtype: UInt32) -> PulledUnitObject.Kind? {
    switch subtype {
    case kAudioUnitSubType_GenericOutput: .genericOutput
    case kAudioUnitSubType_AUConverter: .converter
    case kAudioUnitSubType_Varispeed: .varispeed
    case kAudioUnitSubType_NewTimePitch: .timePitch
    case kAudioUnitSubType_MultiChannelMixer: .multiChannelMixer
    case kAudioUnitSubType_StereoMixer: .stereoMixer
    default: nil
    }
}

private func instance(_ unit: PulledUnitObject, _ component: AudioComponent) -> UnitInstance {
    let instance = unsafe UnitInstance(unit, component)
    unit.setListener { [weak instance] property in instance?.notify(property) }
    return instance
}

private func instance(_ unit: IOUnitObject, _ component: AudioComponent) -> UnitInstance {
    let instance = unsafe UnitInstance(unit, component)
    unit.setListener { [weak instance] property in instance?.notify(property) }
    return instance
}
