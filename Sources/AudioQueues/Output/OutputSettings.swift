// SPDX-License-Identifier: MIT

import AQDevices

/// The client's settings, which outlast a path.
///
/// A volume, rate, pitch or pan that is enqueued with a buffer replaces the client's value when the buffer is
/// rendered.
struct OutputSettings {
    /// The volume that was set last, or in force when the path was made: see ``volumeInForce(on:)``.
    private(set) var volume: Float = 1
    private(set) var pan: Float = 0
    private(set) var playRate: Float = 1
    private(set) var pitchCents: Float = 0
    private(set) var isBypassed = false
    private(set) var isMetering = false
    private(set) var name: String?
    /// The goal from the next start on; nil to derive it from the enqueued buffers.
    var latency: LatencyGoal?
    var magicCookie: [UInt8]
    /// The name with which streams are made.
    private let initialName: String?

    init(_ configuration: OutputQueue.Configuration, magicCookie: [UInt8]) {
        name = configuration.name
        initialName = configuration.name
        latency = configuration.latency
        self.magicCookie = magicCookie
    }

    // MARK: In force

    /// The volume at the frame playing now: that of a buffer, unless the client has set another volume since.
    func volumeInForce(on path: OutputPath) -> Float { path.stream.segmentGain ?? volume }

    /// The pan position at the frame playing now. With effects, these also apply the positions of buffers.
    func panInForce(on path: OutputPath) -> Float { path.stream.segmentPan ?? pan }

    /// Keeps the values that buffers have set on a path that will be replaced.
    mutating func keepInForce(on path: OutputPath) {
        (volume, pan) = (volumeInForce(on: path), panInForce(on: path))
    }

    func apply(to path: OutputPath) {
        if volume != 1 { path.stream.setGain(volume, rampSeconds: 0) }
        if isMetering { path.stream.setMetering(true) }
        if name != initialName { path.stream.setName(name) }
        guard let chain = path.chain else {
            if pan != 0 { path.stream.setPan(pan) }
            return
        }
        chain.setPan(pan)
        chain.setRate(playRate)
        chain.setPitch(cents: pitchCents)
        chain.setBypassed(isBypassed)
    }

    /// Records the values that change with a buffer, except the values that the stream reports.
    mutating func note(_ events: [QueueParameterEvent], hasChain: Bool) {
        for event in events {
            switch event {
            case .volume, .sourceGain: break
            case .playRate(let rate): playRate = EffectChain.validRate(rate)
            case .pitch(let cents): pitchCents = EffectChain.validPitch(cents: cents)
            case .pan(let pan): if hasChain { self.pan = EffectChain.validPan(pan) }
            }
        }
    }

    /// Records the values of a restarted chain. Those of dropped buffers never applied.
    mutating func setInForce(rate: Double, pitchCents: Double, pan: Float) {
        playRate = Float(rate)
        self.pitchCents = Float(pitchCents)
        self.pan = pan
    }

    // MARK: Setting

    mutating func setVolume(_ gain: Float, rampSeconds: Double, on path: OutputPath) {
        volume = Float(Double(gain).clamped(to: 0...1))
        path.stream.setGain(volume, rampSeconds: rampSeconds.clamped(to: 0...3600))
    }

    mutating func setPan(_ pan: Float, on path: OutputPath) {
        self.pan = EffectChain.validPan(pan)
        // Not both, because the output of effects is already panned.
        if let chain = path.chain { chain.setPan(self.pan) } else { path.stream.setPan(self.pan) }
    }

    mutating func setPlayRate(_ rate: Float, on path: OutputPath) {
        playRate = EffectChain.validRate(rate)
        path.chain?.setRate(playRate)
    }

    mutating func setSpeed(_ speed: Float, on path: OutputPath) {
        playRate = EffectChain.validSpeed(speed)
        path.chain?.setRate(playRate)
    }

    mutating func setPitch(cents: Float, on path: OutputPath) {
        pitchCents = EffectChain.validPitch(cents: cents)
        path.chain?.setPitch(cents: pitchCents)
    }

    mutating func setBypassed(_ isBypassed: Bool, on path: OutputPath) {
        self.isBypassed = isBypassed
        path.chain?.setBypassed(isBypassed)
    }

    mutating func setMetering(_ isOn: Bool, on path: OutputPath) {
        isMetering = isOn
        path.stream.setMetering(isOn)
    }

    mutating func setName(_ name: String?, on path: OutputPath) {
        self.name = name
        path.stream.setName(name)
    }
}
