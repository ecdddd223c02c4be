// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQToolSupport

/// The keys and the screen.
extension Recorder {
    func press(_ key: Key) {
        guard exitStatus == nil, stopTime == nil else { return }
        switch key {
        case .character(" "): setPaused(!isPaused)
        case .character("n"): startNextFile()
        case .character("?"): console.show(RecordOptions.keys)
        case .character("q"): stop(.key)
        default: break
        }
    }

    func setPaused(_ paused: Bool) {
        guard paused != isPaused, stopTime == nil else { return }
        do throws(QueueError) {
            if paused { try queue.pause() } else { try queue.start() }
            isPaused = paused
        } catch {
            console.error("cannot \(paused ? "pause" : "resume"): \(error.message)")
        }
    }

    /// Begins the next file with the audio captured from now on.
    func startNextFile() {
        if options.target.isStandardOutput {
            console.warning("standard output is one stream: there is no next file")
        } else {
            intake.requestNextFile(atHostTime: UInt64(MonotonicClock.seconds * 1e9))
        }
    }

    func drawProgress() {
        guard isDrawing, exitStatus == nil else { return }
        let status = intake.currentStatus
        let now = MonotonicClock.seconds
        let levels = isPaused ? [] : queue.levels()
        peakHold.update(
            peak: levels.map(\.peak).max() ?? 0, clippedSamples: status.clippedSamples, at: now)
        var line = RecordingLine(
            elapsedSeconds: Double(status.frames) / format.sampleRate, path: status.path)
        switch options.length {
        case nil: break
        case .frames(let frames): line.totalSeconds = Double(frames) / format.sampleRate
        case .seconds(let seconds): line.totalSeconds = seconds
        }
        line.isPaused = isPaused
        line.isWaiting = status.isWaitingForSound
        line.rms = levels.map(\.rms).max() ?? 0
        line.heldPeak = peakHold.peak
        line.isClipped = peakHold.isClipLightOn(at: now)
        if status.fileFrames < status.frames {
            line.fileSeconds = Double(status.fileFrames) / format.sampleRate
        }
        line.fileBytes = status.byteCount
        line.diskBytes = options.target.isStandardOutput ? nil : status.diskBytes
        console.showProgress { line.text(columns: $0, style: barStyle) }
    }
}
