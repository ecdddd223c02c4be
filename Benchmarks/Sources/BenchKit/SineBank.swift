// SPDX-License-Identifier: MIT

import Foundation

/// Finds gaps in a mix of streams that each play a phase-locked sine.
///
/// A window of 50 ms contains whole periods of every sine. Therefore the sines do not affect each other's values, and a
/// stream without a gap has the same complex value in every window.
public struct SineBank: Sendable {
    /// Groups of consecutive windows in which a stream differs, and the number of these streams. A gap in one stream
    /// changes the values of others a little, so the number is an upper bound.
    public struct Departures: Sendable, Equatable {
        public var spans = 0
        public var streams = 0
        /// Streams that are silent in all windows.
        public var inaudible = 0

        public init(spans: Int = 0, streams: Int = 0, inaudible: Int = 0) {
            self.spans = spans
            self.streams = streams
            self.inaudible = inaudible
        }
    }

    /// The share of a sine's amplitude that may be missing: half a millisecond of a window is one hundredth.
    private static let tolerance = 0.01

    private let hertz: [Double]
    private let amplitude: Double
    private let sampleRate: Double
    private let windowFrames: Int

    /// - Parameter streams: The numbers of the mixed streams, counted from 0.
    public init(streams: [Int], amplitude: Double, sampleRate: Int, firstHertz: Int, stepHertz: Int) {
        hertz = streams.map { Double(firstHertz + $0 * stepHertz) }
        self.amplitude = amplitude
        self.sampleRate = Double(sampleRate)
        // A single stream may have any frequency in whole hertz, which needs a window of a second.
        windowFrames = stepHertz == 0 ? sampleRate : sampleRate / 20
    }

    /// Compares the windows of a range in which all streams should play; nil if the range has fewer than two windows.
    public func departures(in samples: [Float], range: Range<Int>) -> Departures? {
        let range = range.clamped(to: samples.indices)
        let start = range.lowerBound
        let windows = range.count / windowFrames
        guard windows > 1 else { return nil }
        var departing = [Bool](repeating: false, count: windows)
        var result = Departures()
        for hertz in hertz {
            let values = (0..<windows).map {
                correlation(with: hertz, in: samples, at: start + $0 * windowFrames)
            }
            if values.allSatisfy({ $0.size < Self.tolerance * amplitude }) {
                result.inaudible += 1
                continue
            }
            let departs = departures(values)
            if departs.contains(true) { result.streams += 1 }
            for window in 0..<windows where departs[window] { departing[window] = true }
        }
        for window in 0..<windows where departing[window] && (window == 0 || !departing[window - 1]) {
            result.spans += 1
        }
        return result
    }

    private struct Value {
        var real: Double
        var imaginary: Double

        var size: Double { (real * real + imaginary * imaginary).squareRoot() }
    }

    private func departures(_ values: [Value]) -> [Bool] {
        values.indices.map { index in
            if abs(values[index].size - amplitude) > Self.tolerance * amplitude { return true }
            guard index > 0 else { return false }
            let change = Value(
                real: values[index].real - values[index - 1].real,
                imaginary: values[index].imaginary - values[index - 1].imaginary)
            return change.size > 2 * Self.tolerance * amplitude
        }
    }

    /// Returns the amplitude and phase of a frequency in a window. The phase counts from the start of the window.
    private func correlation(with hertz: Double, in samples: [Float], at start: Int) -> Value {
        let step = 2 * Double.pi * hertz / sampleRate
        // Goertzel's recurrence needs one product for each sample.
        let coefficient = 2 * cos(step)
        var last = 0.0
        var beforeLast = 0.0
        for index in start..<(start + windowFrames) {
            (last, beforeLast) = (Double(samples[index]) + coefficient * last - beforeLast, last)
        }
        let scale = 2 / Double(windowFrames)
        return Value(
            real: (last - beforeLast * cos(step)) * scale, imaginary: beforeLast * sin(step) * scale)
    }
}
