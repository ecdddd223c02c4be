// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
import AQUnits
import CAQAudioToolbox

/// The current devices of an I/O unit.
extension IOUnitObject {
    func currentDevice(at property: UnitProperty) throws(UnitError) -> AudioObjectID {
        try checkElement(property)
        let isMicrophone = followsSession && property.element == 1
        let chosen = settings.withLock { isMicrophone ? $0.microphone : $0.device }
        if let chosen { return isMicrophone ? chosen : replacingDevice ?? chosen }
        let snapshot: HardwareSnapshot
        do throws(StatusError) { snapshot = try Hardware.shared.snapshot() } catch {
            return kAudioObjectUnknown
        }
        let isInputOnly = isMicrophone || (hasInput && !engine.isEnabled(.output))
        guard let device = snapshot.defaultDevice(isInputOnly ? .input : .output) else {
            return kAudioObjectUnknown
        }
        return Hardware.shared.objects.number(of: .device(uid: device.uid))
    }

    /// The device on which a running unit plays instead of the one that the client has set.
    private var replacingDevice: AudioObjectID? {
        // With voice processing, the output plays on the server's canceller anyway.
        guard !processesVoice, let name = engine.replacingDeviceName else { return nil }
        return Hardware.shared.objects.number(of: .device(uid: name))
    }

    /// Selects the device of a number.
    ///
    /// A `HALOutput` unit needs an enabled direction that the device has. The units of the session have a loudspeaker and a
    /// microphone, and a device is the one or the other, or both: an engine enables directions later.
    func setCurrentDevice(_ number: AudioObjectID, at property: UnitProperty) throws(UnitError) {
        guard hasInput else { throw UnitError(.propertyNotWritable, "this unit follows the default device") }
        try checkElement(property)
        guard case .device(let uid)? = Hardware.shared.objects.object(numbered: number) else {
            throw UnitError(.invalidPropertyValue, "no device \(number)")
        }
        let found: HardwareDevice?
        do throws(StatusError) { found = try Hardware.shared.snapshot().device(uid) } catch {
            throw UnitError(.failedInitialization, "no sound server answers")
        }
        guard let found else { throw UnitError(.invalidPropertyValue, "device \(number) is not there") }
        let earlier = settings.withLock { $0 }
        do throws(UnitError) {
            try setCurrentDevice(number, found, at: property)
            try useDevices()
        } catch {
            settings.withLock { settings in
                (settings.device, settings.microphone) = (earlier.device, earlier.microphone)
                (settings.sinkName, settings.sourceName) = (earlier.sinkName, earlier.sourceName)
            }
            throw error
        }
    }

    private func setCurrentDevice(
        _ number: AudioObjectID, _ found: HardwareDevice, at property: UnitProperty
    ) throws(UnitError) {
        if followsSession { return try setSessionDevice(number, found, element: property.element) }
        let (usesOutput, usesInput) = (engine.isEnabled(.output), engine.isEnabled(.input))
        guard !usesOutput || found.output != nil || (usesInput && found.input != nil),
            !usesInput || found.input != nil || (usesOutput && found.output != nil)
        else { throw UnitError(.invalidPropertyValue, "'\(found.uid)' does not have the enabled direction") }
        settings.withLock { settings in
            settings.device = number
            // A device of one direction here leaves the other direction on the default device.
            if found.output != nil { settings.sinkName = found.uid }
            if found.input != nil { settings.sourceName = found.uid }
        }
    }

    /// A unit of the session has a device for each of two elements.
    private func checkElement(_ property: UnitProperty) throws(UnitError) {
        guard !followsSession || property.element <= 1 else {
            throw UnitError(.invalidElement, "no such element")
        }
    }

    /// Makes a unit of the session play on a device, capture from it, or both.
    ///
    /// Element 1 is the microphone. Element 0 is the loudspeaker, and the microphone too if the device has only that
    /// direction: programs that choose the microphone of an engine pass it there.
    private func setSessionDevice(
        _ number: AudioObjectID, _ device: HardwareDevice, element: AudioUnitElement
    ) throws(UnitError) {
        let isMicrophone = element == 1 || device.output == nil
        guard (isMicrophone ? device.input : device.output) != nil else {
            throw UnitError(.invalidPropertyValue, "'\(device.uid)' does not have this direction")
        }
        settings.withLock { settings in
            if element == 0, !isMicrophone || !processesVoice { settings.device = number }
            if !isMicrophone { settings.sinkName = device.uid }
            guard isMicrophone || (!processesVoice && device.input != nil) else { return }
            (settings.microphone, settings.sourceName) = (number, device.uid)
        }
    }

    /// Takes over what the audio session has set for new streams: the role, and the preferred microphone, if the server
    /// has it and the client has not set one.
    func adoptSession() throws(UnitError) {
        guard !engine.isInitialized else { return }
        engine.setRoles(playback: roles.playback, recording: roles.recording)
        guard followsSession else { return }
        var preferred = AudioSession.shared.settings.preferredInput
        if let name = preferred, (try? Hardware.shared.snapshot().device(name)?.input) == nil {
            preferred = nil
        }
        let isChanged = settings.withLock { settings in
            defer { settings.sessionSource = preferred }
            return settings.sessionSource != preferred
        }
        if isChanged { try useDevices() }
    }

    private func useDevices() throws(UnitError) {
        let (sink, source) = settings.withLock { ($0.sinkName, $0.sourceName ?? $0.sessionSource) }
        do {
            try engine.setDevices(
                output: deviceMakers.output(sink), input: deviceMakers.input(source),
                voiceProcessor: processesVoice ? deviceMakers.voiceProcessor(sink, source) : nil)
        } catch let error as UnitError {
            throw error
        } catch {
            throw UnitError(.failedInitialization, "\(error)")
        }
    }
}
