// SPDX-License-Identifier: MIT

import Synchronization

/// A node that mixes its input with the reverberation of a room.
package final class ReverbElement: EffectElement {
    private let presetNumber = Atomic<Int>(3)
    private let wetDryMixParameter = EffectParameter(100, in: 0...100)
    private let isBypassed = Atomic<Bool>(false)

    package init() {}

    /// The published number of the room, 0 to 12; initially 3, a medium hall. Other numbers are ignored.
    package var preset: Int {
        get { presetNumber.load(ordering: .relaxed) }
        set {
            guard 0..<ReverbPreset.count ~= newValue else { return }
            presetNumber.store(newValue, ordering: .relaxed)
        }
    }

    /// The part of the reverberation in the output, in percent.
    package var wetDryMix: Float {
        get { wetDryMixParameter.value }
        set { wetDryMixParameter.value = newValue }
    }

    package var bypass: Bool {
        get { isBypassed.load(ordering: .relaxed) }
        set { isBypassed.store(newValue, ordering: .relaxed) }
    }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? {
        setup.keepsFormat ? ReverbKernel(self, setup) : nil
    }
}
