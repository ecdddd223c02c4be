// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// Making, corking and dropping the server's stream.
extension PulseStream {
    /// Makes the server's stream, whose callbacks continue the start.
    func connectStream() {
        guard connection.context != nil, let map = streamMap() else { return }
        let made: PulseStreamCalls
        do { made = try server.make(configuration.format, map) } catch { return fail(error) }
        writer.restart(at: 0)
        timing = PulseTiming()
        clockFit.followsPeriods = connection.isPipeWire
        chooseTarget()
        // The threads that run callbacks have high priority, so this thread needs a higher one.
        if configuration.latency.isUrgent || buffer.slices != nil { connection.loop.makeRealTime() }
        // With early requests, the sink takes the data of one request, and the server has room for all of the client's
        // buffers. It then reports each time that the sink has taken data.
        var options: PulseStreamOptions = buffer.returnsWhenUsedUp ? .requestsEarly : .adjustsLatency
        if !lifecycle.wantsToRun { options.insert(.startsCorked) }
        if target.numbers != nil { options.insert(.keepsChannelsApart) }
        if !made.connectPlayback(sink: sink, bufferAttributes, options) { streamFailed() }
    }

    private var bufferAttributes: PulseBufferAttributes {
        let frameBytes = UInt32(bytesPerFrame)
        // Prebuffering is one frame: the server starts with the first data, also after an underrun.
        return PulseBufferAttributes(
            target: UInt32(buffer.targetFrames) * frameBytes, prebuffer: frameBytes,
            request: UInt32(buffer.requestFrames) * frameBytes)
    }

    /// Requests another buffer size, if the waiting audio of a new start needs one.
    func renewTarget() {
        let earlier = buffer.targetFrames
        chooseTarget()
        guard buffer.targetFrames != earlier else { return }
        server.ask(.attributes(bufferAttributes)) { [self] in attributesChanged() }
    }

    /// Chooses the requested sizes for the waiting audio.
    private func chooseTarget() {
        let (frames, segments) = renderer.framesToPlay(usedUpTo: renderer.cursor)
        buffer.choose(frames: frames, segments: segments)
    }

    /// Corks the stream, empties the server's buffer, and gets the server's read position.
    func settle() {
        guard let stream, server.isReady else { return }
        isSettled = false
        isFeeding = false
        server.setCorked(true)
        stream.flush()
        server.ask(.timing) { [self] in settled() }
    }

    private func settled() {
        guard let stream else { return }
        guard let info = stream.timing else {
            // The position is unknown. A new stream begins at 0.
            dropStream()
            if lifecycle.phase == .connecting { connectStream() }
            return
        }
        writer.restart(at: info.readOffset / Int64(bytesPerFrame))
        isSettled = true
        if lifecycle.phase == .connecting { beginRunning() }
    }

    // MARK: Dropping

    /// Drops the server's stream, if there is one.
    func dropStream() {
        isSettled = false
        isFeeding = false
        timedStart.end()
        polling.streamIsDropped()
        target.endAsking()
        server.drop()
    }
}
