// SPDX-License-Identifier: MIT

import Synchronization

/// A node that distorts its input.
package final class DistortionElement: EffectElement {
    private let presetNumber = Atomic<Int>(0)
    private let preGainParameter = EffectParameter(-6, in: -80...20)
    private let wetDryMixParameter = EffectParameter(50, in: 0...100)
    private let isBypassed = Atomic<Bool>(false)

    package init() {}

    /// The published number of the distortion, 0 to 21. Other numbers are ignored.
    package var preset: Int {
        get { presetNumber.load(ordering: .relaxed) }
        set {
            guard 0..<DistortionShape.count ~= newValue else { return }
            presetNumber.store(newValue, ordering: .relaxed)
        }
    }

    /// The gain before the distortion in decibels, -80 to 20.
    package var preGain: Float {
        get { preGainParameter.value }
        set { preGainParameter.value = newValue }
    }

    /// The part of the distorted audio in the output, in percent.
    package var wetDryMix: Float {
        get { wetDryMixParameter.value }
        set { wetDryMixParameter.value = newValue }
    }

    package var bypass: Bool {
        get { isBypassed.load(ordering: .relaxed) }
        set { isBypassed.store(newValue, ordering: .relaxed) }
    }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? {
        setup.keepsFormat ? DistortionKernel(self, setup) : nil
    }
}
