// SPDX-License-Identifier: MIT

import AQRoundTripAnalysis

/// A signal whose every sample is known by its frame number.
enum TestSignal: Sendable {
    /// The noise of ``ReferenceNoise``.
    case noise(amplitude: Float)
    /// One period, which is repeated.
    case periodic([Float])

    /// Writes the frames from `first` on, on the audio thread.
    func write(_ frames: UnsafeMutableBufferPointer<Float>, from first: Int) {
        switch self {
        case .noise(let amplitude):
            for index in frames.indices {
                unsafe frames[index] = ReferenceNoise.sample(ofFrame: first + index) * amplitude
            }
        case .periodic(let period):
            guard !period.isEmpty else { return }
            var position = first % period.count
            for index in frames.indices {
                unsafe frames[index] = period[position]
                position = position + 1 < period.count ? position + 1 : 0
            }
        }
    }
}
