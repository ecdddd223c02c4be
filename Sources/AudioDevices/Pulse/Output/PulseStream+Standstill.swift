import CRealTime

/// Buffers that the server has taken, and does not play.
///
/// QUIRK: PipeWire's server plays whole periods. The rest of what came last, and buffers that are less than a period
/// together, it keeps until more comes or a drain is asked for: a client that waits for such buffers, to fill or to
/// stop, would wait for good. A drain that is asked for beforehand would have the rest heard, but what is written
/// while the server carries it out is cut by up to a period, or makes its stream stand still.
extension PulseStream {
    /// Has ``checkStandstill()`` look after what was written last, unless the server goes on playing. REAL-TIME.
    @_noLocks func watchForStandstill() {
        guard !standstill.isSounding, deadline == .max else { return }
        // The first start may wake a sink. Later, what is written is taken within a block, and that is told.
        var seconds = 0.1
        if timing.isValid { seconds = 0.02 + Double(timing.sinkBlockFrames) / sampleRate }
        standstill.watch(upTo: writer.end)
        let hostTime = loopTime &+ UInt64(seconds * 1e9)
        deadline = hostTime
        unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: hostTime) }
    }

    /// Asks the server whether it plays what was written.
    func checkStandstill() {
        guard buffer.returnsWhenUsedUp, isFeeding, !standstill.isSounding else { return }
        server.ask(.timing) { [self] in standstillIsTimed() }
    }

    /// Returns what the server has taken, if it stands, and has no whole block to play.
    private func standstillIsTimed() {
        guard lifecycle.isRunning, isFeeding, !standstill.isSounding, !isSuspended else { return }
        guard !timing.isMoving, lifecycle.drain.ticket == nil else { return }
        let heldFrames = writer.end - Int64(timing.readFrames)
        guard heldFrames > 0, heldFrames < timing.sinkBlockFrames else { return }
        // What was written since may be about to be played.
        if standstill.watchedFrame != writer.end { return watchForStandstill() }
        renderer.returnSegments(usedUpTo: writer.end + writer.offset)
    }
}
