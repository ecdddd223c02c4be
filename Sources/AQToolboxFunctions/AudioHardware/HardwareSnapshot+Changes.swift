// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox

struct HardwareChange: Sendable, Hashable {
    var object: HardwareObject
    var selector: AudioObjectPropertySelector
    var scope: AudioObjectPropertyScope
    var element: AudioObjectPropertyElement

    init(
        _ object: HardwareObject, _ selector: AudioObjectPropertySelector,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal,
        element: AudioObjectPropertyElement = kAudioObjectPropertyElementMain
    ) {
        self.object = object
        self.selector = selector
        self.scope = scope
        self.element = element
    }

    var address: AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: element)
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
        compare(kAudioDevicePropertyDeviceIsRunning) { $0.isRunning(\.isRunningHere) }
        compare(kAudioDevicePropertyDeviceIsRunningSomewhere) { $0.isRunning(\.isRunningSomewhere) }
        for direction in HardwareDirection.allCases {
            changes += formatChanges(from: before, to: now, direction)
            if let old = before.endpoint(direction), let new = now.endpoint(direction) {
                changes += volumeChanges(from: old, to: new, object, direction.scope)
            }
            let channels = (now.endpoint(direction)?.channels, before.endpoint(direction)?.channels)
            guard channels.0 != channels.1 else { continue }
            changes.append(
                HardwareChange(object, kAudioDevicePropertyStreamConfiguration, direction.scope))
            guard channels.0 == nil || channels.1 == nil else { continue }
            changes.append(HardwareChange(object, kAudioDevicePropertyStreams, direction.scope))
        }
        let (formats, oldFormats) = (
            HardwareDirection.allCases.map { now.format($0) },
            HardwareDirection.allCases.map { before.format($0) }
        )
        if formats != oldFormats {
            changes.append(HardwareChange(object, kAudioDevicePropertyDeviceHasChanged))
        }
        return changes
    }

    /// The changes of the formats of a direction that the device had before and has now.
    private static func formatChanges(
        from before: HardwareDevice, to now: HardwareDevice, _ direction: HardwareDirection
    ) -> [HardwareChange] {
        guard let old = before.format(direction), let new = now.format(direction), old != new else {
            return []
        }
        let stream = HardwareObject.stream(uid: now.uid, direction)
        return [
            HardwareChange(.device(uid: now.uid), kAudioDevicePropertyStreamFormat, direction.scope),
            HardwareChange(stream, kAudioDevicePropertyStreamFormat),
            HardwareChange(stream, kAudioStreamPropertyPhysicalFormat),
        ]
    }

    private static func volumeChanges(
        from before: HardwareEndpoint, to now: HardwareEndpoint, _ object: HardwareObject,
        _ scope: AudioObjectPropertyScope
    ) -> [HardwareChange] {
        var changes: [HardwareChange] = []
        if now.isMuted != before.isMuted {
            changes.append(HardwareChange(object, kAudioDevicePropertyMute, scope))
        }
        let (new, old) = (now.channelVolumes, before.channelVolumes)
        guard new != old else { return changes }
        var elements: [Int] = new.max() != old.max() ? [Int(kAudioObjectPropertyElementMain)] : []
        if new.count == old.count { elements += new.indices.filter { new[$0] != old[$0] }.map { $0 + 1 } }
        for element in elements.map({ AudioObjectPropertyElement($0) }) {
            for selector in [kAudioDevicePropertyVolumeScalar, kAudioDevicePropertyVolumeDecibels] {
                changes.append(HardwareChange(object, selector, scope, element: element))
            }
        }
        if new.max() != old.max() {
            changes.append(
                HardwareChange(object, kAudioHardwareServiceDeviceProperty_VirtualMainVolume, scope))
        }
        if DeviceControl.balance(of: new) != DeviceControl.balance(of: old) {
            changes.append(
                HardwareChange(object, kAudioHardwareServiceDeviceProperty_VirtualMainBalance, scope))
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
    /// The format of a direction as a value; nil without an endpoint.
    func format(_ direction: HardwareDirection) -> HardwareValue? {
        endpoint(direction).map { .format(channels: $0.channels, sampleRate: sampleRate) }
    }

    /// Returns whether either direction runs; nil if neither reports its state.
    func isRunning(_ fact: (HardwareEndpoint) -> Bool?) -> Bool? {
        let facts = endpoints(HardwareDirection.allCases).compactMap(fact)
        return facts.isEmpty ? nil : facts.contains(true)
    }
}
