// SPDX-License-Identifier: MIT

import CAQRealTime

/// The return of buffers that the server has taken and does not play.
///
/// QUIRK: PipeWire plays whole periods. It keeps the rest of the last data, and buffers that are shorter than a period
/// in total, until more data or a drain arrives. A client that waits for such buffers, to fill them or to stop, would
/// wait forever. A drain in advance would play the rest, but data written during the drain loses up to a period, or
/// stalls the stream.
extension PulseStream {
    /// Schedules ``checkForStall()`` for the audio written last, unless the server plays. REAL-TIME.
    @_noLocks func watchForStall() {
        guard !stall.isPlaying, deadline == .max else { return }
        // The first start may have to wake the sink. Later, the sink takes written data within a block, and the server
        // reports this.
        var seconds = 0.1
        if timing.isValid { seconds = 0.02 + Double(timing.sinkBlockFrames) / sampleRate }
        stall.watch(upTo: writer.end)
        let hostTime = loopTime &+ UInt64(seconds * 1e9)
        deadline = hostTime
        unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: hostTime) }
    }

    /// Asks the server whether it plays the written audio.
    func checkForStall() {
        guard buffer.returnsWhenUsedUp, isFeeding, !stall.isPlaying else { return }
        server.ask(.timing) { [self] in stallIsTimed() }
    }

    /// Returns the buffers that the server has taken, if it stalls without a whole block to play.
    private func stallIsTimed() {
        guard lifecycle.isRunning, isFeeding, !stall.isPlaying, !isSuspended, !server.isHeld else { return }
        guard !timing.isMoving, lifecycle.drain.ticket == nil else { return }
        let heldFrames = writer.end - Int64(timing.readFrames)
        guard heldFrames > 0, heldFrames < timing.sinkBlockFrames else { return }
        // Audio written since may be about to play.
        if stall.watchedFrame != writer.end { return watchForStall() }
        renderer.returnSegments(usedUpTo: writer.end + writer.offset)
    }
}
