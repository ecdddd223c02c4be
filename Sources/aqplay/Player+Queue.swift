// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import AudioQueues
import CoreAudioTypes
import AQDeviceListing
import AQTimeStretching
import AQToolSupport

/// The queues: one for consecutive tracks with the same format.
extension Player {
    /// Makes a queue for the next track that can be played, and starts the queue. Ends if there is no such track.
    func openQueue() {
        while true {
            switch feeder.nextForNewQueue() {
            case .open(let playback):
                do throws(QueueError) {
                    try open(playback)
                    return
                } catch {
                    feeder.reject(playback, "cannot play '\(playback.path)': \(error.message)")
                    continue
                }
            case .needsServer:
                queue = nil
                isOpening = true
                feeder.openOnServer { [queueEvents] in queueEvents.post(Player.openedEvent) }
                return
            case .interrupted, .end: break
            }
            break
        }
        queue = nil
        update()
        end(feeder.hasFailures ? .failure : .success)
    }

    /// Makes a queue for a track, and starts it unless playback is paused.
    private func open(_ playback: Playback) throws(QueueError) {
        let configuration = OutputQueue.Configuration(
            latency: .seconds(options.latencySeconds), recoverySeconds: options.recoverySeconds,
            name: playback.title, role: .music, iconName: "audio-x-generic",
            speedControl: needsSpeedControl ? .soundTouch : nil)
        let made = try OutputQueue(
            format: playback.format, magicCookie: playback.file.magicCookie,
            channelLabels: playback.file.channelLabels, device: device, configuration: configuration
        ) { [feeder] queue, buffer in feeder.take(buffer, of: queue) }
        let packetBytes = playback.file.packetSizeUpperBound
        let size = OutputQueue.deriveBufferSize(
            format: playback.format, maximumPacketSize: packetBytes, seconds: options.bufferSeconds)
        queueSerial = queueSerial % 254 + 1
        // Each queue stops only once, so its serial number identifies the event.
        let serial = queueSerial
        let events = queueEvents
        try made.addListener(for: .isRunning) { queue in events.post(queue.isRunning ? 0 : serial) }
        try made.addListener(for: .failure) { _ in events.post(serial) }
        // After a failure of the server, the queue still reports the played frames.
        try made.addListener(for: .device) { _ in events.post(0) }
        if gain != 1 { made.setVolume(gain) }
        hasSpeedControl = needsSpeedControl
        if speed != 1 { try made.setSpeed(speed) }
        if showsProgress { made.isMeteringEnabled = true }
        if options.isVerbose { describe(playback, size) }
        queue = made
        (reportedUnderruns, reportedDamage, lastPlayedFrames) = (0, 0, 0)
        feeder.attach(made, byteCapacity: size.bufferByteCount, for: playback)
        let isEncoded = playback.format.mFormatID != kAudioFormatLinearPCM
        // Samples from a pipe may be live, so the first buffer is audible before the second is complete.
        let buffersAtStart = isEncoded || playback.file.isSeekable ? options.bufferCount : 1
        for _ in 0..<buffersAtStart { try addBuffer(to: made, size, for: playback) }
        if isEncoded {
            // Decodes in advance, so that a busy machine causes no gap at the first packet.
            try made.prime(frames: Int(playback.format.mSampleRate * Player.primedSeconds))
        }
        hasStarted = !isPaused
        if isPaused { feeder.setPaused(true) } else { try made.start() }
        for _ in buffersAtStart..<options.bufferCount { try addBuffer(to: made, size, for: playback) }
        feeder.started()
    }

    /// Allocates a buffer, fills it and enqueues it.
    private func addBuffer(
        to queue: OutputQueue, _ size: (bufferByteCount: Int, packetCount: Int), for playback: Playback
    ) throws(QueueError) {
        let needsDescriptions = !playback.format.hasConstantPacketSize
        let buffer = try queue.allocateBuffer(
            byteCapacity: size.bufferByteCount,
            packetDescriptionCapacity: needsDescriptions ? size.packetCount : 0)
        feeder.take(buffer, of: queue)
    }

    /// Handles a queue that has stopped by itself, at its end or after a failure.
    func queueStopped() {
        guard let queue else { return }
        if let failure = queue.failure {
            fail(failure)
            return
        }
        if let status = feeder.status(playedFrames: .max) { report(status) }
        close(queue)
        openQueue()
    }

    func close(_ queue: OutputQueue) {
        do throws(QueueError) {
            try queue.dispose(immediate: true)
        } catch {
            console.error("cannot close the queue: \(error.message)")
        }
    }

    private func fail(_ failure: QueueError) {
        console.error(Player.message(for: failure))
        update()
        // The request cannot fail, because a queue that has stopped reads nothing.
        _ = feeder.hold(playedFrames: playedFrames)
        if var interrupted = feeder.takeInterrupted() {
            interrupted.error = failure.message
            report(interrupted)
        }
        switch failure.code {
        case .cannotStart, .invalidDevice, .queueInvalidated: end(.noSoundServer)
        default: end(.failure)
        }
    }

    private static let advice = DeviceAdvice(
        purpose: "play", alternative: "play without sound with '--device virtual'")

    /// Returns the message for a failed queue, with advice.
    static func message(for failure: QueueError) -> String {
        advice.message(for: failure)
    }
}
