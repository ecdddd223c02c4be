// SPDX-License-Identifier: MIT

import Synchronization

/// A number that any thread may set, within a range.
package final class EffectParameter: Sendable {
    private let bits: Atomic<UInt32>
    private let range: ClosedRange<Float>

    init(_ value: Float, in range: ClosedRange<Float>) {
        bits = Atomic(value.bitPattern)
        self.range = range
    }

    /// The value. A value outside the range is replaced by the nearest limit, and NaN is ignored.
    package var value: Float {
        get { Float(bitPattern: bits.load(ordering: .relaxed)) }
        set {
            guard !newValue.isNaN else { return }
            let bound = min(max(newValue, range.lowerBound), range.upperBound)
            bits.store(bound.bitPattern, ordering: .relaxed)
        }
    }
}

/// A switch that any thread may set.
package final class EffectSwitch: Sendable {
    private let state: Atomic<Bool>

    init(isOn: Bool = false) { state = Atomic(isOn) }

    package var isOn: Bool {
        get { state.load(ordering: .relaxed) }
        set { state.store(newValue, ordering: .relaxed) }
    }
}
