// SPDX-License-Identifier: MIT

import AudioDevices
import AudioSessions
import AudioUnits
import CAudioToolbox

/// The current devices of an I/O unit.
extension IOUnitObject {
    func currentDevice(at property: UnitProperty) throws(UnitError) -> AudioObjectID {
        try checkVoiceElement(property)
        let isMicrophone = processesVoice && property.element == 1
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

    /// Selects the device of a number. It needs a side for each enabled direction.
    func setCurrentDevice(_ number: AudioObjectID, at property: UnitProperty) throws(UnitError) {
        guard hasInput else { throw UnitError(.propertyNotWritable, "this unit follows the default device") }
        try checkVoiceElement(property)
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
        if processesVoice {
            return try setVoiceDevice(number, found, isMicrophone: property.element == 1)
        }
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

    /// A unit with voice processing has a device for each of two elements.
    private func checkVoiceElement(_ property: UnitProperty) throws(UnitError) {
        guard !processesVoice || property.element <= 1 else {
            throw UnitError(.invalidElement, "no such element")
        }
    }

    /// Makes a unit with voice processing play on a device, or capture from it.
    private func setVoiceDevice(
        _ number: AudioObjectID, _ device: HardwareDevice, isMicrophone: Bool
    ) throws(UnitError) {
        guard (isMicrophone ? device.input : device.output) != nil else {
            throw UnitError(.invalidPropertyValue, "'\(device.uid)' does not have this direction")
        }
        settings.withLock { settings in
            if isMicrophone {
                (settings.microphone, settings.sourceName) = (number, device.uid)
            } else {
                (settings.device, settings.sinkName) = (number, device.uid)
            }
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
