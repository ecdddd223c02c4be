// SPDX-License-Identifier: MIT

import AVFAudio
import AQDevices
public import CoreMedia
public import Foundation

/// Records a microphone, and delivers the audio to outputs.
///
/// A session has one ``AVCaptureDeviceInput`` and any number of ``AVCaptureAudioDataOutput``s, each of which has a
/// stream at the sound server. All members may be used from any thread.
///
/// If the server or the device disappears, silence is delivered for five seconds. Then the session stops, and posts
/// ``runtimeErrorNotification``.
open class AVCaptureSession: NSObject {
    private struct State {
        var inputs: [AVCaptureInput] = []
        var outputs: [AVCaptureOutput] = []
        var preset = Preset.high
        var configurationDepth = 0
        var isRunning = false

        /// The connections to record, with their outputs.
        var connections: [(AVCaptureConnection, AVCaptureAudioDataOutput)] {
            var found: [(AVCaptureConnection, AVCaptureAudioDataOutput)] = []
            for case let output as AVCaptureAudioDataOutput in outputs {
                for connection in output.currentConnections
                where inputs.contains(where: { $0 === connection.input }) {
                    found.append((connection, output))
                }
            }
            return found
        }
    }

    private let state = Monitor(State())
    /// The recordings that run. Its lock is held while they start and stop; no client's code runs meanwhile.
    private let recordings = Monitor<[CaptureRecording]>([])

    deinit {
        recordings.withLock { recordings in
            for recording in recordings { recording.stop() }
        }
        for output in state.withLock({ $0.outputs }) { output.leave(self) }
    }

    // MARK: Configuration

    /// Begins changes that take effect together. Calls may be nested.
    open func beginConfiguration() { state.withLock { $0.configurationDepth += 1 } }

    /// Ends changes. A running session then records in the new configuration; this waits like ``startRunning()``.
    open func commitConfiguration() {
        state.withLock { $0.configurationDepth = max(0, $0.configurationDepth - 1) }
        applyChanges()
    }

    /// The inputs, in the order in which they were added.
    open var inputs: [AVCaptureInput] { state.withLock { $0.inputs } }

    /// The outputs, in the order in which they were added.
    open var outputs: [AVCaptureOutput] { state.withLock { $0.outputs } }

    /// The connections of all outputs.
    open var connections: [AVCaptureConnection] { outputs.flatMap(\.connections) }

    /// Whether an input can be added: a microphone, if there is none so far.
    open func canAddInput(_ input: AVCaptureInput) -> Bool {
        input is AVCaptureDeviceInput && state.withLock { $0.inputs.isEmpty }
    }

    /// Adds an input, and connects it with all outputs. Does nothing, and writes a line to standard error, if
    /// ``canAddInput(_:)`` is false.
    open func addInput(_ input: AVCaptureInput) {
        let outputs = state.withLock { state -> [AVCaptureOutput]? in
            guard input is AVCaptureDeviceInput, state.inputs.isEmpty else { return nil }
            state.inputs.append(input)
            return state.outputs
        }
        guard let outputs else {
            return MisuseNote.write(
                "a session cannot have this input: addInput is ignored", module: "AVFoundation")
        }
        for output in outputs { connect(input, output) }
        applyChanges()
    }

    /// Removes an input and its connections. Does nothing if the session does not have it.
    open func removeInput(_ input: AVCaptureInput) {
        let outputs = state.withLock { state in
            state.inputs.removeAll { $0 === input }
            return state.outputs
        }
        for output in outputs { output.removeConnections(from: input) }
        applyChanges()
    }

    /// Whether an output can be added: one for audio that no session has.
    open func canAddOutput(_ output: AVCaptureOutput) -> Bool {
        output is AVCaptureAudioDataOutput && output.isFree
    }

    /// Adds an output, and connects it with the input. Does nothing, and writes a line to standard error, if
    /// ``canAddOutput(_:)`` is false.
    open func addOutput(_ output: AVCaptureOutput) {
        let inputs = state.withLock { state -> [AVCaptureInput]? in
            guard output is AVCaptureAudioDataOutput, output.join(self) else { return nil }
            state.outputs.append(output)
            return state.inputs
        }
        guard let inputs else {
            return MisuseNote.write(
                "a session cannot have this output: addOutput is ignored", module: "AVFoundation")
        }
        for input in inputs { connect(input, output) }
        applyChanges()
    }

