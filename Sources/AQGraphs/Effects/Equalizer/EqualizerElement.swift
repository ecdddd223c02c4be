// SPDX-License-Identifier: MIT

/// A node that filters its input with bands, one after the other.
package final class EqualizerElement: EffectElement {
    package let bands: [EqualizerBand]
    /// The gain of the output in decibels, -96 to 24.
    package let globalGain = EffectParameter(0, in: -96...24)
    package let bypass = EffectSwitch()

    package init(bandCount: Int) { bands = (0..<max(0, bandCount)).map { _ in EqualizerBand() } }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? {
        setup.keepsFormat ? EqualizerKernel(self, setup) : nil
    }
}
