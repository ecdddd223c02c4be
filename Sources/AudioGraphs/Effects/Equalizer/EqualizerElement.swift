// SPDX-License-Identifier: MIT

import Synchronization

/// A node that filters its input with bands, one after the other.
package final class EqualizerElement: EffectElement {
    package let bands: [EqualizerBand]
    private let globalGainParameter = EffectParameter(0, in: -96...24)
    private let isBypassed = Atomic<Bool>(false)

    package init(bandCount: Int) { bands = (0..<max(0, bandCount)).map { _ in EqualizerBand() } }

    /// The gain of the output in decibels, -96 to 24.
    package var globalGain: Float {
        get { globalGainParameter.value }
        set { globalGainParameter.value = newValue }
    }

    package var bypass: Bool {
        get { isBypassed.load(ordering: .relaxed) }
        set { isBypassed.store(newValue, ordering: .relaxed) }
    }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? {
        setup.keepsFormat ? EqualizerKernel(self, setup) : nil
    }
}
