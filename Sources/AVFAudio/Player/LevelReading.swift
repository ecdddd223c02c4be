// SPDX-License-Identifier: MIT

import AQDevices
import Glibc

/// The levels of channels at the last update, in decibels: 0 at full scale.
struct LevelReading {
    /// The level of silence, and of channels that are not measured.
    static let silence: Float = -160

    private var levels: [ChannelLevel] = []

    init() {}

    /// - Parameters:
    ///   - levels: The levels of a queue; empty if nothing is measured.
    ///   - channels: The number of channels of the client's audio. If it is 1, the louder channel of the queue counts.
    init(_ levels: [ChannelLevel], channels: Int) {
        self.levels = levels
        guard channels == 1, levels.count > 1 else { return }
        self.levels = [
            ChannelLevel(
                rms: levels.reduce(0) { max($0, $1.rms) }, peak: levels.reduce(0) { max($0, $1.peak) })
        ]
    }

    func peak(_ channel: Int) -> Float { decibels(channel) { $0.peak } }

    func average(_ channel: Int) -> Float { decibels(channel) { $0.rms } }

    private func decibels(_ channel: Int, _ value: (ChannelLevel) -> Float) -> Float {
        guard levels.indices.contains(channel) else { return Self.silence }
        let level = Double(value(levels[channel]))
        return level > 0 ? max(Self.silence, Float(20 * log10(level))) : Self.silence
    }
}
