// SPDX-License-Identifier: MIT

import AQDevices

/// Input and output of frames, on the engine's thread.
extension EffectChain {
    // MARK: In

    /// Returns room for decoded frames, valid until the next call.
    func room(frames: Int) -> UnsafeMutablePointer<Float> { unsafe before.fifo.room(frames: frames) }

    /// Adds frames that were decoded into the room returned last.
    func didDecode(frames: Int) { before.fifo.didPut(frames: frames) }

    /// Marks a change of parameters after the frames added so far.
    ///
    /// - Parameter events: The changes, in order. Volumes and gains are ignored, because the device applies them.
    func mark(_ events: [QueueParameterEvent]) {
        let own = events.filter {
            switch $0 {
            case .volume, .sourceGain: false
            case .playRate, .pitch, .pan: true
            }
        }
        if !own.isEmpty { before.fifo.put(.events(own)) }
    }

    /// Marks the end of a sequence. Its frames are all output, and taps receive the end.
    func markEnd() { before.fifo.put(.end) }

    /// Marks a gap between the previous and the next frames. Taps receive the gap.
    func markGap() { before.fifo.put(.gap) }

    /// The number of added frames that wait; at least 1 while the stretcher may have frames ready.
    var pendingFrames: Int { before.fifo.frames + after.fifo.frames + (stretching.mayGive ? 1 : 0) }

    /// Whether `process` requires more frames, unless the call is urgent.
    var wantsInput: Bool {
        before.fifo.ends == 0 && before.fifo.frames < framesNeeded && !stretching.mayGive
    }

    /// Drops all pending frames. Parameters remain, and a tap's next call begins a stream.
    func restart() {
        before.restart()
        after.restart()
        stretching.restart()
        changes.removeAll()
        behind = Boundary()
        let rate = stretching.rateInForce
        timeline.maps.withLock { $0.restart(rate: rate) }
    }

    /// Sets the sample time of the next frame for taps. Times of later frames are counted from there.
    func setSampleTime(_ sampleTime: Double) {
        before.sampleTime = sampleTime
        after.sampleTime = sampleTime
    }

    // MARK: Out

    /// Outputs frames of ``outputChannels`` channels.
    ///
    /// - Parameter isUrgent: Whether less than a chunk may be processed.
    /// - Returns: The number of frames; 0 if more input is required.
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

    /// Outputs frames of the effects, if no tap follows them.
    ///
    /// - Returns: The number of frames; 0 if more input is required.
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

    /// Outputs frames of the tap after the effects.
    ///
    /// - Returns: The number of frames; 0 if more input is required.
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

    /// Fills the input of the tap after the effects with a chunk, or with the frames before a sequence's end.
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

    /// Outputs frames of ``channels`` channels with the effects, up to the next event for later stages.
    ///
    /// Pans the frames unless a later stage does.
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

    /// Passes on frames of the first tap unchanged.
    ///
    /// - Returns: The number of frames; nil if there is neither a frame nor an event.
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

    /// Outputs frames of the stretcher. If it has none, passes a chunk to it.
    ///
    /// - Returns: The number of frames; nil if neither is possible.
    private func stretch(
        into output: UnsafeMutablePointer<Float>, frames: Int, isUrgent: Bool
    ) -> Int? {
        applyChanges()
        // The event applies to later frames, not to those made before.
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

    /// Returns whether frames can be processed: in an urgent call, with enough frames for whole chunks, or at an end.
    private func isReady(_ isUrgent: Bool) -> Bool { isUrgent || !wantsInput }

    private func tapDecoded(into output: UnsafeMutablePointer<Float>, frames: Int) -> TapStage.Outcome {
        let fifo = before.fifo
        let start = fifo.framesTaken
        let outcome = unsafe before.produce(into: output, frames: frames)
        guard outcome.frames > 0 else { return outcome }
        // A tap may read another number of frames than it outputs.
        let taken = Int(fifo.framesTaken - start)
        timeline.maps.withLock { $0.didTap(frames: outcome.frames, from: start, to: fifo.framesTaken) }
        if before.framesMissed > 0 {
            // The tap reads ahead, or faster than it outputs: from now on, the number that was missing is decoded as
            // well.
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
