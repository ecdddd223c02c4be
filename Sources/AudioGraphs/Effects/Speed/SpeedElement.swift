// SPDX-License-Identifier: MIT

package import AudioCodecs
import Synchronization

/// A node that changes the rate or the pitch of its input.
package final class SpeedElement: EffectElement {
    private let makeStretcher: SliceStretcherMaker
    private let rateParameter: EffectParameter
    private let pitchParameter = EffectParameter(0, in: -2_400...2_400)
    private let isBypassed = Atomic<Bool>(false)

    /// - Parameter rates: The rates that the stretchers support, including 1.
    package init(rates: ClosedRange<Float>, makeStretcher: @escaping SliceStretcherMaker) {
        self.makeStretcher = makeStretcher
        rateParameter = EffectParameter(1, in: rates)
    }

    /// The ratio of input to output, initially 1.
    package var rate: Float {
        get { rateParameter.value }
        set { rateParameter.value = newValue }
    }

    /// The shift of pitch in cents, -2400 to 2400. Stretchers whose pitch follows the rate ignore it.
    package var pitch: Float {
        get { pitchParameter.value }
        set { pitchParameter.value = newValue }
    }

    package var bypass: Bool {
        get { isBypassed.load(ordering: .relaxed) }
        set { isBypassed.store(newValue, ordering: .relaxed) }
    }

    /// Makes a kernel. Without a stretcher, it passes its input unchanged.
    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? {
        guard setup.keepsFormat else { return nil }
        guard let stretcher = makeStretcher(setup.output.sampleRate, setup.output.channels) else {
            return PassThroughElement()
        }
        return SpeedKernel(self, stretcher, setup)
    }
}
