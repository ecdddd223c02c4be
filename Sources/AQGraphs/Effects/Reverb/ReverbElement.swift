// SPDX-License-Identifier: MIT

import Synchronization

/// A node that mixes its input with the reverberation of a room.
package final class ReverbElement: EffectElement {
    private let presetNumber = Atomic<Int>(3)
    /// The part of the reverberation in the output, in percent.
    package let wetDryMix = EffectParameter(100, in: 0...100)
    package let bypass = EffectSwitch()

    package init() {}

    /// The published number of the room, 0 to 12; initially 3, a medium hall. Other numbers are ignored.
    package var preset: Int {
        get { presetNumber.load(ordering: .relaxed) }
        set {
            guard 0..<ReverbPreset.count ~= newValue else { return }
            presetNumber.store(newValue, ordering: .relaxed)
        }
    }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? {
        setup.keepsFormat ? ReverbKernel(self, setup) : nil
    }
}
