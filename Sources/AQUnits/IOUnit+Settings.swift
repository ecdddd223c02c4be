// SPDX-License-Identifier: MIT

public import AQDevices
public import CoreAudioTypes

/// The settings of a unit.
extension IOUnit {
    struct Settings {
        var isOutputEnabled = true
        var isInputEnabled = false
        var outputFormat = IOUnit.usualFormat
        var inputFormat = IOUnit.usualFormat
        var outputLabels: [AudioChannelLabel] = []
        var inputLabels: [AudioChannelLabel] = []
        var outputMap: [Int]?
        var inputMap: [Int]?
        var outputDevice: (any OutputDevice)?
        var inputDevice: (any InputDevice)?
        var maximumFrames = IOUnit.usualFrames
        /// The length of a slice that the client has set.
        var bufferFrames: Int?
        /// The length without such a setting, for a device of a sample rate; nil for the usual one.
        var preferredBufferFrames: (@Sendable (_ sampleRate: Double) -> Int?)?
        var voiceProcessor: VoiceProcessor?
        var bypassesVoice = false
        var controlsVoiceGain = true
        var lendsMemory = true
        var volume: Float = 1
        var playbackRole: StreamRole?
        var recordingRole: StreamRole?
        var name: String?
    }

    /// The length of a slice before it is set, in frames of the device, and the largest slice.
    public static let usualFrames = 512
    /// The lengths of slices that can be set.
    public static let bufferFramesRange = 64...4096
    /// The format of a client's side before it is set.
    public static var usualFormat: AudioStreamBasicDescription {
        .float(isInterleaved: false, channels: 2, sampleRate: 44_100)
    }

    // MARK: Directions

    public func isEnabled(_ side: Side) -> Bool {
        state.withLock { side == .output ? $0.settings.isOutputEnabled : $0.settings.isInputEnabled }
    }

    /// Enables or disables a direction: initially the output only.
    ///
    /// - Throws: ``UnitError/Code/initialized``.
    public func setEnabled(_ isOn: Bool, _ side: Side) throws(UnitError) {
        try change { settings in
            if side == .output { settings.isOutputEnabled = isOn } else { settings.isInputEnabled = isOn }
        }
    }

    /// Whether the unit has a device for a direction.
    public func hasDevice(_ side: Side) -> Bool {
        state.withLock {
            side == .output ? $0.settings.outputDevice != nil : $0.settings.inputDevice != nil
        }
    }

    // MARK: Formats

    /// The format of the client's side: what the client renders, or gets.
    public func clientFormat(_ side: Side) -> AudioStreamBasicDescription {
        state.withLock { side == .output ? $0.settings.outputFormat : $0.settings.inputFormat }
    }

    /// Sets the format of the client's side: any linear PCM of up to 32 channels and 384 kHz. The server converts the
    /// rate.
    ///
    /// - Throws: ``UnitError/Code/formatNotSupported``; ``UnitError/Code/initialized`` while the unit runs.
    public func setClientFormat(_ format: AudioStreamBasicDescription, _ side: Side) throws(UnitError) {
        _ = try ClientFormat(format)
        try changeAndRemake { settings in
            if side == .output { settings.outputFormat = format } else { settings.inputFormat = format }
        }
        changed(.format(side))
    }

    /// The labels of the client's channels; empty for those of the number of channels.
    public func channelLabels(_ side: Side) -> [AudioChannelLabel] {
        state.withLock { side == .output ? $0.settings.outputLabels : $0.settings.inputLabels }
    }

    /// Sets the labels of the client's channels. They count if there are as many as channels.
    ///
    /// - Throws: ``UnitError/Code/initialized`` while the unit runs.
    public func setChannelLabels(_ labels: [AudioChannelLabel], _ side: Side) throws(UnitError) {
        try changeAndRemake { settings in
            if side == .output { settings.outputLabels = labels } else { settings.inputLabels = labels }
        }
    }

    // MARK: Slices

    /// The largest number of frames in a call.
    public var maximumFrames: Int { state.withLock { $0.settings.maximumFrames } }

    /// Sets the largest number of frames in a call: at least 1. Slices are not longer.
    ///
    /// - Throws: ``UnitError/Code/initialized`` while the unit runs; ``UnitError/Code/invalidPropertyValue``.
    public func setMaximumFrames(_ frames: Int) throws(UnitError) {
        guard 1...1 << 20 ~= frames else {
            throw UnitError(.invalidPropertyValue, "cannot set a maximum of \(frames) frames")
        }
        try changeAndRemake { $0.maximumFrames = frames }
        changed(.maximumFrames)
    }

