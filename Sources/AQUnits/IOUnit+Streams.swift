// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// The streams of an initialized unit, and the calls that make them again.
extension IOUnit {
    /// The time to wait for a server's answer, in seconds.
    private static let answerSeconds = 5.0

    /// Runs a call that starts, stops or remakes the streams, one at a time. Code of a client, also that of another unit,
    /// does not wait for another call, which may be waiting for it.
    func exclusively<Result>(_ body: () throws(UnitError) -> Result) throws(UnitError) -> Result {
        let isClientCode = RenderGate.isClientCode
        if !isClientCode {
            _ = state.wait(until: .max) { state in
                if state.isBusy { return true }
                state.isBusy = true
                return false
            }
        }
        defer {
            if !isClientCode {
                state.withLock { $0.isBusy = false }
                state.notifyAll()
            }
        }
        return try body()
    }

    /// The streams, and whether they run.
    var currentStreams: (IOStreams?, isRunning: Bool) { state.withLock { (streams.load(), $0.isRunning) } }

    /// Changes settings that are only allowed before the unit is initialized.
    func change(_ body: (inout Settings) -> Void) throws(UnitError) {
        let isAllowed = state.withLock { state in
            if state.isInitialized { return false }
            body(&state.settings)
            return true
        }
        guard isAllowed else { throw UnitError(.initialized, "the unit is initialized") }
    }

    /// Changes settings that are allowed unless the unit runs. Nothing changes if streams cannot be made with them.
    func changeAndRemake(_ body: (inout Settings) -> Void) throws(UnitError) {
        try exclusively { () throws(UnitError) in
            guard !state.withLock({ $0.isRunning }) else { throw UnitError(.initialized, "the unit runs") }
            try remake(body)
        }
    }

    /// Changes settings; a running unit starts again with them. Nothing changes if streams cannot be made with them, as
    /// while the server is away.
    func changeRunning(_ body: (inout Settings) -> Void) throws(UnitError) {
        var failure: UnitError?
        let wasRunning = try exclusively { () throws(UnitError) in
            try remake(body)
            // A call of a client's code may have stopped the unit meanwhile.
            let started = state.withLock { state -> IOStreams? in
                guard state.isRunning, let streams = streams.load() else { return nil }
                streams.beginStart(atHostTime: state.startTime)
                return streams
            }
            guard let started else { return false }
            do throws(UnitError) { try waitUntilStarted(started) } catch { failure = error }
            return true
        }
        if wasRunning { changed(failure == nil ? .format(.output) : .isRunning) }
        if let failure { throw failure }
    }

    /// Waits until streams that were started run. If they fail, the unit is stopped.
    ///
    /// - Throws: ``UnitError/Code/failedInitialization`` with the device's reason.
    func waitUntilStarted(_ streams: IOStreams) throws(UnitError) {
        streams.waitUntilStarted()
        let failure = state.withLock { state -> DeviceError? in
            // A call of a client's code may have replaced or closed the streams meanwhile.
            guard self.streams.load() === streams, let failure = streams.failure else { return nil }
            state.isRunning = false
            streams.beginStop()
            return failure
        }
        guard let failure else { return }
        streams.gate.waitUntilLeft()
        throw UnitError(.failedInitialization, failure.message)
    }

    /// Makes streams those of the unit, and returns the ones before them.
    func use(_ made: IOStreams, _ state: inout State) -> IOStreams? {
        // The volume may have been set while the streams were made.
        let volume = state.settings.volume
        if volume != made.setup.volume { made.output?.setGain(volume, rampSeconds: 0) }
        return streams.replace(made)
    }

    /// Changes settings, and makes the streams of an initialized unit again.
    private func remake(_ body: (inout Settings) -> Void) throws(UnitError) {
        let (isInitialized, settings) = state.withLock { state in
            var settings = state.settings
            body(&settings)
            return (state.isInitialized, settings)
        }
        let made = isInitialized ? try makeStreams(settings) : nil
        // The client's code must not get the new streams before they are started.
        if made != nil { state.withLock { $0.isRunning ? streams.load() : nil }?.stop() }
        // A call of the client's code may have replaced or closed the streams meanwhile.
        let unused = state.withLock { state in
            body(&state.settings)
            guard state.isInitialized, let made else { return made }
            return leave(use(made, &state), &state)
        }
        unused?.close()
    }

    /// Makes the unit uninitialized, and returns its streams, which the caller closes.
    func takeStreams() -> IOStreams? {
        state.withLock { state in
            (state.isInitialized, state.isRunning) = (false, false)
            return leave(streams.replace(nil), &state)
        }
    }

