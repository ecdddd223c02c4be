// SPDX-License-Identifier: MIT

import Glibc

/// Interleaved audio with its arrival times, and measurements of it.
public struct Recording: Sendable {
    /// Amplitudes up to this are silence (-66 dB): above dither and rounding, below any tune.
    public static let silenceThreshold: Float = 0.0005

    /// Frames that arrived together.
    public struct Block: Sendable {
        public var startFrame: Int
        /// The arrival time of the block's last frame.
        public var hostTime: UInt64

        public init(startFrame: Int, hostTime: UInt64) {
            self.startFrame = startFrame
            self.hostTime = hostTime
        }
    }

    /// A run of silent frames between audio.
    public struct Gap: Sendable, Equatable {
        public var startFrame: Int
        public var frames: Int

        public init(startFrame: Int, frames: Int) {
            self.startFrame = startFrame
            self.frames = frames
        }
    }

    public var sampleRate: Int
    public var channels: Int
    public var samples: [Float]
    /// In order; empty if nothing was recorded.
    public var blocks: [Block]

    public init(sampleRate: Int, channels: Int, samples: [Float], blocks: [Block] = []) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.samples = samples
        self.blocks = blocks
    }

    public var frames: Int { samples.count / channels }
    public func seconds(ofFrames frames: Int) -> Double { Double(frames) / Double(sampleRate) }

    /// The time at which a frame was audible: its position before the end of its block.
    public func hostTime(ofFrame frame: Int) -> UInt64? {
        guard (0..<frames).contains(frame) else { return nil }
        var low = 0
        var high = blocks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if blocks[middle].startFrame <= frame { low = middle } else { high = middle }
        }
        guard low < blocks.count else { return nil }
        let endFrame = low + 1 < blocks.count ? blocks[low + 1].startFrame : frames
        return blocks[low].hostTime - UInt64(Double(endFrame - frame) * 1e9 / Double(sampleRate))
    }

    /// The first frame with a sample above the threshold.
    public func firstSoundFrame(threshold: Float = silenceThreshold) -> Int? {
        samples.firstIndex { abs($0) > threshold }.map { $0 / channels }
    }

    /// The last frame with a sample above the threshold.
    public func lastSoundFrame(threshold: Float = silenceThreshold) -> Int? {
        samples.lastIndex { abs($0) > threshold }.map { $0 / channels }
    }

    /// Frames from the first loud one to the last, both included; 0 if all are silent.
    public func soundFrames(threshold: Float = silenceThreshold) -> Int {
        guard let first = firstSoundFrame(threshold: threshold),
            let last = lastSoundFrame(threshold: threshold)
        else { return 0 }
        return last - first + 1
    }

    /// Runs of at least `minimumFrames` silent frames inside the audio: underruns, gaps at a seam.
    ///
    /// The default is a millisecond at 48 kHz; no audible wave is that long below the threshold.
    public func gaps(minimumFrames: Int = 48, threshold: Float = silenceThreshold) -> [Gap] {
        guard let first = firstSoundFrame(threshold: threshold) else { return [] }
        var gaps: [Gap] = []
        var lastLoudFrame = first
        for index in (first * channels)..<(frames * channels) where abs(samples[index]) > threshold {
            let frame = index / channels
            if frame - lastLoudFrame > minimumFrames {
                gaps.append(Gap(startFrame: lastLoudFrame + 1, frames: frame - lastLoudFrame - 1))
            }
            lastLoudFrame = frame
        }
        return gaps
    }

    /// The frames outside these gaps, joined, without arrival times: what a program played, whatever stalls there were.
    public func removing(_ gaps: [Gap]) -> Recording {
        var kept: [Float] = []
        var frame = 0
        for gap in gaps {
            kept += samples[(frame * channels)..<(gap.startFrame * channels)]
            frame = gap.startFrame + gap.frames
        }
        return Recording(
            sampleRate: sampleRate, channels: channels, samples: kept + samples[(frame * channels)...])
    }

    /// The frames from the first loud one to the last.
    public func trimmedToSound(threshold: Float = silenceThreshold) -> Recording {
        guard let first = firstSoundFrame(threshold: threshold) else {
            return Recording(sampleRate: sampleRate, channels: channels, samples: [])
        }
        let count = soundFrames(threshold: threshold)
        return Recording(
            sampleRate: sampleRate, channels: channels,
            samples: Array(samples[(first * channels)..<((first + count) * channels)]),
            blocks: blocks.map { Block(startFrame: $0.startFrame - first, hostTime: $0.hostTime) })
    }

    /// Root mean square of each channel, linear.
    public func rms() -> [Float] {
        var sums = [Double](repeating: 0, count: channels)
        for (index, sample) in samples.enumerated() { sums[index % channels] += Double(sample * sample) }
        return sums.map { frames == 0 ? 0 : Float(sqrt($0 / Double(frames))) }
    }

    /// The largest amplitude, linear.
    public var peak: Float { samples.reduce(0) { max($0, abs($1)) } }

    /// An amplitude in dB below full scale.
    public static func decibels(_ amplitude: Float) -> Double { 20 * log10(Double(amplitude)) }
}