    /// The length of a slice, in frames of the device.
    public var bufferFrames: Int {
        state.withLock { $0.settings.bufferFrames ?? $0.preparedFrames ?? Self.usualFrames }
    }

    /// Sets the source of the length of a slice, for a client that does not set it: asked at each initialization.
    public func setPreferredBufferFrames(_ frames: (@Sendable (_ sampleRate: Double) -> Int?)?) {
        state.withLock { $0.settings.preferredBufferFrames = frames }
    }

    /// Sets the length of a slice; values out of ``bufferFramesRange`` count as the nearer bound. A running unit is
    /// interrupted for a moment.
    public func setBufferFrames(_ frames: Int) throws(UnitError) {
        let bound = Self.boundedFrames(frames)
        try changeRunning { $0.bufferFrames = bound }
        changed(.bufferFrames)
    }

    static func boundedFrames(_ frames: Int) -> Int {
        min(max(frames, bufferFramesRange.lowerBound), bufferFramesRange.upperBound)
    }

    /// Whether ``render(bus:frames:into:)`` gives memory to buffers without it.
    public var lendsMemory: Bool { state.withLock { $0.settings.lendsMemory } }

    /// - Throws: ``UnitError/Code/initialized``.
    public func setLendsMemory(_ isOn: Bool) throws(UnitError) { try change { $0.lendsMemory = isOn } }

    // MARK: Devices

    /// Sets the devices, and the maker of those that are used for voice processing. A running unit continues on the new
    /// ones after a short interruption.
    ///
    /// - Throws: ``UnitError/Code/failedInitialization`` if a device cannot be used. If it refuses to start, the unit
    ///   is stopped; otherwise nothing changes.
    public func setDevices(
        output: (any OutputDevice)?, input: (any InputDevice)?, voiceProcessor: VoiceProcessor? = nil
    ) throws(UnitError) {
        try changeRunning { settings in
            (settings.outputDevice, settings.inputDevice) = (output, input)
            settings.voiceProcessor = voiceProcessor
        }
        changed(.device)
    }

    /// The factor of the output's samples, 0 to 1.
    public var volume: Float { state.withLock { $0.settings.volume } }

    /// Sets the factor of the output's samples; values out of 0 to 1 count as the nearer bound.
    public func setVolume(_ volume: Float) {
        // With this order of the arguments, NaN becomes 0.
        let volume = max(0, min(volume, 1))
        let streams = state.withLock { state in
            state.settings.volume = volume
            return self.streams.load()
        }
        streams?.output?.setGain(volume, rampSeconds: 0.005)
    }

    /// Sets the name of the streams that are made next, for mixers.
    public func setName(_ name: String?) { state.withLock { $0.settings.name = name } }

    /// Sets the purposes of the streams that are made next, for mixers and the server.
    public func setRoles(playback: StreamRole?, recording: StreamRole?) {
        state.withLock { ($0.settings.playbackRole, $0.settings.recordingRole) = (playback, recording) }
    }
}

/// The device's side of a unit.
extension IOUnit {
    private static let deviceAnswerSeconds = 5.0

    /// The format of the device: its rate and channels, as interleaved floats.
    ///
    /// Waits for the server, at most 5 s.
    ///
    /// - Throws: ``UnitError/Code/failedInitialization`` if the server does not answer;
    ///   ``UnitError/Code/invalidElement`` without a device.
    public func deviceFormat(_ side: Side) throws(UnitError) -> AudioStreamBasicDescription {
        let (output, input, isVoice) = state.withLock {
            ($0.settings.outputDevice, $0.settings.inputDevice, $0.settings.voiceProcessor != nil)
        }
        let found: (sampleRate: Double, channels: Int)?
        do throws(DeviceError) {
            found =
                side == .output
                ? try output?.nativeFormat(timeoutSeconds: Self.deviceAnswerSeconds)
                : try input?.nativeFormat(timeoutSeconds: Self.deviceAnswerSeconds)
        } catch {
            throw UnitError(.failedInitialization, error.message)
        }
        guard let found else { throw UnitError(.invalidElement, "the unit has no such device") }
        // Processed speech has one channel.
        let channels = side == .input && isVoice ? 1 : max(1, found.channels)
        return .float(channels: channels, sampleRate: found.sampleRate)
    }
}
