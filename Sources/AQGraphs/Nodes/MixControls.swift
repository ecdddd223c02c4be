// SPDX-License-Identifier: MIT

import Synchronization

/// The volume and the position of a node in the mixer that follows it. Any thread may change them.
package final class MixControls: Sendable {
    private let volumeBits = Atomic<UInt32>(Float(1).bitPattern)
    private let panBits = Atomic<UInt32>(Float(0).bitPattern)

    package init() {}

    /// The factor of the samples.
    package var volume: Float {
        get { Float(bitPattern: volumeBits.load(ordering: .relaxed)) }
        set { volumeBits.store((newValue.isFinite ? newValue : 0).bitPattern, ordering: .relaxed) }
    }

    /// The position between the first two channels: -1 is the first, 1 the second.
    package var pan: Float {
        get { Float(bitPattern: panBits.load(ordering: .relaxed)) }
        set {
            let valid = newValue.isFinite ? max(-1, min(newValue, 1)) : 0
            panBits.store(valid.bitPattern, ordering: .relaxed)
        }
    }

    /// The gain of a channel of a mix: one side is unchanged, and the other is reduced in proportion. A mono mix has no
    /// positions.
    func gain(ofChannel channel: Int, of channels: Int) -> Float {
        guard channels > 1, channel < 2 else { return volume }
        return volume * min(1, channel == 0 ? 1 - pan : 1 + pan)
    }
}
