import Foundation

/// Finds gaps in a mix of streams that play one phase-locked sine each.
///
/// In windows of 50 ms every stream's sine has whole periods, so that none leaks into another's and each is
/// the same complex number in every window, for as long as nothing is missing from it or too much.
public struct SineBank: Sendable {
    /// Spans of windows in which a stream departs, and how many streams do in any. A gap of one stream leaks
    /// a little into others: they are at most so many.
    public struct Departures: Sendable, Equatable {
        public var spans = 0
        public var streams = 0
    }

    /// What share of a sine's amplitude may be missing: half a millisecond of a window is one hundredth.
    private static let tolerance = 0.01

    private let hertz: [Double]
    private let amplitude: Double
    private let sampleRate: Double
    private let windowFrames: Int

    public init(streams: Int, amplitude: Double, sampleRate: Int, firstHertz: Int, stepHertz: Int) {
        hertz = (0..<streams).map { Double(firstHertz + $0 * stepHertz) }
        self.amplitude = amplitude
        self.sampleRate = Double(sampleRate)
        // The lone sine of one stream may be of any whole frequency.
        windowFrames = stepHertz == 0 ? sampleRate : sampleRate / 20
    }

    /// Compares all windows from `warmUpSeconds` after the first sound to `coolDownSeconds` before the last.
    public func departures(in samples: [Float], warmUpSeconds: Double, coolDownSeconds: Double) -> Departures
    {
        guard let first = samples.firstIndex(where: { abs($0) > Aligner.silence }),
            let last = samples.lastIndex(where: { abs($0) > Aligner.silence })
        else { return Departures(spans: 1, streams: hertz.count) }
        let start = first + Int(warmUpSeconds * sampleRate)
        let windows = (last - Int(coolDownSeconds * sampleRate) - start) / windowFrames
        guard windows > 1 else { return Departures(spans: 1, streams: hertz.count) }
        var departing = [Bool](repeating: false, count: windows)
        var result = Departures()
        for hertz in hertz {
            let departs = departures(of: hertz, in: samples, from: start, windows: windows)
            if departs.contains(true) { result.streams += 1 }
            for window in 0..<windows where departs[window] { departing[window] = true }
        }
        for window in 0..<windows where departing[window] && (window == 0 || !departing[window - 1]) {
            result.spans += 1
        }
        return result
    }

    private func departures(of hertz: Double, in samples: [Float], from start: Int, windows: Int) -> [Bool] {
        var before: (real: Double, imaginary: Double)?
        return (0..<windows).map { window in
            let now = correlation(with: hertz, in: samples, at: start + window * windowFrames)
            defer { before = now }
            let size = (now.real * now.real + now.imaginary * now.imaginary).squareRoot()
            if abs(size - amplitude) > Self.tolerance * amplitude { return true }
            guard let before else { return false }
            let real = now.real - before.real
            let imaginary = now.imaginary - before.imaginary
            return (real * real + imaginary * imaginary).squareRoot() > 2 * Self.tolerance * amplitude
        }
    }

    /// A window's share of a frequency, its phase counted from the window's start.
    private func correlation(
        with hertz: Double, in samples: [Float], at start: Int
    ) -> (real: Double, imaginary: Double) {
        let step = 2 * Double.pi * hertz / sampleRate
        // Goertzel's recurrence: one product a sample.
        let coefficient = 2 * cos(step)
        var last = 0.0
        var beforeLast = 0.0
        for index in start..<(start + windowFrames) {
            (last, beforeLast) = (Double(samples[index]) + coefficient * last - beforeLast, last)
        }
        let scale = 2 / Double(windowFrames)
        return (
            real: (last - beforeLast * cos(step)) * scale, imaginary: beforeLast * sin(step) * scale
        )
    }
}