    /// Removes an output and its connections. Does nothing if the session does not have it.
    open func removeOutput(_ output: AVCaptureOutput) {
        state.withLock { state in state.outputs.removeAll { $0 === output } }
        output.leave(self)
        applyChanges()
    }

    private func connect(_ input: AVCaptureInput, _ output: AVCaptureOutput) {
        guard let input = input as? AVCaptureDeviceInput else { return }
        output.add(AVCaptureConnection(input, output))
    }

    // MARK: Presets and clocks

    /// Whether a preset can be set: always.
    open func canSetSessionPreset(_ preset: Preset) -> Bool { true }

    /// The quality of video, initially ``Preset/high``. Kept without effect.
    open var sessionPreset: Preset {
        get { state.withLock { $0.preset } }
        set { state.withLock { $0.preset = newValue } }
    }

    /// The clock of the presentation times: that of host times.
    open var synchronizationClock: CMClock? { .hostTimeClock }

    /// The older name of ``synchronizationClock``.
    open var masterClock: CMClock? { .hostTimeClock }

    // MARK: Running

    /// Whether the session records, or has started without anything to record.
    open var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Starts to record, and waits until the device captures: usually some milliseconds, seconds if no server answers.
    ///
    /// If it cannot start, ``isRunning`` remains false, and ``runtimeErrorNotification`` is posted on this thread. Does
    /// nothing if the session runs.
    open func startRunning() {
        let (isStarted, failure) = recordings.withLock { recordings -> (Bool, NSError?) in
            let connections = state.withLock { $0.isRunning ? nil : $0.connections }
            guard let connections else { return (false, nil) }
            if let failure = record(connections, &recordings) { return (false, failure) }
            state.withLock { $0.isRunning = true }
            return (true, nil)
        }
        if let failure { post(failure) }
        if isStarted { NotificationCenter.default.post(name: Self.didStartRunningNotification, object: self) }
    }

    /// Stops. Audio captured before the call is on the delegates' queues at the return, but may not have been delivered
    /// by then. Does nothing if the session does not run.
    open func stopRunning() {
        guard end({ _ in true }) else { return }
        NotificationCenter.default.post(name: Self.didStopRunningNotification, object: self)
    }

    /// Stops the recordings if the session runs, and the recordings fulfil a condition.
    private func end(_ isEnding: ([CaptureRecording]) -> Bool) -> Bool {
        recordings.withLock { recordings in
            guard state.withLock({ $0.isRunning }), isEnding(recordings) else { return false }
            for recording in recordings { recording.stop() }
            recordings = []
            state.withLock { $0.isRunning = false }
            return true
        }
    }

    /// Makes a running session record what is configured, unless a configuration is in progress.
    private func applyChanges() {
        let failure = recordings.withLock { recordings -> NSError? in
            let connections = state.withLock { state in
                state.isRunning && state.configurationDepth == 0 ? state.connections : nil
            }
            guard let connections else { return nil }
            guard let failure = record(connections, &recordings) else { return nil }
            state.withLock { $0.isRunning = false }
            return failure
        }
        guard let failure else { return }
        post(failure)
        NotificationCenter.default.post(name: Self.didStopRunningNotification, object: self)
    }

    /// Stops recordings that are obsolete, and starts those that are missing. If one cannot start, all stop.
    private func record(
        _ connections: [(AVCaptureConnection, AVCaptureAudioDataOutput)],
        _ recordings: inout [CaptureRecording]
    ) -> NSError? {
        var kept: [CaptureRecording] = []
        for recording in recordings {
            let isWanted = connections.contains { connection, output in
                connection === recording.connection && recording.isCurrent(for: output)
            }
            if isWanted { kept.append(recording) } else { recording.stop() }
        }
        recordings = kept
        let session = WeakCaptureSession(session: self)
        for (connection, output) in connections where !kept.contains(where: { $0.connection === connection })
        {
            do {
                recordings.append(
                    try CaptureRecording(connection, output) { failure in session.stop(because: failure) })
            } catch {
                for recording in recordings { recording.stop() }
                recordings = []
                return error as NSError
            }
        }
        return nil
    }

    /// Stops because a recording has failed, and reports the error.
    func stop(because failure: NSError) {
        guard end({ recordings in recordings.contains { $0.hasFailed } }) else { return }
        post(failure)
        NotificationCenter.default.post(name: Self.didStopRunningNotification, object: self)
    }

    private func post(_ failure: NSError) {
        NotificationCenter.default.post(
            name: Self.runtimeErrorNotification, object: self, userInfo: [AVCaptureSessionErrorKey: failure])
    }
}
