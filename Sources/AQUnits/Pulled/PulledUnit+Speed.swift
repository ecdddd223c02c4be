// SPDX-License-Identifier: MIT

package import AQCodecs

/// Units that change the rate or the pitch of their input. They need as many input frames as the rate requires.
extension PulledUnit {
    /// Makes a unit whose pitch follows the rate, 0.5 to 2, as on a tape.
    ///
    /// The corresponding C type is the unit `Varispeed`.
    public static func varispeed() -> PulledUnit {
        PulledUnit(
            .speed,
            speed: SpeedControls(rates: 0.5...2, failure: { VarispeedResampler.failure }) { _, channels in
                VarispeedResampler(channels: channels)
            })
    }

    /// Makes a unit with a stretcher, which changes the rate, 0.25 to 4, and the pitch independently.
    ///
    /// The corresponding C type is the unit `NewTimePitch`.
    package static func timePitch(_ makeStretcher: @escaping SliceStretcherMaker) -> PulledUnit {
        PulledUnit(.speed, speed: SpeedControls(rates: 0.25...4, makeStretcher))
    }

    /// The ratio of input to output, initially 1.
    public var rate: Float { speed?.rate ?? 1 }

    /// Sets the ratio of input to output; numbers out of the range count as the nearer bound.
    ///
    /// - Throws: ``UnitError/Code/invalidParameterValue`` for no finite number; ``UnitError/Code/invalidParameter`` for
    ///   other units.
    public func setRate(_ rate: Float) throws(UnitError) {
        guard let speed else { throw UnitError(.invalidParameter, "the unit has no rate") }
        speed.rate = try finite(rate)
    }

    /// The shift of pitch in cents, initially 0.
    public var pitch: Float { speed?.pitch ?? 0 }

    /// Sets the shift of pitch, -2400 to 2400 cents; numbers out of the range count as the nearer bound.
    ///
    /// - Throws: As ``setRate(_:)``.
    public func setPitch(_ cents: Float) throws(UnitError) {
        guard let speed else { throw UnitError(.invalidParameter, "the unit has no pitch") }
        speed.pitch = try finite(cents)
    }
}
