// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AudioQueues
import CoreAudioTypes
import AQDeviceListing
import Glibc
import AQToolSupport

/// The reports on a recording, at its end and before.
extension Recorder {
    func handle(_ message: Outbox.Message) {
        switch message {
        case .warning(let text): console.warning(text)
        case .fileEnded(let report): self.report(report)
        case .deviceStarted: deviceStarted()
        case .deviceChanged: deviceChanged()
        case .ended(let end): finish(end)
        }
    }

    private func finish(_ end: RecordingEnd) {
        let seconds = Decimal.text(Double(end.totalFrames) / format.sampleRate, decimals: 3)
        reportMissingSilence()
        if let error = end.error {
            if endsWithReader {
                exitStatus = .success
            } else {
                console.error(error)
                exitStatus = .inputOutput
            }
        } else if end.ending == .deviceLost, let failure = queue.failure {
            let safe = end.totalFrames > 0 ? "; the \(seconds) s recorded until then are kept" : ""
            console.error(Recorder.message(for: failure) + safe)
            exitStatus = Recorder.status(for: failure)
        } else if end.totalFrames == 0 {
            let isWaiting = intake.currentStatus.isWaitingForSound
            console.error(
                "nothing was recorded" + (isWaiting ? ": no audio reached the level of --start-on-sound" : "")
            )
            exitStatus = .failure
        } else if end.lostFrames > 0 {
            console.error("\(end.lostFrames) frames were lost because writing took too long")
            exitStatus = .failure
        } else if deviceNews.isLost {
            exitStatus = .noSoundServer
        } else if end.interruptedFrames > 0 {
            // Warnings have reported them.
            exitStatus = .failure
        } else {
            exitStatus = hasReportFailed ? .failure : .success
        }
    }

    /// Reports inserted silence of which the server's messages have not informed.
    func reportMissingSilence() {
        if deviceNews.isMissing(interruptedFrames: queue.interruptedFrameCount) { deviceChanged() }
    }

    /// Whether the reader of standard output has ended, and a signal ends this process too, as Ctrl-C ends all programs
    /// of a pipeline. The signal may arrive shortly after the end of the reader is noticed.
    private var endsWithReader: Bool {
        guard options.target.isStandardOutput, StandardStream.output.isReaderGone, let signals else {
            return false
        }
        if stopTime != nil { return true }
        guard signals.wait(milliseconds: 100) else { return false }
        while let signal = signals.next() {
            if [SIGINT, SIGTERM, SIGHUP].contains(signal) { return true }
        }
        return false
    }

    private func report(_ report: FileReport) {
        if options.isVerbose {
            console.detail(report.endLine)
        } else if isAttended, !options.isJSON {
            console.detail(report.summaryLine)
        }
        guard options.isJSON else { return }
        let stream: StandardStream = options.target.isStandardOutput ? .error : .output
        console.clearProgress()
        let failure = stream.write(report.json + "\n")
        // The recording continues after this failure.
        if failure != 0 {
            hasReportFailed = true
            console.error("cannot write to standard output: \(systemErrorText(failure).lowercased())")
        }
    }

    /// Prints the plan before the recording.
    func describe() {
        let buffers = options.bufferCount
        let frames = Recorder.bufferFrames(options, format)
        let bytes = frames * Int64(format.bytesPerFrame)
        let seconds = Decimal.text(Double(frames) * Double(buffers) / format.sampleRate, decimals: 1)
        let codec = options.codec == .pcm ? "" : "\(options.codec.name) of "
        console.detail(
            "\(options.target.name): \(options.target.type.name), \(codec)\(format.description.summary)")
        console.detail(
            "\(buffers) buffers of \(bytes) bytes each, \(ByteCountParser.text(bytes * Int64(buffers))) in all: "
                + "\(seconds) s of audio while the disk is blocked")
    }

    private func deviceStarted() {
        guard let granted = queue.granted else { return }
        deviceNews.setDeviceName(granted.deviceName)
        guard options.isVerbose else { return }
        awaitDescription()
        let fragment = Double(granted.requestFrames) / format.sampleRate * 1000
        console.detail(
            "recording from \((queue.granted ?? granted).deviceWords), "
                + "\(Decimal.text(fragment, decimals: 1)) ms at a time")
    }

    /// Waits for the server's description of the device, which follows the start.
    private func awaitDescription() {
        let end = MonotonicClock.seconds + 0.5
        while queue.granted?.deviceChannels == 0, MonotonicClock.seconds < end { usleep(1_000) }
    }

    /// Warns that the server or the device was lost, has returned, or is another one.
    func deviceChanged() {
        let warnings = deviceNews.warnings(
            interruptions: queue.interruptionCount, interruptedFrames: queue.interruptedFrameCount,
            deviceName: queue.granted?.deviceName, sampleRate: format.sampleRate,
            recoverySeconds: options.recoverySeconds)
        for warning in warnings { console.warning(warning) }
    }
}
