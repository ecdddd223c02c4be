import CRealTime

/// The last of three or more buffers, which a client that is in time can do without.
///
/// A frame's latency is what lies before it when it is written. With the goal ``LatencyGoal/buffers`` one buffer is
/// kept back: it returns when another is used up, so that the client writes as late as it safely can. Should the
/// server's buffer nearly run out all the same, everything that is used up returns at once, before there is a gap if
/// what comes then is in time. Nothing of this is heard: it moves callbacks, not sound.
extension PulseStream {
    /// Returns the buffers that the server has used up, but for the reserve. REAL-TIME.
    ///
    /// - Parameter asked: How much the server asks for: it has the rest of its buffer yet to play.
    @_noLocks func returnUsedUp(asked: Int) {
        let held = max(0, grantedFrames &- asked)
        // The sink's next request would find too little.
        if held < requestFrames, hasPlayed { reserve.runsShort(at: loopTime) }
        if reserve.isGiven { reserve.recover(at: loopTime) }
        let usedUp = deviceFrames &+ sourceOffset &- Int64(held &+ reserve.frames)
        unsafe rendererReference._withUnsafeGuaranteedRef { $0.returnSegments(usedUpTo: usedUp) }
    }

    /// Returns what is used up where playing stopped, the reserve too: to be filled again by the next start.
    func returnReserve() {
        guard returnsWhenUsedUp else { return }
        reserve = BufferReserve()
        renderer.returnSegments(usedUpTo: renderer.cursor)
    }
}
