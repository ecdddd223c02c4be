// SPDX-License-Identifier: MIT

package import AQCodecs

/// A node that changes the rate or the pitch of its input.
package final class SpeedElement: EffectElement {
    private let makeStretcher: SliceStretcherMaker
    /// The ratio of input to output, initially 1.
    package let rate: EffectParameter
    /// The shift of pitch in cents, -2400 to 2400. Stretchers whose pitch follows the rate ignore it.
    package let pitch = EffectParameter(0, in: -2_400...2_400)
    package let bypass = EffectSwitch()

    /// - Parameter rates: The rates that the stretchers support, including 1.
    package init(rates: ClosedRange<Float>, makeStretcher: @escaping SliceStretcherMaker) {
        self.makeStretcher = makeStretcher
        rate = EffectParameter(1, in: rates)
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
