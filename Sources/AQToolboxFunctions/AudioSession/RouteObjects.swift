// SPDX-License-Identifier: MIT

import AQSessions
import CAQAudioToolbox
import CoreFoundation

/// Routes as strings and dictionaries of CoreFoundation.
enum RouteObjects {
    /// The description of a route: the types of its inputs and outputs.
    ///
    /// - Returns: Nil if memory is insufficient.
    static func description(of route: SessionRoute) -> CFMutableDictionary? {
        guard let inputs = ports(route.input.map { $0.kind.inputType }),
            let outputs = ports(route.output.map { $0.kind.outputType })
        else { return nil }
        return dictionary([
            (kAudioSession_AudioRouteKey_Inputs, inputs), (kAudioSession_AudioRouteKey_Outputs, outputs),
        ])
    }

    /// The dictionary of a change: its reason, and both routes in the older and the newer form.
    ///
    /// - Returns: Nil if memory is insufficient.
    static func change(
        _ reason: SessionRoute.ChangeReason, from old: SessionRoute, to new: SessionRoute
    ) -> CFMutableDictionary? {
        var number = Int32(reason.published)
        guard let reason = unsafe CFNumberCreate(nil, .sInt32Type, &number),
            let oldKey = AudioFileObject.string(kAudioSession_AudioRouteChangeKey_OldRoute),
            // Programs read it, although no header names it.
            let newKey = AudioFileObject.string("OutputDeviceDidChange_NewRoute"),
            let oldName = AudioFileObject.string(old.name), let newName = AudioFileObject.string(new.name),
            let oldDescription = description(of: old), let newDescription = description(of: new)
        else { return nil }
        return dictionary([
            (kAudioSession_RouteChangeKey_Reason, reason), (oldKey, oldName), (newKey, newName),
            (kAudioSession_AudioRouteChangeKey_PreviousRouteDescription, oldDescription),
            (kAudioSession_AudioRouteChangeKey_CurrentRouteDescription, newDescription),
        ])
    }

    /// An array with the dictionary of a port, or of none.
    private static func ports(_ type: CFString?) -> CFMutableArray? {
        guard let type else { return AudioFileObject.array([]) }
        guard let port = dictionary([(kAudioSession_AudioRouteKey_Type, type)]) else { return nil }
        return AudioFileObject.array([port])
    }

    private static func dictionary(_ entries: [(key: CFString, value: AnyObject)]) -> CFMutableDictionary? {
        var keyCallbacks = kCFTypeDictionaryKeyCallBacks
        var valueCallbacks = kCFTypeDictionaryValueCallBacks
        guard let dictionary = unsafe CFDictionaryCreateMutable(nil, 0, &keyCallbacks, &valueCallbacks) else {
            return nil
        }
        for entry in entries {
            // SAFETY: the dictionary retains both objects before the local references end.
            withExtendedLifetime(entry) {
                unsafe CFDictionarySetValue(
                    dictionary, Unmanaged.passUnretained(entry.key).toOpaque(),
                    Unmanaged.passUnretained(entry.value).toOpaque())
            }
        }
        return dictionary
    }
}

extension SessionRoute.ChangeReason {
    /// The published number: a `kAudioSessionRouteChangeReason_…` constant.
    var published: UInt32 {
        switch self {
        case .unknown: kAudioSessionRouteChangeReason_Unknown
        case .newDeviceAvailable: kAudioSessionRouteChangeReason_NewDeviceAvailable
        case .oldDeviceUnavailable: kAudioSessionRouteChangeReason_OldDeviceUnavailable
        case .categoryChange: kAudioSessionRouteChangeReason_CategoryChange
        case .override: kAudioSessionRouteChangeReason_Override
        case .routeConfigurationChange: kAudioSessionRouteChangeReason_RouteConfigurationChange
        }
    }
}

extension SessionPort.Kind {
    /// The published type of an output.
    var outputType: CFString {
        switch self {
        case .builtInSpeaker, .builtInMicrophone, .headsetMicrophone, .lineIn:
            kAudioSessionOutputRoute_BuiltInSpeaker
        case .builtInReceiver: kAudioSessionOutputRoute_BuiltInReceiver
        case .headphones: kAudioSessionOutputRoute_Headphones
        case .lineOut: kAudioSessionOutputRoute_LineOut
        case .hdmi: kAudioSessionOutputRoute_HDMI
        case .airPlay: kAudioSessionOutputRoute_AirPlay
        case .bluetoothA2DP: kAudioSessionOutputRoute_BluetoothA2DP
        case .bluetoothHFP: kAudioSessionOutputRoute_BluetoothHFP
        case .usbAudio: kAudioSessionOutputRoute_USBAudio
        }
    }

    /// The published type of an input.
    var inputType: CFString {
        switch self {
        case .headsetMicrophone: kAudioSessionInputRoute_HeadsetMic
        case .lineIn: kAudioSessionInputRoute_LineIn
        case .bluetoothHFP: kAudioSessionInputRoute_BluetoothHFP
        case .usbAudio: kAudioSessionInputRoute_USBAudio
        default: kAudioSessionInputRoute_BuiltInMic
        }
    }
}

extension SessionRoute {
    /// The name of the route in the older form: one word for both directions, such as "HeadsetInOut"; empty for no
    /// route.
    ///
    /// COMPAT: programs look for the parts "Headphone" and "Headset" of these names.
    var name: String {
        switch (output?.kind, input?.kind) {
        case (nil, nil): ""
        case (nil, let input?): input.inputName
        case (let output?, nil): output.outputName
        case (.bluetoothHFP, _): "HeadsetBT"
        case (.bluetoothA2DP, _): "HeadphonesBT"
        case (.headphones, .headsetMicrophone): "HeadsetInOut"
        case (.headphones, .builtInMicrophone): "HeadphonesAndMicrophone"
        case (.builtInSpeaker, .builtInMicrophone): "SpeakerAndMicrophone"
        case (.builtInReceiver, .builtInMicrophone): "ReceiverAndMicrophone"
        case (.lineOut, .lineIn): "LineInOut"
        case (let output?, let input?): "\(input.inputName)+\(output.outputName)"
        }
    }
}

extension SessionPort.Kind {
    /// The name of a route with only this output.
    fileprivate var outputName: String {
        switch self {
        case .headphones: "Headphone"
        case .bluetoothA2DP: "HeadphonesBT"
        case .bluetoothHFP: "HeadsetBT"
        case .airPlay: "AirTunes"
        default: AudioFileObject.text(outputType)
        }
    }

    /// The name of a route with only this input.
    fileprivate var inputName: String { AudioFileObject.text(inputType) }
}
