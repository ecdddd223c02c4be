import AudioDevices

/// The client's settings, which outlast a path.
///
/// A volume, rate, pitch or position that is enqueued with a buffer replaces the client's when the buffer is rendered.
struct OutputSettings {
    /// The volume last set, or in force when the path was made: see ``volumeInForce(on:)``.
    private(set) var volume: Float = 1
    private(set) var pan: Float = 0
    private(set) var playRate: Float = 1
    private(set) var pitchCents: Float = 0
    private(set) var isBypassed = false
    private(set) var isMetering = false
    /// The name of the stream in a mixer.
    private(set) var name: String?
    /// The goal from the next start on; nil follows what is enqueued.
    var latency: LatencyGoal?
    var magicCookie: [UInt8]
    /// The name that streams are made with.
    private let initialName: String?

    init(_ configuration: OutputQueue.Configuration, magicCookie: [UInt8]) {
        name = configuration.name
        initialName = configuration.name
        latency = configuration.latency
        self.magicCookie = magicCookie
    }

    // MARK: In force

    /// The volume in force at the frame playing now: that of a buffer, unless the client has set another since.
    func volumeInForce(on path: OutputPath) -> Float { path.stream.segmentGain ?? volume }

    /// The pan in force at the frame playing now. Effects also pan for buffers.
    func panInForce(on path: OutputPath) -> Float { path.stream.segmentPan ?? pan }

    /// Keeps the values that buffers have set on a path before it is replaced.
    mutating func keepInForce(on path: OutputPath) {
        (volume, pan) = (volumeInForce(on: path), panInForce(on: path))
    }

    /// Applies the earlier settings to a new path.
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

    /// Records the values that change with a buffer, except those that the stream reports.
    mutating func note(_ events: [QueueParameterEvent], hasChain: Bool) {
        for event in events {
            switch event {
            case .volume: break
            case .playRate(let rate): playRate = EffectChain.validRate(rate)
            case .pitch(let cents): pitchCents = EffectChain.validPitch(cents: cents)
            case .pan(let pan): if hasChain { self.pan = EffectChain.validPan(pan) }
            }
        }
    }

    /// Records the values of a restarted chain: those of dropped buffers never applied.
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
        // Only one of the two: the output of effects is already panned.
        if let chain = path.chain { chain.setPan(self.pan) } else { path.stream.setPan(self.pan) }
    }

    mutating func setPlayRate(_ rate: Float, on path: OutputPath) {
        playRate = EffectChain.validRate(rate)
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
