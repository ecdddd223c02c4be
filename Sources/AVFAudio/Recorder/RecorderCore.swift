// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQSessions
import Foundation
import AQThreads

/// The state of a recorder, between its recordings and during them. Any thread may call it.
final class RecorderCore: @unchecked Sendable {
    // SAFETY: all is constant, and the values of the settings are never changed, except the state that a lock protects.

    private struct State {
        var run: RecordingRun?
        var isRecording = false
        /// The format of the file that was prepared last.
        var fileFormat: AVAudioFormat?
        var isMetering = false
        var levels = LevelReading()
    }

    let url: URL
    let link = RecorderLink()
    private let givenSettings: [String: Any]
    /// The file, with a usual rate and number of channels if the settings have none.
    private let request: FileRequest
    private let hasFormat: Bool
    private let devices = SoundDevices.current
    private let state = Monitor(State())

    /// - Throws: As ``AVAudioFile/init(forWriting:settings:)``, except for a missing rate or number of channels, and
    ///   errors of creating the file.
    init(_ url: URL, _ settings: [String: Any]) throws {
        request = try FileRequest(url, settings, defaults: (sampleRate: 48_000, channels: 1))
        hasFormat =
            request.settings.sampleRate != nil
            && (request.settings.channels != nil || request.settings.layout != nil)
        givenSettings = settings
        self.url = url
    }

    var isRecording: Bool { state.withLock { $0.isRecording } }

    var format: AVAudioFormat { state.withLock { $0.fileFormat } ?? request.format }

    /// The client's settings; once a file was prepared, with those of its format.
    var settings: [String: Any] {
        guard let format = state.withLock({ $0.fileFormat }) else { return givenSettings }
        return givenSettings.merging(format.settings) { $1 }
    }

    /// The position in seconds; 0 if nothing is recorded.
    var seconds: Double {
        guard let run = state.withLock({ $0.run }) else { return 0 }
        return Double(run.capturedFrames) / run.fileFormat.sampleRate
    }

    // MARK: Control

    func prepare() -> Bool { preparedRun() != nil }

    /// Starts or resumes.
    ///
    /// - Parameters:
    ///   - hostTime: The time of the first frame; nil for as soon as possible.
    ///   - seconds: The length from now on; nil for no limit.
    /// - Returns: False if recording is not possible.
    func record(atHostTime hostTime: UInt64? = nil, seconds: Double? = nil) -> Bool {
        if let seconds, !(seconds > 0) { return false }
        guard let run = preparedRun() else { return false }
        let frames = seconds.map { Int64(min($0 * run.fileFormat.sampleRate, 9e15).rounded()) }
        let wasRecording = state.withLock { state in
            defer { state.isRecording = true }
            return state.isRecording
        }
        guard !wasRecording else {
            if let frames { run.setLimit(frames) }
            return true
        }
        do throws(QueueError) {
            // A paused recording resumes at once.
            try run.start(atHostTime: run.isStarted ? nil : hostTime, frames: frames)
            return true
        } catch {
            MisuseNote.write(failureTo: "record '\(url.lastPathComponent)'", error)
            if run.isStarted { run.abandon() } else { discard(run) }
            forget(run)
            return false
        }
    }

    func pause() {
        let run = state.withLock { state in
            defer { state.isRecording = false }
            return state.isRecording ? state.run : nil
        }
        run?.pause()
    }

    /// Ends the recording and closes the file. A file that was only prepared remains without audio.
    func stop() {
        let run = state.withLock { state in
            state.isRecording = false
            return state.run
        }
        guard let run else { return }
        if run.isStarted { run.stop() } else { run.discard() }
        forget(run)
    }

    /// Deletes the file.
    ///
    /// - Returns: False during a recording, also if it is paused, and if the file cannot be deleted.
    func delete() -> Bool {
        if let run = state.withLock({ $0.run }) {
            guard !run.isStarted, !isRecording else { return false }
            run.discard()
            forget(run)
        }
        do {
            try FileManager.default.removeItem(at: url)
            return true
        } catch {
            return false
        }
    }

    // MARK: Runs

    /// The recording, which is made if there is none; nil if that is impossible.
    private func preparedRun() -> RecordingRun? {
        if let run = state.withLock({ $0.run }) { return run }
        do {
            let device = try selectedDevice()
            let made = try RecordingRun(completeRequest(device)) { [self] run, ending in ended(run, ending) }
            do {
                try made.prepare(on: device)
            } catch {
                discard(made)
                throw error
            }
            // Another thread may have made one meanwhile.
            let (run, isMetering) = state.withLock { state in
                if state.run == nil { (state.run, state.fileFormat) = (made, made.fileFormat) }
                return (state.run, state.isMetering)
            }
            guard run === made else {
                made.discard()
                return run
            }
            if isMetering { made.queue?.isMeteringEnabled = true }
            return made
        } catch {
            MisuseNote.write(failureTo: "record '\(url.lastPathComponent)'", error)
            return nil
        }
    }

    /// Ends a recording that has not begun, and deletes its file, which has no audio.
    private func discard(_ run: RecordingRun) {
        run.discard()
        try? FileManager.default.removeItem(at: url)
    }

    /// The microphone that the session prefers; the default one without a preference, and if the server no longer has
    /// it.
    private func selectedDevice() throws(DeviceError) -> any InputDevice {
        guard let name = AudioSession.shared.settings.preferredInput else { return try devices.input(nil) }
        let preferred = try devices.input(name)
        do throws(DeviceError) {
            _ = try preferred.nativeFormat(timeoutSeconds: 5)
        } catch {
            if error.code == .noSuchDevice { return try devices.input(nil) }
        }
        return preferred
    }

    /// The file with the device's rate and number of channels, up to two, if the settings have none.
    ///
    /// Waits for the device in that case, up to five seconds.
    private func completeRequest(_ device: any InputDevice) throws -> FileRequest {
        guard !hasFormat else { return request }
        let native = try device.nativeFormat(timeoutSeconds: 5)
        let sampleRate = native.sampleRate > 0 ? native.sampleRate : 48_000
        return try FileRequest(
            url, givenSettings,
            defaults: (sampleRate: sampleRate, channels: max(1, min(native.channels, 2))))
    }

    private func ended(_ run: RecordingRun, _ ending: RecordingRun.Ending) {
        forget(run)
        link.postEnd(ending)
    }

    private func forget(_ run: RecordingRun) {
        state.withLock { state in
            guard state.run === run else { return }
            (state.run, state.isRecording) = (nil, false)
        }
    }

    // MARK: Levels

    var isMetering: Bool {
        get { state.withLock { $0.isMetering } }
        set {
            let run = state.withLock { state in
                state.isMetering = newValue
                return state.run
            }
            run?.queue?.isMeteringEnabled = newValue
        }
    }

    var levels: LevelReading { state.withLock { $0.levels } }

    func updateLevels() {
        let run = state.withLock { $0.isRecording ? $0.run : nil }
        let channels = run.map { Int($0.fileFormat.channelCount) } ?? 0
        let isMuted = AudioSession.shared.settings.isInputMuted
        let reading = LevelReading(isMuted ? [] : run?.queue?.levels() ?? [], channels: channels)
        state.withLock { $0.levels = reading }
    }
}
