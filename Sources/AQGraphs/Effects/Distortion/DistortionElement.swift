// SPDX-License-Identifier: MIT

import Synchronization

/// A node that distorts its input.
package final class DistortionElement: EffectElement {
    private let presetNumber = Atomic<Int>(0)
    /// The gain before the distortion in decibels, -80 to 20.
    package let preGain = EffectParameter(-6, in: -80...20)
    /// The part of the distorted audio in the output, in percent.
    package let wetDryMix = EffectParameter(50, in: 0...100)
    package let bypass = EffectSwitch()

    package init() {}

    /// The published number of the distortion, 0 to 21. Other numbers are ignored.
    package var preset: Int {
        get { presetNumber.load(ordering: .relaxed) }
        set {
            guard 0..<DistortionShape.count ~= newValue else { return }
            presetNumber.store(newValue, ordering: .relaxed)
        }
    }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? {
        setup.keepsFormat ? DistortionKernel(self, setup) : nil
    }
}
