// SPDX-License-Identifier: MIT

/// The gains of a bus: of the first two channels, which the pan position concerns, and of all others.
struct ChannelGains: Equatable {
    /// The longest time in which gains move to new ones, in frames.
    static let rampFrames = 512

    private var values = SIMD4<Float>()

    /// Gains of 0.
    init() {}

    init(volume: Float, pan: Float) {
        // One side is unchanged, and the other is reduced in proportion.
        values = volume * SIMD4(min(1, 1 - pan), min(1, 1 + pan), 1, 0)
    }

    private init(_ values: SIMD4<Float>) { self.values = values }

    var isSilent: Bool { values == SIMD4() }

    /// The gain of a channel, counted from 0.
    subscript(channel: Int) -> Float { values[min(channel, 2)] }

    /// Calls `body` with the gains for each frame, which move from these gains to `target` without a click.
    func move(to target: ChannelGains, frames: Int, _ body: (_ frame: Int, _ gains: ChannelGains) -> Void) {
        let length = self == target ? 0 : min(frames, Self.rampFrames)
        let step = (target.values - values) / Float(max(1, length))
        for frame in 0..<length { body(frame, ChannelGains(values + step * Float(frame))) }
        for frame in length..<frames { body(frame, target) }
    }
}
