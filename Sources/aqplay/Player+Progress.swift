// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQNetworkInput
import AQToolSupport

/// The progress line.
extension Player {
    /// The time without progress after which the line says what is waited for, in seconds.
    private static let noteSeconds = 1.0

    var showsGainNews: Bool { isDrawing && MonotonicClock.seconds < gainNewsEnd }

    var isDrawing: Bool { showsProgress && keyboard.mayDraw }

    /// A note that names the server or data for which playback waits; nil if it does not wait.
    private var waitNote: String? {
        switch feeder.networkState {
        case .connecting?: return "connecting"
        case .buffering(let fraction)?: return "buffering \(Int(fraction * 100)) %"
        case .ready?, nil: break
        }
        let now = MonotonicClock.seconds
        if isPaused || lastPlayedFrames != latestProgress.frames { latestProgress = (lastPlayedFrames, now) }
        guard now - latestProgress.time > Player.noteSeconds else { return nil }
        guard feeder.isAwaitingData else { return "waiting for the sound server" }
        return feeder.networkState == nil ? "waiting for data" : "waiting for the server"
    }

    func drawProgress() {
        guard isDrawing, exitStatus == nil, let queue, let current = lastStatus.current else { return }
        var line = ProgressLine(
            elapsedSeconds: Double(current.frame) / current.sampleRate,
            totalSeconds: current.totalFrames.map { Double($0) / current.sampleRate },
            title: [presentKeyNote, waitNote, current.title].compactMap(\.self).joined(separator: "  "))
        line.isPaused = isPaused
        (line.gain, line.isGainNew) = (gain, showsGainNews)
        line.speed = speed
        line.trackNumber = current.trackNumber
        line.trackCount = feeder.trackCount
        let levels = queue.levels()
        line.level = .init(
            rms: isPaused ? 0 : levels.map(\.rms).max() ?? 0,
            peak: isPaused ? 0 : levels.map(\.peak).max() ?? 0)
        console.showProgress { line.text(columns: $0, style: barStyle) }
    }
}
