import CRealTime
import Synchronization

/// Making, corking and dropping the server's stream.
extension PulseStream {
    /// Makes the server stream; what follows comes through its state callback.
    func connectStream() {
        guard connection.context != nil, let map = streamMap() else { return }
        let made: PulseStreamCalls
        do { made = try server.make(configuration.format, map) } catch { return fail(error) }
        writer.restart(at: 0)
        timing = PulseTiming()
        clockFit.followsPeriods = connection.isPipeWire
        chooseTarget()
        // As the threads that make the callbacks: it must not come after them.
        if configuration.latency.isUrgent { connection.loop.makeRealTime() }
        // Early requests: the sink takes what one request is for, the server has room for all of the client's buffers,
        // and tells each time that the sink has taken some of it.
        var options: PulseStreamOptions = buffer.returnsWhenUsedUp ? .requestsEarly : .adjustsLatency
        if !lifecycle.wantsToRun { options.insert(.startsCorked) }
        if channels.numbers != nil { options.insert(.keepsChannelsApart) }
        askForSink()
        if !made.connectPlayback(sink: sink, bufferAttributes, options) { streamFailed() }
    }

    private var bufferAttributes: PulseBufferAttributes {
        let frameBytes = UInt32(bytesPerFrame)
        // Prebuffering of one frame: the server starts with the first data, and after an underrun as soon as there is
        // any.
        return PulseBufferAttributes(
            target: UInt32(buffer.targetFrames) * frameBytes, prebuffer: frameBytes,
            request: UInt32(buffer.requestFrames) * frameBytes)
    }

    /// Asks for another buffer, if what is there to be played at a new start needs one.
    func renewTarget() {
        let earlier = buffer.targetFrames
        chooseTarget()
        guard buffer.targetFrames != earlier else { return }
        server.ask(.attributes(bufferAttributes)) { [self] in attributesChanged() }
    }

    /// Chooses what to ask of the server for what is there to be played.
    private func chooseTarget() {
        let (frames, segments) = renderer.framesToPlay(usedUpTo: renderer.cursor)
        buffer.choose(frames: frames, segments: segments)
    }

    /// Asks whether the sink that was named is there, ahead of the first stream that is made for it.
    ///
    /// QUIRK: PipeWire's server makes a stream for a sink that it does not have, and plays it on the default.
    private func askForSink() {
        guard let sink, !writer.hasPlayed else { return }
        server.ask(.sink(named: sink)) { [self] answer in
            if answer == .failed(errorNumber: PulseError.noEntity) { streamFailed() }
        }
    }

    /// Corks, empties the server's buffer, and learns where its reading stopped.
    func settle() {
        guard let stream, server.isReady else { return }
        isSettled = false
        isFeeding = false
        stream.setCorked(true)
        stream.flush()
        server.ask(.timing) { [self] in settled() }
    }

    private func settled() {
        guard let stream else { return }
        guard let info = stream.timing else {
            // Nobody knows where it stands: a new one stands at its beginning.
            dropStream()
            if lifecycle.phase == .connecting { connectStream() }
            return
        }
        writer.restart(at: info.readOffset / Int64(bytesPerFrame))
        isSettled = true
        if lifecycle.phase == .connecting { beginRunning() }
    }

    // MARK: Letting go

    /// Detaches and drops the server stream, if there is one.
    func dropStream() {
        isSettled = false
        isFeeding = false
        timedStart.end()
        polling.streamIsDropped()
        channels.endAsking()
        server.drop()
    }
}
