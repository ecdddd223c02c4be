import AudioDevices

/// Frames in, frames out, on the engine's thread.
extension EffectChain {
    // MARK: In

    /// Room for frames to be decoded to; until the next call.
    func room(frames: Int) -> UnsafeMutablePointer<Float> { unsafe before.fifo.room(frames: frames) }

    /// Puts frames that were decoded to the room last given out.
    func didDecode(frames: Int) { before.fifo.didPut(frames: frames) }

    /// Has parameters change behind what was put so far.
    ///
    /// - Parameter events: In their order. Volumes are passed over: they are the device's.
    func mark(_ events: [QueueParameterEvent]) {
        let own = events.filter { if case .volume = $0 { false } else { true } }
        if !own.isEmpty { before.fifo.put(.events(own)) }
    }

    /// Ends the sequence: all of it comes out, and taps hear of the end.
    func markEnd() { before.fifo.put(.end) }

    /// What is put from now on does not follow on what was put before, which taps hear.
    func markGap() { before.fifo.put(.gap) }

    /// Frames that were put and wait; at least 1 while the stretcher may have some ready.
    var pendingFrames: Int { before.fifo.frames + after.fifo.frames + (stretching.mayGive ? 1 : 0) }

    /// Whether `process` needs more to be put first, unless it is urgent.
    var wantsInput: Bool {
        before.fifo.ends == 0 && before.fifo.frames < framesNeeded && !stretching.mayGive
    }

    /// Forgets all that is pending; parameters stay, and the next call of a tap begins a stream.
    func restart() {
        before.restart()
        after.restart()
        stretching.restart()
        changes.removeAll()
        behind = Boundary()
        let rate = stretching.rateInForce
        timeline.maps.withLock { $0.restart(rate: rate) }
    }

    /// Says what taps are told of the next frame, which is counted on from there.
    func setSampleTime(_ sampleTime: Double) {
        before.sampleTime = sampleTime
        after.sampleTime = sampleTime
    }

    // MARK: Out

    /// Gives frames of ``outputChannels``.
    ///
    /// - Parameter isUrgent: Whether less than a chunk may be made of what there is.
    /// - Returns: Frames; 0 when more has to be put first.
    func process(
        into output: UnsafeMutablePointer<Float>, capacityFrames: Int, isUrgent: Bool
    ) -> Int {
        takeSettings()
        var given = 0
        while given < capacityFrames {
            let room = unsafe output + given * outputChannels
            let wanted = capacityFrames - given
            let frames: Int
            if isTapBehind {
                frames = unsafe tapTreated(into: room, frames: wanted, isUrgent: isUrgent)
            } else {
                frames = unsafe treatLast(into: room, frames: wanted, isUrgent: isUrgent)
            }
            if frames == 0 { break }
            given += frames
        }
        return given
    }

    /// Has the effects make frames, if no tap is behind them.
    ///
    /// - Returns: 0 when more has to be put first.
    private func treatLast(
        into output: UnsafeMutablePointer<Float>, frames: Int, isUrgent: Bool
    ) -> Int {
        while true {
            let count = unsafe treat(into: output, frames: frames, isUrgent: isUrgent)
            if isSpread { unsafe pan.spread(output, frames: count) }
            timeline.maps.withLock { $0.didGive(frames: count) }
            let boundary = takeBoundary()
            if let position = boundary.pan { pan.go(to: position, frames: 0) }
            if count > 0 || boundary.isEmpty { return count }
        }
    }

    private func takeBoundary() -> Boundary {
        defer { behind = Boundary() }
        return behind
    }

    /// Has the tap behind the effects make frames.
    ///
    /// - Returns: 0 when more has to be put first.
    private func tapTreated(
        into output: UnsafeMutablePointer<Float>, frames: Int, isUrgent: Bool
    ) -> Int {
        let wanted = min(frames, chunkFrames)
        let fifo = after.fifo
        while true {
            fillTreated(isUrgent: isUrgent)
            guard isUrgent || fifo.ends > 0 || fifo.frames >= wanted else { return 0 }
            let start = fifo.framesTaken
            let outcome = unsafe after.produce(into: output, frames: wanted)
            let count = outcome.frames
            if count > 0 {
                timeline.maps.withLock { $0.didGive(frames: count, from: start, to: fifo.framesTaken) }
                if isSpread { unsafe pan.spread(output, frames: count) }
            }
            for case .pan(let position) in outcome.events { pan.go(to: position, frames: 0) }
            if count > 0 || outcome.isEmpty { return count }
        }
    }

