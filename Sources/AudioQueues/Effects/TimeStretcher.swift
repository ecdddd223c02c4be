// SPDX-License-Identifier: MIT

package import AQCodecs

/// A stretcher of audio that ends.
package protocol TimeStretcher: SliceStretcher {
    /// Marks the end of the input, so that held frames become ready. Once these are taken, only `restart()` may
    /// follow.
    func finish()
}

/// A function that makes a stretcher for a rate, channels and an algorithm; returns nil if this is not available.
package typealias TimeStretcherMaker =
    @Sendable (_ sampleRate: Double, _ channels: Int, _ algorithm: TimePitchAlgorithm) -> (any TimeStretcher)?

extension VarispeedResampler: TimeStretcher {}