    /// Notes streams that the caller closes, and returns them.
    private func leave(_ streams: IOStreams?, _ state: inout State) -> IOStreams? {
        guard let streams else { return nil }
        state.gatesToLeave.removeAll { $0.isLeft }
        state.gatesToLeave.append(streams.gate)
        return streams
    }

    /// Waits until no code of the client runs, after a stop that may be another thread's, or one by code of another unit,
    /// which has not waited. Does not wait if the calling thread runs code of a unit.
    func waitUntilLeft() {
        guard !RenderGate.isClientCode else { return }
        for gate in state.withLock({ $0.gatesToLeave }) {
            // The call that closes the streams may not have come to it.
            gate.shut(isEnd: true)
            gate.waitUntilLeft()
        }
        state.withLock { $0.gatesToLeave.removeAll { $0.isLeft } }
        if let gate = streams.load()?.gate, !gate.isOpen { gate.waitUntilLeft() }
    }

    func makeStreams(_ settings: Settings) throws(UnitError) -> IOStreams {
        let voice: VoiceProcessor.Devices?
        do throws(DeviceError) {
            voice = try settings.voiceDevices { [weak self] in self?.renewVoiceProcessing() }
        } catch {
            throw UnitError(.failedInitialization, error.message)
        }
        let hasBoth = settings.isOutputEnabled && settings.isInputEnabled
        var setup = IOSetup(maximumFrames: settings.maximumFrames)
        setup.deviceReference = voice?.reference
        (setup.volume, setup.name) = (settings.volume, settings.name)
        (setup.playbackRole, setup.recordingRole) = (settings.playbackRole, settings.recordingRole)
        guard settings.isOutputEnabled || settings.isInputEnabled else {
            throw UnitError(.failedInitialization, "cannot initialize: neither direction is enabled")
        }
        if settings.isOutputEnabled {
            guard let device = voice?.output ?? settings.outputDevice else {
                throw UnitError(.failedInitialization, "cannot initialize: there is no output device")
            }
            let client = try ClientFormat(settings.outputFormat)
            let native = try native { () throws(DeviceError) in
                try device.nativeFormat(timeoutSeconds: Self.answerSeconds)
            }
            setup.outputDevice = device
            setup.output = IOSetup.Direction(
                client: client, labels: settings.outputLabels, channelMap: settings.outputMap,
                deviceChannels: native.channels,
                sliceFrames: sliceFrames(settings, client, deviceRate: native.sampleRate))
        }
        if settings.isInputEnabled {
            guard let device = voice?.input ?? settings.inputDevice else {
                throw UnitError(.failedInitialization, "cannot initialize: there is no input device")
            }
            let client = try ClientFormat(settings.inputFormat, resamples: hasBoth)
            let native = try native { () throws(DeviceError) in
                try device.nativeFormat(timeoutSeconds: Self.answerSeconds)
            }
            setup.inputDevice = device
            setup.input = IOSetup.Direction(
                client: client, labels: settings.inputLabels, channelMap: settings.inputMap,
                deviceChannels: native.channels,
                sliceFrames: sliceFrames(settings, client, deviceRate: native.sampleRate),
                lendsMemory: settings.lendsMemory)
        }
        return try IOStreams(setup, hooks) { [weak self] event in self?.handle(event) }
    }

    /// The rate and the channels of a device, of which there are at least 1 and at most as many as a stream has.
    private func native(
        _ body: () throws(DeviceError) -> (sampleRate: Double, channels: Int)
    ) throws(UnitError) -> (sampleRate: Double, channels: Int) {
        do throws(DeviceError) {
            let (sampleRate, channels) = try body()
            return (sampleRate, max(1, min(channels, SampleFormat.maximumChannels)))
        } catch {
            throw UnitError(.failedInitialization, error.message)
        }
    }

    /// The length of a slice in the client's frames.
    private func sliceFrames(_ settings: Settings, _ client: ClientFormat, deviceRate: Double) -> Int {
        let ratio = deviceRate > 0 ? client.format.mSampleRate / deviceRate : 1
        let preferred = settings.preferredBufferFrames?(deviceRate).map { Self.boundedFrames($0) }
        let deviceFrames = settings.bufferFrames ?? preferred ?? Self.usualFrames
        state.withLock { $0.preparedFrames = deviceFrames }
        let frames = Int((Double(deviceFrames) * ratio).rounded())
        return max(1, min(frames, settings.maximumFrames))
    }

    private func handle(_ event: IOStreams.Event) {
        switch event {
        case .overload: changed(.overload)
        case .device: changed(.device)
        case .failed:
            // The unit may have been started again meanwhile.
            let hasStopped = state.withLock { state in
                guard state.isRunning, streams.load()?.failure != nil else { return false }
                state.isRunning = false
                return true
            }
            guard hasStopped else { return }
            changed(.device)
            changed(.isRunning)
        }
    }
}
