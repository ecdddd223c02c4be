// SPDX-License-Identifier: MIT

import AQDevices

/// Changes of parameters: those that other threads request, and those that are marked at a frame.
extension EffectChain {
    /// The duration of a pan change that another thread requests, in seconds: long enough to avoid a click.
    private static let smoothSeconds = 0.005

    /// Applies the requests of other threads.
    func takeSettings() {
        let asked = newSettings.withLock { settings in
            defer { settings = Settings() }
            return settings
        }
        if asked.rate != nil || asked.pitchCents != nil || asked.isBypassed != nil {
            stretch(rate: asked.rate, pitchCents: asked.pitchCents, isBypassed: asked.isBypassed)
        }
        guard let position = asked.pan else { return }
        // Before the first frame there is no previous pan to move from.
        let isFirst = timeline.maps.withLock { $0.framesGiven == 0 }
        let smoothFrames = (sampleRate * EffectChain.smoothSeconds).clamped(to: 0...4096)
        pan.go(to: position, frames: isFirst ? 0 : Int(smoothFrames))
    }

    private func stretch(rate: Float? = nil, pitchCents: Float? = nil, isBypassed: Bool? = nil) {
        stretching.set(rate: rate, pitchCents: pitchCents, isBypassed: isBypassed)
        let rate = stretching.rateInForce
        timeline.maps.withLock { $0.turn(rate: rate) }
    }

    /// Applies an event from the effects' next output frame on.
    func apply(_ event: QueueParameterEvent) {
        switch event {
        case .playRate(let rate): stretch(rate: EffectChain.validRate(rate))
        case .pitch(let cents): stretch(pitchCents: EffectChain.validPitch(cents: cents))
        case .pan(let position):
            let position = EffectChain.validPan(position)
            if isSpread { behind.pan = position } else { pan.go(to: position, frames: 0) }
        case .volume, .sourceGain: break
        }
    }

    // MARK: Behind the stretcher

    /// Applies the events whose frames the stretcher has reached, or all events.
    func applyChanges(all isAll: Bool = false) {
        while let change = changes.first, isAll || behind.isEmpty {
            guard isAll || frameReached >= Double(change.frame) - 0.5 else { return }
            _ = changes.popFirst()
            if let event = change.event { apply(event) } else { behind.isGap = true }
        }
    }

    /// The number of frames that the stretcher outputs before the next event.
    var framesToChange: Int {
        guard let change = changes.first else { return .max }
        let frames = (Double(change.frame) - frameReached) / stretching.rateInForce
        return Int(frames.rounded(.up).clamped(to: 1...1e9))
    }

    /// The frame of the first tap's output that the stretcher has reached.
    private var frameReached: Double { timeline.maps.withLock { $0.frameReached } }
}
