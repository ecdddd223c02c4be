// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
public import Foundation

/// The devices of the session. Each property queries the server, and waits for its answer.
extension AVAudioSession {
    // MARK: The route

    /// The ports that the session uses: the default devices in the directions of the category, and the requested
    /// microphone instead of the default one. Empty without a server.
    ///
    /// The corresponding C property is `kAudioSessionProperty_AudioRouteDescription`.
    public var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription(state.route())
    }

    /// The microphones, without monitors; empty if the category does not record; nil without a server.
    public var availableInputs: [AVAudioSessionPortDescription]? {
        guard state.core.settings.category.usesInput else { return [] }
        return state.devices()?.inputs.map {
            AVAudioSessionPortDescription(SessionPort(input: $0), isInput: true)
        }
    }

    /// Whether there is a microphone.
    ///
    /// The corresponding C property is `kAudioSessionProperty_AudioInputAvailable`.
    public var isInputAvailable: Bool { state.input() != nil }

    // MARK: Format and time

    /// The sample rate of the hardware in hertz: that of the output if the category has one, otherwise of the input;
    /// 44,100 without devices.
    ///
    /// The corresponding C property is `kAudioSessionProperty_CurrentHardwareSampleRate`.
    public var sampleRate: Double { hardwareRate ?? 44_100 }

    /// The duration of an I/O buffer of an I/O unit that starts now, in seconds.
    ///
    /// The corresponding C property is `kAudioSessionProperty_CurrentHardwareIOBufferDuration`.
    public var ioBufferDuration: TimeInterval {
        state.core.settings.ioBufferSeconds(sampleRate: hardwareRate ?? 0)
    }

    private var hardwareRate: Double? {
        let settings = state.core.settings
        guard let devices = state.devices() else { return nil }
        if settings.category.usesInput, !settings.category.usesOutput,
            let input = devices.selectedInput(preferring: settings.preferredInput)
        {
            return input.sampleRate
        }
        return devices.sampleRate(for: settings.category)
    }

    /// The latency between the microphone and the server in seconds; 0 if it is unknown.
    ///
    /// The corresponding C property is `kAudioSessionProperty_CurrentHardwareInputLatency`.
    public var inputLatency: TimeInterval { Self.latency(of: state.input()) }

    /// The latency between the server and the speaker in seconds; 0 if it is unknown.
    ///
    /// The corresponding C property is `kAudioSessionProperty_CurrentHardwareOutputLatency`.
    public var outputLatency: TimeInterval { Self.latency(of: state.devices()?.output) }

    private static func latency(of device: DeviceInfo?) -> TimeInterval {
        guard let device, device.sampleRate > 0, let frames = device.facts?.latencyFrames else { return 0 }
        return Double(frames) / device.sampleRate
    }

    // MARK: Channels

    /// The channels of the microphone; 0 without one.
    ///
    /// The corresponding C property is `kAudioSessionProperty_CurrentHardwareInputNumberChannels`.
    public var inputNumberOfChannels: Int { state.input()?.channels ?? 0 }

    /// The channels of the output; 0 without one.
    ///
    /// The corresponding C property is `kAudioSessionProperty_CurrentHardwareOutputNumberChannels`.
    public var outputNumberOfChannels: Int { state.devices()?.output?.channels ?? 0 }

    /// As ``inputNumberOfChannels``.
    public var maximumInputNumberOfChannels: Int { inputNumberOfChannels }

    /// As ``outputNumberOfChannels``.
    public var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }

    // MARK: Volume

    /// The user's volume of the output, 0 to 1; 1 if it is unknown.
    ///
    /// The corresponding C property is `kAudioSessionProperty_CurrentHardwareOutputVolume`.
    public var outputVolume: Float { Float(state.devices()?.outputVolume ?? 1) }

    /// The user's volume of the microphone, 0 to 1; 1 if it is unknown.
    public var inputGain: Float { Float(min(max(state.input()?.facts?.volume ?? 1, 0), 1)) }

    /// Always false: the gain of a microphone belongs to the user.
    ///
    /// The corresponding C property is `kAudioSessionProperty_InputGainAvailable`.
    public var isInputGainSettable: Bool { false }

    // MARK: Other programs

    /// Whether other programs play on the output. Not detected while this program plays, too: then false.
    public var isOtherAudioPlaying: Bool {
        guard let facts = state.devices()?.output?.facts else { return false }
        return facts.isRunning && !facts.isUsedHere
    }

    /// As ``isOtherAudioPlaying``. No notification reports a change.
    public var secondaryAudioShouldBeSilencedHint: Bool { isOtherAudioPlaying }

    // MARK: Without a counterpart

    /// Always ``PromptStyle/normal``.
    public var promptStyle: PromptStyle { .normal }
    /// Always nil.
    public var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// Always nil.
    public var inputDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// Always nil.
    public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// Always nil.
    public var outputDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// Always ``StereoOrientation/none``.
    public var inputOrientation: StereoOrientation { .none }
    /// Always ``RenderingMode/notApplicable``.
    public var renderingMode: RenderingMode { .notApplicable }
    /// Always false.
    public var isEchoCancelledInputEnabled: Bool { false }
    /// Always false.
    public var isEchoCancelledInputAvailable: Bool { false }
}