    /// Has the effects make a chunk for the tap behind them, or as much as there is before a sequence's end.
    private func fillTreated(isUrgent: Bool) {
        let fifo = after.fifo
        while fifo.frames < chunkFrames, fifo.ends == 0 {
            let wanted = chunkFrames - fifo.frames
            let room = unsafe fifo.room(frames: wanted)
            let count = unsafe treat(into: room, frames: wanted, isUrgent: isUrgent)
            fifo.didPut(frames: count)
            let boundary = takeBoundary()
            if let pan = boundary.pan { fifo.put(.events([.pan(pan)])) }
            if boundary.isGap { fifo.put(.gap) }
            if boundary.isSequenceEnd { fifo.put(.end) }
            guard count > 0 || !boundary.isEmpty else { return }
        }
    }

    // MARK: The effects

    /// Makes frames of ``channels``, panned unless that comes later; stops at what concerns the stages behind.
    private func treat(
        into output: UnsafeMutablePointer<Float>, frames: Int, isUrgent: Bool
    ) -> Int {
        var made = 0
        while made < frames, behind.isEmpty {
            let room = unsafe output + made * channels
            let count: Int?
            if stretching.isActive {
                count = unsafe stretch(into: room, frames: frames - made, isUrgent: isUrgent)
            } else {
                count = unsafe pass(into: room, frames: min(frames - made, chunkFrames), isUrgent: isUrgent)
            }
            guard let count else { break }
            made += count
        }
        return made
    }

    /// Passes frames on as the first tap gives them.
    ///
    /// - Returns: Nil when there are none, and nothing else has happened.
    private func pass(
        into output: UnsafeMutablePointer<Float>, frames: Int, isUrgent: Bool
    ) -> Int? {
        guard isReady(isUrgent) else { return nil }
        let outcome = unsafe tapDecoded(into: output, frames: frames)
        unsafe didTreat(outcome.frames, at: output)
        for event in outcome.events { apply(event) }
        if outcome.isGap { behind.isGap = true }
        if outcome.isSequenceEnd { endSequence() }
        return outcome.isEmpty ? nil : outcome.frames
    }

    /// Gives what the stretcher has ready, or else has it take a chunk.
    ///
    /// - Returns: Nil when neither is to be had.
    private func stretch(
        into output: UnsafeMutablePointer<Float>, frames: Int, isUrgent: Bool
    ) -> Int? {
        applyChanges()
        // It concerns what comes now, and not what was made before.
        if !behind.isEmpty { return 0 }
        let count = unsafe stretching.take(into: output, frames: min(frames, framesToChange))
        if count > 0 {
            unsafe didTreat(count, at: output)
            return count
        }
        if stretching.isFinishing {
            stretching.restart()
            applyChanges(all: true)
            endSequence()
            return 0
        }
        guard isReady(isUrgent) else { return nil }
        let outcome = unsafe tapDecoded(into: stretching.block, frames: chunkFrames)
        stretching.put(frames: outcome.frames)
        let framesTapped = timeline.maps.withLock { $0.framesTapped }
        for event in outcome.events { changes.append(Change(frame: framesTapped, event: event)) }
        if outcome.isGap { changes.append(Change(frame: framesTapped, event: nil)) }
        if outcome.isSequenceEnd { stretching.finish() }
        return outcome.isEmpty ? nil : 0
    }

    /// Whether enough was decoded for whole chunks, or a sequence ends.
    private func isReady(_ isUrgent: Bool) -> Bool { isUrgent || !wantsInput }

    /// Has the tap before the effects make frames.
    private func tapDecoded(into output: UnsafeMutablePointer<Float>, frames: Int) -> TapStage.Outcome {
        let fifo = before.fifo
        let start = fifo.framesTaken
        let outcome = unsafe before.produce(into: output, frames: frames)
        guard outcome.frames > 0 else { return outcome }
        // A tap may take another number of frames than it gives.
        let taken = Int(fifo.framesTaken - start)
        timeline.maps.withLock { $0.didTap(frames: outcome.frames, from: start, to: fifo.framesTaken) }
        if before.framesMissed > 0 {
            // It reads ahead, or faster than it gives: from now on as much is kept for it as it would have taken.
            let wanted = taken + before.framesMissed
            framesNeeded = max(framesNeeded, min(wanted, EffectChain.mostChunksAhead * chunkFrames))
        }
        return outcome
    }

    private func didTreat(_ count: Int, at frames: UnsafeMutablePointer<Float>) {
        guard count > 0 else { return }
        timeline.maps.withLock { $0.didTreat(frames: count) }
        if channels == 2 { unsafe pan.balance(frames, frames: count) }
    }

    private func endSequence() {
        behind.isSequenceEnd = true
        let rate = stretching.rateInForce
        timeline.maps.withLock { $0.endSequence(rate: rate) }
    }
}
