// SPDX-License-Identifier: MIT

import AQToolSupport

/// Peak, mean level and clipped samples of all measured audio, for each channel.
struct LevelTotals: Equatable {
    private(set) var peaks: [Float]
    private var squares: [Double]
    var frames: Int64 = 0
    /// The number of samples at full scale or beyond.
    var clippedSamples: Int64 = 0

    init(channels: Int) {
        peaks = Array(repeating: 0, count: channels)
        squares = Array(repeating: 0, count: channels)
    }

    /// Adds the results of a run of samples of a channel.
    mutating func add(peak: Float, squares sum: Double, channel: Int) {
        peaks[channel] = max(peaks[channel], peak)
        squares[channel] += sum
    }

    /// Adds one sample, without counting its frame.
    mutating func add(_ sample: Float, channel: Int, _ clippingLevel: Float) {
        add(peak: sample.magnitude, squares: Double(sample) * Double(sample), channel: channel)
        if sample.magnitude >= clippingLevel { clippedSamples += 1 }
    }

    /// The highest peak of any channel, linear.
    var peak: Float { peaks.max() ?? 0 }

    /// The root mean square of a channel, linear; 0 if nothing was measured.
    func rms(ofChannel channel: Int) -> Float {
        frames > 0 ? Float((squares[channel] / Double(frames)).squareRoot()) : 0
    }

    /// The root mean square of all channels together, linear.
    var rms: Float {
        let samples = Double(frames) * Double(squares.count)
        return samples > 0 ? Float((squares.reduce(0, +) / samples).squareRoot()) : 0
    }

    var channels: Int { peaks.count }
}
