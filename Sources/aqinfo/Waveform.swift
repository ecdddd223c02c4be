// SPDX-License-Identifier: MIT

/// The outline of audio of any length. The memory is constant, because the bins grow longer.
struct Waveform {
    /// The extremes of one channel in a range of frames.
    struct Bin: Equatable {
        var low: Float
        var high: Float
        /// The sum of the squared samples, for the power.
        var squares: Double

        mutating func merge(_ other: Bin) {
            low = min(low, other.low)
            high = max(high, other.high)
            squares += other.squares
        }
    }

    /// A column of an image: the extremes and the power of the audio in it.
    struct Column: Equatable {
        var low: Float
        var high: Float
        var rms: Float
    }

    let channels: Int
    /// The number of frames added.
    private(set) var frames: Int64 = 0
    /// The bins: one for each channel, then those of the next range.
    private var bins: [Bin] = []
    private var framesPerBin: Int64 = 1
    private let mostStretches: Int

    /// - Parameter columns: The largest number of columns that will be requested.
    init(channels: Int, columns: Int) {
        self.channels = max(channels, 1)
        // At least four bins for each column, so that a column that begins within a bin is nearly exact; at most 32
        // megabytes, for any number of channels.
        mostStretches = max(2, min(columns * 8, (1 << 21) / self.channels))
    }

    /// Adds whole frames of interleaved samples.
    mutating func add(_ samples: Span<Float>) {
        let count = samples.count / channels
        var done = 0
        while done < count {
            let inBin = frames % framesPerBin
            if inBin == 0 { beginStretch() }
            let piece = Int(min(framesPerBin - frames % framesPerBin, Int64(count - done)))
            for channel in 0..<channels {
                let index = bins.count - channels + channel
                var bin = bins[index]
                var squares: Float = 0
                for frame in done..<done + piece {
                    let sample = samples[frame * channels + channel]
                    // A sample that is not a number fails both comparisons.
                    if sample < bin.low { bin.low = sample }
                    if sample > bin.high { bin.high = sample }
                    squares += sample * sample
                }
                bin.squares += Double(squares)
                bins[index] = bin
            }
            frames += Int64(piece)
            done += piece
        }
    }

    private mutating func beginStretch() {
        if bins.count / channels >= mostStretches { halve() }
        guard frames % framesPerBin == 0 else { return }
        bins.append(
            contentsOf: repeatElement(
                Bin(low: .infinity, high: -.infinity, squares: 0), count: channels))
    }

    /// Merges pairs of bins.
    private mutating func halve() {
        let stretches = bins.count / channels
        for stretch in 0..<(stretches / 2) {
            for channel in 0..<channels {
                var bin = bins[2 * stretch * channels + channel]
                bin.merge(bins[(2 * stretch + 1) * channels + channel])
                bins[stretch * channels + channel] = bin
            }
        }
        bins.removeLast(bins.count - stretches / 2 * channels)
        framesPerBin *= 2
    }

    /// Returns one channel in `count` columns; none if there is no audio.
    func columns(_ count: Int, channel: Int) -> [Column] {
        guard frames > 0, 0..<channels ~= channel else { return [] }
        return Self.joined((0..<Int64(count)).map { self.column($0, of: Int64(count), channel: channel) })
    }

    private func column(_ column: Int64, of count: Int64, channel: Int) -> Column {
        let start = column * frames / count
        let end = max(start + 1, (column + 1) * frames / count)
        let stretches = Int(start / framesPerBin)...Int((end - 1) / framesPerBin)
        var sum = Bin(low: .infinity, high: -.infinity, squares: 0)
        for stretch in stretches { sum.merge(bins[stretch * channels + channel]) }
        let stretchFrames =
            min(frames, Int64(stretches.upperBound + 1) * framesPerBin)
            - Int64(stretches.lowerBound) * framesPerBin
        guard sum.low <= sum.high else { return Column(low: 0, high: 0, rms: 0) }
        return Column(
            low: sum.low, high: sum.high, rms: Float((sum.squares / Double(stretchFrames)).squareRoot()))
    }

    /// Returns columns that extend to their neighbours, so that a steep line has no gap.
    private static func joined(_ columns: [Column]) -> [Column] {
        var joined = columns
        for (index, before) in columns.enumerated().dropLast() {
            joined[index + 1].low = min(joined[index + 1].low, before.high)
            joined[index + 1].high = max(joined[index + 1].high, before.low)
        }
        return joined
    }
}
