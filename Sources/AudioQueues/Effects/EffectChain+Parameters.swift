import AudioDevices

/// Parameters: from other threads at once, and from marks at their frames.
extension EffectChain {
    /// How long a change from another thread takes, in seconds, so as not to click.
    private static let smoothSeconds = 0.005

    /// Puts in force what other threads have asked for.
    func takeSettings() {
        let asked = newSettings.withLock { settings in
            defer { settings = Settings() }
            return settings
        }
        if asked.rate != nil || asked.pitchCents != nil || asked.isBypassed != nil {
            stretch(rate: asked.rate, pitchCents: asked.pitchCents, isBypassed: asked.isBypassed)
        }
        guard let position = asked.pan else { return }
        // Before the first frame there is nothing to go on from.
        let isFirst = timeline.maps.withLock { $0.framesGiven == 0 }
        let smoothFrames = (sampleRate * EffectChain.smoothSeconds).clamped(to: 0...4096)
        pan.go(to: position, frames: isFirst ? 0 : Int(smoothFrames))
    }

    private func stretch(rate: Float? = nil, pitchCents: Float? = nil, isBypassed: Bool? = nil) {
        stretching.set(rate: rate, pitchCents: pitchCents, isBypassed: isBypassed)
        let rate = stretching.rateInForce
        timeline.maps.withLock { $0.turn(rate: rate) }
    }

    /// Puts an event in force, for the next frame that the effects make.
    func apply(_ event: QueueParameterEvent) {
        switch event {
        case .playRate(let rate): stretch(rate: EffectChain.validRate(rate))
        case .pitch(let cents): stretch(pitchCents: EffectChain.validPitch(cents: cents))
        case .pan(let position):
            let position = EffectChain.validPan(position)
            if isSpread { behind.pan = position } else { pan.go(to: position, frames: 0) }
        case .volume: break
        }
    }

    // MARK: Behind the stretcher

    /// Puts the events in force whose frame the stretcher has come to.
    func applyChanges(all isAll: Bool = false) {
        while let change = changes.first, isAll || behind.isEmpty {
            guard isAll || frameReached >= Double(change.frame) - 0.5 else { return }
            _ = changes.popFirst()
            if let event = change.event { apply(event) } else { behind.isGap = true }
        }
    }

    /// Frames that the stretcher has to give before the next event.
    var framesToChange: Int {
        guard let change = changes.first else { return .max }
        let frames = (Double(change.frame) - frameReached) / stretching.rateInForce
        return Int(frames.rounded(.up).clamped(to: 1...1e9))
    }

    /// The frame of the first tap's that the stretcher has come to.
    private var frameReached: Double { timeline.maps.withLock { $0.frameReached } }
}
