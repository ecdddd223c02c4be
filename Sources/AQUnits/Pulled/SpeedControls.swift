// SPDX-License-Identifier: MIT

import AQCodecs
import Synchronization

/// The rate and the pitch of a unit that changes them. Any thread may set them while the unit renders.
final class SpeedControls: Sendable {
    let makeStretcher: SliceStretcherMaker
    /// Returns why there is no stretcher, if a library is missing.
    let failure: @Sendable () -> String?
    let rates: ClosedRange<Float>
    private let rateBits = Atomic<UInt32>(Float(1).bitPattern)
    private let pitchBits = Atomic<UInt32>(Float(0).bitPattern)

    init(
        rates: ClosedRange<Float>, failure: @escaping @Sendable () -> String? = { nil },
        _ makeStretcher: @escaping SliceStretcherMaker
    ) {
        self.rates = rates
        self.failure = failure
        self.makeStretcher = makeStretcher
    }

    /// The ratio of input to output.
    var rate: Float {
        get { Float(bitPattern: rateBits.load(ordering: .relaxed)) }
        set {
            let bound = min(rates.upperBound, max(rates.lowerBound, newValue))
            rateBits.store(bound.bitPattern, ordering: .relaxed)
        }
    }

    /// The shift of pitch, in cents.
    var pitch: Float {
        get { Float(bitPattern: pitchBits.load(ordering: .relaxed)) }
        set { pitchBits.store(min(2400, max(-2400, newValue)).bitPattern, ordering: .relaxed) }
    }
}
