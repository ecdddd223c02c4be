// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQRoundTripAnalysis
import AQToolSupport

/// Plays noise on a device with different buffers, and records the device's monitor. Main thread only.
final class NoiseRun {
    /// The length of the pieces in which PulseAudio delivers the recording: long, so that the playing stream determines
    /// the sink's period.
    private static let fragmentSeconds = 0.25
    /// The length of PipeWire's shortest usual quantum, because PipeWire delivers a piece for each quantum.
    private static let quantumFrames = 256.0
    /// The time in which a device must begin to record or to play. An idle null sink sleeps for up to 2 s.
    private static let patienceSeconds = 5.0
    /// The time without a gap after which a longer run is not ended early.
    private static let trialSeconds = 3.0

    private let session: Session
    private let sink: DeviceInfo
    private let device: PulseDevice
    private let recorder: SourceRecorder
    private let level: Float
    /// The largest sample of other audio on the device, before the first run.
    private(set) var otherPeak: Float = 0

    private var sampleRate: Double { sink.sampleRate }

    /// Begins to record the monitor.
    ///
    /// - Parameter seconds: The length of the longest run.
    /// - Throws: ``ToolFailure``.
    init(
        on sink: DeviceInfo, isPipeWire: Bool, level: Float, seconds: Double, _ session: Session
    ) throws(ToolFailure) {
        self.session = session
        self.sink = sink
        self.level = level
        do {
            device = try PulseDevice(sink: sink.name)
            recorder = try SourceRecorder(
                PulseSource(monitorOf: sink.name), sampleRate: sink.sampleRate, channels: 1,
                fragmentSeconds: isPipeWire ? Self.quantumFrames / sink.sampleRate : Self.fragmentSeconds,
                capacitySeconds: seconds + NoiseAnalysis.warmUpSeconds + 3 * Self.patienceSeconds)
        } catch {
            throw ToolFailure(error)
        }
        _ = try session.wait(
            upToSeconds: Self.patienceSeconds, "Waiting for the device"
        ) { () throws(ToolFailure) in
            try checkRecorder()
            return recorder.frames >= Int(0.2 * sampleRate)
        }
        otherPeak = recorder.peak
    }

    func end() { recorder.end() }

    /// Plays with a setting for some seconds. If the times of the recording are wrong, because the machine stalled, the
    /// run is repeated.
    ///
    /// - Returns: Nil if a signal ended the run before there was a result.
    /// - Throws: ``ToolFailure`` if the server fails, or the noise is not found.
    func measure(_ setting: BufferSetting, seconds: Double) throws(ToolFailure) -> SettingResult? {
        for _ in 0..<Self.mostRuns {
            guard let result = try play(setting, seconds: seconds) else { return nil }
            if result.clockDifference.magnitude <= Self.mostDifference, result.latency.median > 0 {
                return result
            }
            if session.interruption != nil { return nil }
        }
        throw ToolFailure(
            .failure, "cannot measure '\(sink.name)': the machine is too busy, and the times are wrong")
    }

    private static let mostRuns = 3
    /// The largest difference in milliseconds between the monitor and the queue's own clock, which contains the latency
    /// of the device, up to that of Bluetooth.
    private static let mostDifference = 500.0

    private func play(_ setting: BufferSetting, seconds: Double) throws(ToolFailure) -> SettingResult? {
        let activity = "\(setting.buffers) x \(setting.frames) frames"
        let longest = seconds + NoiseAnalysis.warmUpSeconds + 2 * Self.patienceSeconds
        recorder.restart()
        let player: SignalPlayer
        do {
            player = try SignalPlayer(
                .noise(amplitude: level), on: device, sampleRate: sampleRate, setting: setting,
                seconds: longest)
        } catch {
            throw ToolFailure(error)
        }
        defer { player.end() }
        let threshold = max(otherPeak * 2, 1e-6)
        // If the noise is not audible in time, the analysis states why.
        let isAudible = try session.wait(upToSeconds: Self.patienceSeconds, activity) {
            () throws(ToolFailure) in
            try check(player)
            return recorder.peak > threshold
        }
        if !isAudible, session.interruption != nil { return nil }
        let counted = seconds + NoiseAnalysis.warmUpSeconds
        let start = MonotonicClock.seconds
        _ = try session.wait(upToSeconds: counted, activity, showsTime: true) { () throws(ToolFailure) in
            try check(player)
            player.notePosition()
            // A long run that has gaps already is not continued.
            let elapsed = MonotonicClock.seconds - start - NoiseAnalysis.warmUpSeconds
            return elapsed > Self.trialSeconds && player.queue.underrunCount > 0
        }
        // The recording ends while the noise is played, so that the end of the stream is no gap.
        let audio = recorder.audio()
        let (granted, underruns) = (player.queue.granted, player.queue.underrunCount)
        let described = session.interruption == nil ? try? PulseDevice.list(timeoutSeconds: 1) : nil
        player.end()
        return try result(
            of: player, audio, granted, underruns, described?.first { $0.name == sink.name })
    }

    private func result(
        of player: SignalPlayer, _ audio: CapturedAudio, _ granted: GrantedLatency?, _ underruns: Int,
        _ device: DeviceInfo?
    ) throws(ToolFailure) -> SettingResult? {
        do throws(NoiseAnalysis.Failure) {
            let callbacks = player.log.callbacks
            let analysis = try NoiseAnalysis(
                audio, callbacks: callbacks, playedFrames: player.log.nextFrame)
            guard let latency = Summary(analysis.latencies) else { return nil }
            let predicted = Summary(
                callbacks.dropFirst(callbacks.count / 4).map { callback in
                    let time = player.positions.nanoseconds(
                        ofFrame: Double(callback.firstFrame), sampleRate: sampleRate)
                    return ((time ?? .nan) - callback.entryNanoseconds) / 1e6
                })
            return SettingResult(
                setting: player.setting, sampleRate: sampleRate, analysis: analysis, latency: latency,
                clockDifference: predicted.map { $0.median - latency.median } ?? 0, underruns: underruns,
                granted: granted, device: device, priority: player.log.priority)
        } catch {
            if session.interruption != nil { return nil }
            throw ToolFailure(.failure, message(for: error))
        }
    }

    private func message(for failure: NoiseAnalysis.Failure) -> String {
        switch failure {
        case .silent:
            "cannot find the noise in the monitor of '\(sink.name)', which is silent; is the device muted?"
        case .notFound:
            "cannot find the noise in the monitor of '\(sink.name)'; stop other programs that play, or play "
                + "louder with '--volume=-30dB'"
        }
    }

    private func check(_ player: SignalPlayer) throws(ToolFailure) {
        if let failure = player.queue.failure { throw ToolFailure(failure) }
        try checkRecorder()
    }

    private func checkRecorder() throws(ToolFailure) {
        if let failure = recorder.failure { throw ToolFailure(failure) }
    }
}
