// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AudioQueues
import CoreAudioTypes
import AQToolSupport

/// The reports on the tracks, at their end and before.
extension Player {
    /// The number of enqueued frames that the present queue has played.
    var playedFrames: Int64 {
        guard let queue else { return 0 }
        do throws(QueueError) {
            lastPlayedFrames = Int64(try queue.currentTime().playedFrames)
        } catch {
            // The queue is not running, or has failed.
        }
        return lastPlayedFrames
    }

    /// Updates ``lastStatus``. Returns false if a file is being read, and nothing was done.
    @discardableResult
    func update() -> Bool {
        let frames = playedFrames
        guard let status = feeder.status(playedFrames: frames) else { return false }
        report(status)
        (lastStatus, lastStatusFrames) = (status, frames)
        // A mixer shows the audible track, not the one being read.
        if let queue, let title = status.current?.title, title != queue.name { queue.name = title }
        return true
    }

    func report(_ status: Feeder.Status) {
        for report in status.finished { self.report(report) }
    }

    func report(_ finished: TrackReport) {
        var report = finished
        report.requestedLatencySeconds = LatencyGoal.ofUser == nil ? options.latencySeconds : nil
        report.speed = speed
        if let queue, report.container != nil {
            let (underruns, damage) = (queue.underrunCount, queue.damagedPacketCount)
            report.underruns = underruns - reportedUnderruns
            report.damagedPackets = damage - reportedDamage
            (reportedUnderruns, reportedDamage) = (underruns, damage)
            report.granted = queue.granted
        }
        if let damage = DamageText.silentPackets(report.damagedPackets) { report.warnings.append(damage) }
        for warning in report.warnings { console.warning("'\(report.file)': \(warning)") }
        if options.isVerbose && report.container != nil { console.detail(report.endLine) }
        guard options.isJSON else { return }
        let failure = console.output(report.json)
        if failure != 0 {
            console.error("cannot write to standard output: \(systemErrorText(failure).lowercased())")
            end(.inputOutput)
        }
    }

    func describe(_ playback: Playback, _ size: (bufferByteCount: Int, packetCount: Int)) {
        var line = "'\(playback.path)': \(playback.file.containerName), \(playback.format.summary)"
        if let frames = playback.totalFrames {
            line += ", \(Decimal.text(Double(frames) / playback.format.mSampleRate, decimals: 3)) s"
        }
        if playback.file.averageBitRate > 0 {
            line += ", \(Decimal.text(playback.file.averageBitRate / 1000, decimals: 0)) kbit/s"
        }
        console.detail(line)
        let packets = playback.format.hasConstantPacketSize ? "" : " for \(size.packetCount) packets"
        console.detail("\(options.bufferCount) buffers of \(size.bufferByteCount) bytes each\(packets)")
    }
}
