// SPDX-License-Identifier: MIT

import CAudioToolbox

struct HardwareChange: Sendable, Hashable {
    var object: HardwareObject
    var selector: AudioObjectPropertySelector
    var scope: AudioObjectPropertyScope

    init(
        _ object: HardwareObject, _ selector: AudioObjectPropertySelector,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) {
        self.object = object
        self.selector = selector
        self.scope = scope
    }

    var address: AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(
            mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
    }
}

extension HardwareSnapshot {
    /// The changes from `old` to this snapshot, the list of devices first.
    ///
    /// A device that has appeared is reported as alive, for clients that know its number from before it
    /// disappeared.
    func changes(since old: HardwareSnapshot) -> [HardwareChange] {
        var changes: [HardwareChange] = []
        if Set(devices.map(\.uid)) != Set(old.devices.map(\.uid)) {
            changes.append(HardwareChange(.system, kAudioHardwarePropertyDevices))
        }
        if defaultDevice(.output)?.uid != old.defaultDevice(.output)?.uid {
            changes.append(HardwareChange(.system, kAudioHardwarePropertyDefaultOutputDevice))
            // System sounds have no separate device here.
            changes.append(HardwareChange(.system, kAudioHardwarePropertyDefaultSystemOutputDevice))
        }
        if defaultDevice(.input)?.uid != old.defaultDevice(.input)?.uid {
            changes.append(HardwareChange(.system, kAudioHardwarePropertyDefaultInputDevice))
        }
        for before in old.devices {
            changes += HardwareSnapshot.changes(from: before, to: device(before.uid))
        }
        for now in devices where old.device(now.uid) == nil {
            changes.append(HardwareChange(.device(uid: now.uid), kAudioDevicePropertyDeviceIsAlive))
        }
        return changes
    }

    private static func changes(from before: HardwareDevice, to now: HardwareDevice?) -> [HardwareChange] {
        let object = HardwareObject.device(uid: before.uid)
        guard let now else { return [HardwareChange(object, kAudioDevicePropertyDeviceIsAlive)] }
        guard now != before else { return [] }
        var changes: [HardwareChange] = []
        func compare<Value: Equatable>(
            _ selector: AudioObjectPropertySelector, _ value: (HardwareDevice) -> Value
        ) {
            if value(now) != value(before) { changes.append(HardwareChange(object, selector)) }
        }
        compare(kAudioObjectPropertyName) { $0.mainEndpoint([])?.name }
        compare(kAudioDevicePropertyNominalSampleRate) { $0.mainEndpoint([])?.sampleRate }
        compare(kAudioDevicePropertyAvailableNominalSampleRates) { $0.mainEndpoint([])?.sampleRate }
        // The latency is not compared, because it differs in every snapshot.
        compare(kAudioDevicePropertyBufferFrameSize) { $0.mainEndpoint([])?.bufferFrames }
        compare(kAudioDevicePropertyDeviceIsRunning) { $0.isRunning(\.isRunningHere) }
        compare(kAudioDevicePropertyDeviceIsRunningSomewhere) { $0.isRunning(\.isRunningSomewhere) }
        for direction in HardwareDirection.allCases {
            let channels = (now.endpoint(direction)?.channels, before.endpoint(direction)?.channels)
            guard channels.0 != channels.1 else { continue }
            changes.append(
                HardwareChange(object, kAudioDevicePropertyStreamConfiguration, direction.scope))
            guard channels.0 == nil || channels.1 == nil else { continue }
            changes.append(HardwareChange(object, kAudioDevicePropertyStreams, direction.scope))
        }
        return changes
    }
}

extension HardwareDirection {
    var scope: AudioObjectPropertyScope {
        switch self {
        case .output: kAudioObjectPropertyScopeOutput
        case .input: kAudioObjectPropertyScopeInput
        }
    }
}

extension HardwareDevice {
    /// Returns whether either direction runs; nil if neither reports its state.
    func isRunning(_ fact: (HardwareEndpoint) -> Bool?) -> Bool? {
        let facts = endpoints(HardwareDirection.allCases).compactMap(fact)
        return facts.isEmpty ? nil : facts.contains(true)
    }
}
