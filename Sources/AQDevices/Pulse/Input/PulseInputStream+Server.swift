// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// Making and dropping the server's stream, and the server's reports about it.
extension PulseInputStream {
    /// The shortest fragment that is requested. A shorter one would make the whole source wake up as often.
    private static let shortestFragmentSeconds = 0.001
    /// The largest number of bytes that a server sends at once.
    ///
    /// QUIRK: as soon as PipeWire has a whole fragment, it sends this many bytes of it. It keeps the rest of a longer
    /// fragment until the next fragment is complete, so the audio always lags by that amount.
    private static let longestFragmentBytes = 1 << 16

    /// Makes the server's stream, whose callbacks continue the start.
    func connectStream() {
        guard connection.context != nil, let (source, map) = streamTarget() else { return }
        let made: PulseStreamCalls
        do { made = try server.make(configuration.format, map) } catch { return fail(error) }
        kind.restart(isPipeWire: connection.isPipeWire)
        learnArrival()
        wasSuspended = false
        receivedFrames = 0
        cutFrame = .max
        timingAt = 0
        watch.restart()
        rate.restart()
        time.device.interrupt()
        if Double(fragmentFrames) < ThreadPriority.urgentSeconds * sampleRate {
            connection.loop.makeRealTime()
        }
        // libpulse's own timing updates stay off, because each wakes this process and the server.
        var options: PulseStreamOptions = .adjustsLatency
        // A named source is not replaced by another when it is unplugged. A stream on the default source follows the
        // default.
        if source != nil { options.insert(.staysAtDevice) }
        if target.numbers != nil { options.insert(.keepsChannelsApart) }
        let attributes = bufferAttributes(fragmentFrames: fragmentFrames)
        if !made.connectRecording(source: source, attributes, options) { streamFailed() }
    }

    func bufferAttributes(fragmentFrames: Int) -> PulseBufferAttributes {
        let shortest = max(1, Int(PulseInputStream.shortestFragmentSeconds * sampleRate))
        let longest = max(shortest, PulseInputStream.longestFragmentBytes / bytesPerFrame)
        // Equal parts, so that a client's buffer ends with the last part.
        let parts = max(1, (fragmentFrames + longest - 1) / longest)
        let part = max(shortest, (fragmentFrames + parts - 1) / parts)
        let frames = wholeFragment(frames: part)
        // The queue has the longest possible length, because frames wait in it only while this process does not run.
        return PulseBufferAttributes(fragment: UInt32(frames * bytesPerFrame))
    }

    /// The size to request so that a fragment has that many frames.
    ///
    /// The server converts to whole microseconds and back and rounds down each time. Of 80 frames at 48 kHz only 79
    /// would remain, so each buffer would end inside a fragment and wait for the next. One more requested frame adds
    /// less than one whole frame to the result.
    private func wholeFragment(frames: Int) -> Int {
        let isWhole = (Double(frames) * 1e6).truncatingRemainder(dividingBy: sampleRate) == 0
        return isWhole ? frames : frames + 1
    }

    /// Handles the report that the server is PipeWire's.
    func serverIsPipeWire() {
        kind.serverIsPipeWire()
        learnArrival()
    }

    /// Records whether blocks arrive when their first frame is audible.
    private func learnArrival() {
        watch.times.isMonitor = kind.arrivesAhead
        arrivesAhead.store(kind.arrivesAhead, ordering: .relaxed)
    }

    func streamIsReady() {
        wasSuspended = isSuspended
        lifecycle.streamIsReady()
        attributesChanged()
        beginCapture()
    }

    /// Answers a start as soon as the source captures for this stream.
    ///
    /// The first fragment takes as long as half a client's buffer. If it answered the start, that much audio would
    /// already be recorded when the client gets the answer.
    private func beginCapture() {
        // A suspended source may never capture anything, so its first frames answer the start.
        if isSuspended { return }
        guard lifecycle.phase == .connecting else { return }
        let now = loopTime
        let frame = time.frame(at: now)
        time.setAnchor(frame: frame, at: now)
        time.limitFrame = frame + grantedFragmentSeconds * sampleRate
        answerStart()
        clock.publish(time)
    }

    /// Reads the granted buffer sizes, at the start and after each change.
    func attributesChanged() {
        guard let stream, let attributes = stream.attributes else { return }
        let frames = Int(attributes.fragment) / bytesPerFrame
        // The short fragment that a pause or stop has requested is not recorded.
        if lifecycle.ending == nil { grantedFragmentSeconds = Double(frames) / sampleRate }
        grant.set(
            targetFrames: Int(attributes.longest) / bytesPerFrame, requestFrames: frames,
            deviceName: stream.deviceName)
        connection.askForNews()
        server.ask(.sourceAt(index: stream.deviceIndex)) { [self] answer in
            if let source = answer.device { readSource(source.info) }
            // The source disappeared before the connection was subscribed to changes.
            if answer == .failed(errorNumber: PulseError.noEntity) { streamFailed() }
        }
    }

    private func readSource(_ info: DeviceInfo) {
        kind.describe(isMonitor: info.isMonitor)
        if info.isMonitor { watch.times.forgetLatency() }
        learnArrival()
        grant.setDevice(info)
    }

    /// Drops the server's stream, if there is one.
    func dropStream() {
        wasSuspended = false
        watch.cancelCheck()
        target.endAsking()
        server.drop()
    }
}
