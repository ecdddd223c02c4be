// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
public import Foundation
import AQThreads

/// The requests of a program to the hardware. They are kept; other properties report the actual values.
extension AVAudioSession {
    // MARK: I/O buffers and format

    /// Requests a duration of I/O buffers, in seconds: that of I/O units that start later, within 64 to 4096 frames. 0
    /// withdraws the request.
    ///
    /// - Throws: ``ErrorCode/badParam`` for a negative or infinite duration, and for NaN.
    ///
    /// The corresponding C property is `kAudioSessionProperty_PreferredHardwareIOBufferDuration`.
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        try Self.require(duration.isFinite && duration >= 0, "a buffer duration of \(duration) s")
        state.core.change { $0.preferredIOBufferSeconds = duration }
    }

    /// The requested duration of I/O buffers in seconds; 0 without a request.
    public var preferredIOBufferDuration: TimeInterval { state.core.settings.preferredIOBufferSeconds }

    /// Requests a sample rate in hertz. The rate of the hardware does not change: the server converts.
    ///
    /// - Throws: ``ErrorCode/badParam`` for a negative or infinite rate, and for NaN.
    ///
    /// The corresponding C property is `kAudioSessionProperty_PreferredHardwareSampleRate`.
    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        try Self.require(sampleRate.isFinite && sampleRate >= 0, "a sample rate of \(sampleRate) Hz")
        state.core.change { $0.preferredSampleRate = sampleRate }
    }

    /// The requested sample rate in hertz; 0 without a request.
    public var preferredSampleRate: Double { state.core.settings.preferredSampleRate }

    /// Requests a number of channels of the microphone. No effect.
    ///
    /// - Throws: ``ErrorCode/badParam`` for a negative number.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try Self.require(count >= 0, "\(count) input channels")
        state.core.change { $0.preferredInputChannels = count }
    }

    /// The requested number of channels of the microphone; 0 without a request.
    public var preferredInputNumberOfChannels: Int { state.core.settings.preferredInputChannels }

    /// Requests a number of channels of the output. No effect.
    ///
    /// - Throws: ``ErrorCode/badParam`` for a negative number.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try Self.require(count >= 0, "\(count) output channels")
        state.core.change { $0.preferredOutputChannels = count }
    }

    /// The requested number of channels of the output; 0 without a request.
    public var preferredOutputNumberOfChannels: Int { state.core.settings.preferredOutputChannels }

    // MARK: Ports

    /// Requests the microphone of recordings that start later. A change of the route is reported by
    /// ``routeChangeNotification``.
    ///
    /// Waits for the server's answer, unless the request is withdrawn.
    ///
    /// - Parameter inPort: One of ``availableInputs``; nil to follow the server's default.
    /// - Throws: ``ErrorCode/resourceNotAvailable`` if the microphone has disappeared, or the port is an output;
    ///   ``ErrorCode/mediaServicesFailed`` if no server answers.
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        guard let inPort else { return state.core.change { $0.preferredInput = nil } }
        guard let devices = state.devices() else {
            throw Self.failure(
                .mediaServicesFailed, "cannot select '\(inPort.portName)': no sound server answers")
        }
        guard devices.inputs.contains(where: { $0.name == inPort.uid }) else {
            throw Self.failure(
                .resourceNotAvailable, "cannot select '\(inPort.portName)': there is no such microphone")
        }
        state.core.change { $0.preferredInput = inPort.uid }
    }

    /// The requested microphone; nil without a request, and while the microphone is missing.
    public var preferredInput: AVAudioSessionPortDescription? {
        guard let name = state.core.settings.preferredInput else { return nil }
        let device = state.devices()?.inputs.first { $0.name == name }
        return device.map { AVAudioSessionPortDescription(SessionPort(input: $0), isInput: true) }
    }

    /// Replaces the usual output by the speaker, or withdraws this. Kept without effect: the user selects the output.
    /// Never throws.
    ///
    /// The corresponding C property is `kAudioSessionProperty_OverrideAudioRoute`.
    public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        state.core.change { $0.overridesToSpeaker = portOverride == .speaker }
    }

    /// Always throws ``ErrorCode/incompatibleCategory``: the gain of a microphone belongs to the user. See
    /// ``isInputGainSettable``.
    public func setInputGain(_ gain: Float) throws {
        throw Self.failure(
            .incompatibleCategory, "cannot set the input gain: the user sets the volume of the microphone")
    }

    /// Selects a data source of the input. Ports have none, so this does nothing, and never throws.
    public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {}

    /// Selects a data source of the output. Ports have none, so this does nothing, and never throws.
    public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {}

    // MARK: Kept without effect

    /// Kept without effect. Never throws.
    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        state.preferences.withLock { $0.allowsHapticsDuringRecording = inValue }
    }

    /// The value that was set, at first false.
    public var allowHapticsAndSystemSoundsDuringRecording: Bool {
        state.preferences.withLock { $0.allowsHapticsDuringRecording }
    }

    /// Kept without effect. Never throws.
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        state.preferences.withLock { $0.avoidsInterruptionsBySystemAlerts = inValue }
    }

    /// The value that was set, at first false.
    public var prefersNoInterruptionsFromSystemAlerts: Bool {
        state.preferences.withLock { $0.avoidsInterruptionsBySystemAlerts }
    }

    /// Kept without effect. Never throws.
    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        state.preferences.withLock { $0.prefersInterruptionOnRouteDisconnect = inValue }
    }

    /// The value that was set, at first true.
    public var prefersInterruptionOnRouteDisconnect: Bool {
        state.preferences.withLock { $0.prefersInterruptionOnRouteDisconnect }
    }

    /// Kept without effect: use voice processing of the input node. Never throws.
    public func setPrefersEchoCancelledInput(_ value: Bool) throws {
        state.preferences.withLock { $0.prefersEchoCancelledInput = value }
    }

    /// The value that was set, at first false.
    public var prefersEchoCancelledInput: Bool {
        state.preferences.withLock { $0.prefersEchoCancelledInput }
    }

    /// Kept without effect. Never throws.
    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        state.preferences.withLock { $0.supportsMultichannelContent = inValue }
    }

    /// The value that was set, at first false.
    public var supportsMultichannelContent: Bool {
        state.preferences.withLock { $0.supportsMultichannelContent }
    }

    /// Kept without effect. Never throws.
    public func setAggregatedIOPreference(_ inIOType: IOType) throws {
        state.preferences.withLock { $0.ioType = inIOType }
    }

    /// Kept without effect. Never throws.
    public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
        state.preferences.withLock { $0.inputOrientation = orientation }
    }

    /// The value that was set, at first ``StereoOrientation/none``.
    public var preferredInputOrientation: StereoOrientation {
        state.preferences.withLock { $0.inputOrientation }
    }

    private static func require(_ isValid: Bool, _ request: String) throws {
        if !isValid { throw failure(.badParam, "cannot request \(request)") }
    }
}
