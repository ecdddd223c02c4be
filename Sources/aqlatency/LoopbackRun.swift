// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQToolSupport

/// Plays chirps on a device and records a source meanwhile. Main thread only.
struct LoopbackRun {
    /// The result, with what the devices granted.
    struct Result: Sendable {
        var analysis: LoopbackAnalysis
        var setting: BufferSetting
        var output: GrantedLatency?
        var input: GrantedLatency?
        var priority: GrantedPriority?
    }

    /// The time after which the device must play and the source must record.
    private static let patienceSeconds = 5.0
    /// The first period, in which devices settle, has no chirp that counts.
    private static let settlingSeconds = 1.0

    let sink: DeviceInfo
    let source: DeviceInfo
    let level: Float
    let setting: BufferSetting
    let seconds: Double
    let session: Session

    /// - Returns: Nil if a signal ended the run before there was a result.
    /// - Throws: ``ToolFailure`` if the server fails, or the chirps are not found.
    func measure() throws(ToolFailure) -> Result? {
        let chirp = Chirp(forSampleRate: min(sink.sampleRate, source.sampleRate))
        let recorder: SourceRecorder
        let player: SignalPlayer
        let counted = max(seconds, 3) + Self.settlingSeconds + LoopbackAnalysis.intervalSeconds
        let bufferSeconds = Double(setting.frames) / sink.sampleRate
        do {
            recorder = try SourceRecorder(
                PulseSource(source: source.name), sampleRate: source.sampleRate, channels: source.channels,
                fragmentSeconds: max(0.001, bufferSeconds), bufferSeconds: bufferSeconds,
                capacitySeconds: counted + 3 * Self.patienceSeconds)
        } catch {
            throw ToolFailure(error)
        }
        defer { recorder.end() }
        _ = try session.wait(upToSeconds: Self.patienceSeconds, "Waiting for the source") {
            () throws(ToolFailure) in
            if let failure = recorder.failure { throw ToolFailure(failure) }
            return recorder.frames > 0
        }
        guard session.interruption == nil else { return nil }
        do {
            player = try SignalPlayer(
                .periodic(period(of: chirp)), on: PulseDevice(sink: sink.name), sampleRate: sink.sampleRate,
                setting: setting, seconds: counted + 2 * Self.patienceSeconds)
        } catch {
            throw ToolFailure(error)
        }
        defer { player.end() }
        func check() throws(ToolFailure) {
            if let failure = player.queue.failure ?? recorder.failure { throw ToolFailure(failure) }
            player.notePosition()
        }
        _ = try session.wait(upToSeconds: Self.patienceSeconds, "Waiting for the device") {
            () throws(ToolFailure) in
            try check()
            return !player.positions.isEmpty
        }
        _ = try session.wait(upToSeconds: counted, "Listening", showsTime: true) {
            () throws(ToolFailure) in
            try check()
            return false
        }
        let audio = recorder.audio()
        let (output, input) = (player.queue.granted, recorder.granted)
        player.end()
        do throws(LoopbackAnalysis.Failure) {
            let analysis = try LoopbackAnalysis(
                audio, chirp: chirp, chirps: chirps(in: player), outputRate: sink.sampleRate,
                positions: player.positions, callbacks: player.log.callbacks)
            return Result(
                analysis: analysis, setting: setting, output: output, input: input,
                priority: player.log.priority)
        } catch {
            if session.interruption != nil { return nil }
            throw ToolFailure(.failure, Self.message(for: error, source: source.name, level: level))
        }
    }

    private var intervalFrames: Int { Int(LoopbackAnalysis.intervalSeconds * sink.sampleRate) }

    /// One chirp, followed by silence until the next.
    private func period(of chirp: Chirp) -> [Float] {
        let samples = chirp.samples(sampleRate: sink.sampleRate).real.map { Float($0) * level }
        return samples + [Float](repeating: 0, count: max(0, intervalFrames - samples.count))
    }

    /// The first frames of the chirps that count.
    private func chirps(in player: SignalPlayer) -> [Int] {
        let first = (player.positions.first?.frame ?? 0) + Self.settlingSeconds * sink.sampleRate
        return stride(from: 0, to: player.log.nextFrame, by: intervalFrames).filter { Double($0) >= first }
    }

    static func message(for failure: LoopbackAnalysis.Failure, source: String, level: Float) -> String {
        switch failure {
        case .silent:
            return "cannot find the chirps: '\(source)' is silent; connect the cable or the microphone, and "
                + "unmute the source"
        case .notFound(let peak):
            let louder = min(0, (GainParser.decibels(level) + 12).rounded())
            return "cannot find the chirps in '\(source)', whose peak is \(GainParser.text(peak)); connect "
                + "the cable or move the microphone, unmute the device, or play louder with "
                + "'--volume=\(Int(louder))dB'"
        case .unsteady(let range):
            let (least, most) = (range.lowerBound, range.upperBound)
            return "cannot measure the delay to '\(source)', which varies from "
                + "\(Decimal.text(least, decimals: 1)) to \(Decimal.text(most, decimals: 1)) ms; end other "
                + "programs, or use longer buffers with '--settings=3x1920'"
        }
    }
}
