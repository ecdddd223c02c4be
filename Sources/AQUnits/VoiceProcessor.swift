// SPDX-License-Identifier: MIT

public import AQDevices
import CoreAudioTypes
import Glibc
import AQThreads

/// The maker of the devices of a unit whose captured audio is free of echo: a sink and a source that belong together.
public struct VoiceProcessor: Sendable {
    /// The devices, which exist as long as `reference`.
    public struct Devices: Sendable {
        public var output: any OutputDevice
        public var input: any InputDevice
        public var reference: any AnyObject & Sendable

        public init(
            output: any OutputDevice, input: any InputDevice, reference: any AnyObject & Sendable
        ) {
            self.output = output
            self.input = input
            self.reference = reference
        }
    }

    /// Makes the devices; waits for the server.
    ///
    /// - Parameters:
    ///   - controlsGain: Whether speech is kept at a constant level.
    ///   - sampleRate: The rate of the speech, in hertz.
    ///   - whenLost: Called once if the server restarts without the devices, on a thread that it must not block.
    public var makeDevices: Maker

    public typealias Maker =
        @Sendable (
            _ controlsGain: Bool, _ sampleRate: Double, _ whenLost: @escaping @Sendable () -> Void
        ) throws(DeviceError) -> Devices

    public init(_ makeDevices: @escaping Maker) { self.makeDevices = makeDevices }

    /// The echo canceller of a server.
    ///
    /// - Parameters:
    ///   - sink: The name of the loudspeaker; nil for the server's default.
    ///   - source: The name of the microphone; nil for the server's default.
    ///   - server: The server's address; nil for the server that libpulse selects.
    public static func server(sink: String?, source: String?, server: String? = nil) -> VoiceProcessor {
        VoiceProcessor { (controlsGain, sampleRate, whenLost) throws(DeviceError) in
            let pair = try EchoCancelledDevices(
                EchoCancelledDevices.Settings(
                    sink: sink, source: source, server: server, controlsGain: controlsGain,
                    sampleRate: sampleRate), whenLost: whenLost)
            return Devices(
                output: try PulseDevice(sink: pair.sinkName, server: server),
                input: try PulseSource(source: pair.sourceName, server: server), reference: pair)
        }
    }
}

/// Voice processing of a unit.
extension IOUnit {
    /// Whether captured audio is passed on as the microphone captures it, echo included.
    public var isVoiceProcessingBypassed: Bool { state.withLock { $0.settings.bypassesVoice } }

    /// Sets whether captured audio is passed on as the microphone captures it. A running unit is interrupted for a
    /// moment, because its streams use other devices.
    ///
    /// - Throws: ``UnitError/Code/failedInitialization`` if the server cannot cancel echo; the unit is then stopped.
    public func setVoiceProcessingBypassed(_ isBypassed: Bool) throws(UnitError) {
        guard isBypassed != isVoiceProcessingBypassed else { return }
        try changeRunning { $0.bypassesVoice = isBypassed }
    }

    /// Whether the server keeps speech at a constant level.
    public var controlsVoiceGain: Bool { state.withLock { $0.settings.controlsVoiceGain } }

    /// Sets whether the server keeps speech at a constant level. A running unit is interrupted for a moment.
    ///
    /// - Throws: As ``setVoiceProcessingBypassed(_:)``.
    public func setControlsVoiceGain(_ isOn: Bool) throws(UnitError) {
        guard isOn != controlsVoiceGain else { return }
        try changeRunning { $0.controlsVoiceGain = isOn }
    }

    /// Whether captured audio is replaced by silence.
    public var isInputMuted: Bool {
        get { hooks.isInputMuted }
        set { hooks.isInputMuted = newValue }
    }

    /// Makes the devices of the voice processor, and releases them. Waits for the server.
    ///
    /// - Throws: ``UnitError/Code/propertyNotInUse`` if the server cannot cancel echo, or does not answer.
    public func checkVoiceProcessing() throws(UnitError) {
        do throws(DeviceError) {
            _ = try state.withLock { $0.settings }.voiceDevices {}
        } catch {
            throw UnitError(.propertyNotInUse, error.message)
        }
    }

    /// The time between attempts to make the devices of a server that has restarted: at first, and at most.
    private static let renewalMicroseconds: (first: UInt32, longest: UInt32) = (100_000, 1_000_000)

    /// Makes the devices of the voice processor and the streams again, on a thread of its own, after the server has
    /// restarted without them. Tries until that succeeds or the unit is uninitialized.
    func renewVoiceProcessing() {
        _ = DetachedThread.start(named: "aq voice") { [weak self] in
            var wait = Self.renewalMicroseconds.first
            // A server answers before it has all of its devices.
            while let self, state.withLock({ $0.isInitialized }) {
                do {
                    let devices = try state.withLock { $0.settings }.voiceDevices {}
                    if devices != nil { try changeRunning { _ in } }
                    withExtendedLifetime(devices) {}
                    return changed(.device)
                } catch {
                    usleep(wait)
                    wait = min(2 * wait, Self.renewalMicroseconds.longest)
                }
            }
        }
    }
}

extension IOUnit.Settings {
    /// The devices of voice processing; nil if the unit has none, or does not use it now.
    ///
    /// - Parameter whenLost: As of ``VoiceProcessor/makeDevices``.
    func voiceDevices(
        _ whenLost: @escaping @Sendable () -> Void
    ) throws(DeviceError) -> VoiceProcessor.Devices? {
        guard let voiceProcessor, isInputEnabled, !bypassesVoice else { return nil }
        return try voiceProcessor.makeDevices(controlsVoiceGain, inputFormat.mSampleRate, whenLost)
    }
}
