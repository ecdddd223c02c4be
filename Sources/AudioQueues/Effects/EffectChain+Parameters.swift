import AudioDevices

/// Parameters: from other threads at once, and from marks at their frames.
extension EffectChain {
    /// The duration of a change from another thread, in seconds, which avoids a click.
    private static let smoothSeconds = 0.005

    /// Applies the requests of other threads.
    func takeWishes() {
        let asked = wishes.withLock { wishes in
            let asked = wishes
            wishes = Wishes()
            return asked
        }
        if let rate = asked.rate { self.rate = Double(rate) }
        if let cents = asked.pitchCents { pitchCents = Double(cents) }
        if let isBypassed = asked.isBypassed { self.isBypassed = isBypassed }
        if asked.rate != nil || asked.pitchCents != nil || asked.isBypassed != nil { putInForce() }
        guard let position = asked.pan else { return }
        // Before the first frame there is no value to start from.
        let smoothFrames = (sampleRate * EffectChain.smoothSeconds).clamped(to: 0...4096)
        pan.go(to: position, frames: framesGiven == 0 ? 0 : Int(smoothFrames))
    }

    /// The rate of the stretcher's output from now on.
    var rateInForce: Double { stretcher == nil || isBypassed ? 1 : rate }

    /// Passes the present parameters to the stretcher.
    func putInForce() {
        guard let stretcher else { return }
        let rate = rateInForce
        stretcher.setRate(rate)
        // When bypassed, it runs at the rate and the pitch of the source: removing it would cause a gap,
        // since it holds frames.
        stretcher.setPitch(cents: isBypassed || algorithm != .spectral ? 0 : pitchCents)
        let frame = Double(framesTreated)
        timeline.maps.withLock { $0.effects.turn(atOutput: frame, rate: rate) }
    }

    /// Applies an event from the next frame of the effects on.
    func apply(_ event: QueueParameterEvent) {
        switch event {
        case .playRate(let rate):
            self.rate = Double(EffectChain.validRate(rate))
            putInForce()
        case .pitch(let cents):
            pitchCents = Double(EffectChain.validPitch(cents: cents))
            putInForce()
        case .pan(let position):
            let position = EffectChain.validPan(position)
            if isSpread { panBehind = position } else { pan.go(to: position, frames: 0) }
        case .volume: break
        }
    }

    /// Whether the stages after the effects need an event before more frames are made.
    var mustTellBehind: Bool { hasSequenceEnded || hasGapBehind || panBehind != nil }

    // MARK: Behind the stretcher

    /// Applies the events whose frames the stretcher has reached.
    func applyChanges(all isAll: Bool = false) {
        while let change = changes.first, isAll || !mustTellBehind {
            guard isAll || frameReached >= Double(change.frame) - 0.5 else { return }
            _ = changes.popFirst()
            if let event = change.event { apply(event) } else { hasGapBehind = true }
        }
    }

    /// The number of frames that the stretcher outputs before the next event.
    var framesToChange: Int {
        guard let change = changes.first else { return .max }
        let frames = (Double(change.frame) - frameReached) / rateInForce
        return Int(frames.rounded(.up).clamped(to: 1...1e9))
    }

    /// The frame of the first tap's output that the stretcher has reached.
    private var frameReached: Double {
        let frame = Double(framesTreated)
        return timeline.maps.withLock { $0.effects.source(atOutput: frame) }
    }
}
