// SPDX-License-Identifier: MIT

/// Recorded audio with the times of its frames.
struct CapturedAudio: Sendable {
    /// The first frame of a buffer, and its times in nanoseconds of CLOCK_MONOTONIC.
    struct Mark: Sendable, Equatable {
        var frame: Int
        /// The time when the frame was captured; for a monitor, when it was audible.
        var captureNanoseconds: Double
        /// The time when the callback that returned the buffer was entered.
        var callbackNanoseconds: Double
    }

    var sampleRate: Double
    var channels: Int
    /// Interleaved samples.
    var samples: [Float] = []
    var marks: [Mark] = []
    /// The number of frames that were lost, and replaced by silence.
    var lostFrames = 0

    var frames: Int { samples.count / max(1, channels) }

    /// The samples of one channel.
    func channel(_ number: Int) -> [Float] {
        channels == 1 ? samples : stride(from: number, to: samples.count, by: channels).map { samples[$0] }
    }

    /// Returns the time at which a frame was captured.
    func nanoseconds(ofFrame frame: Double) -> Double {
        guard let mark = mark(before: frame) else { return .nan }
        return mark.captureNanoseconds + (frame - Double(mark.frame)) * 1e9 / sampleRate
    }

    /// Returns the time of the callback that returned a frame.
    func callbackNanoseconds(ofFrame frame: Double) -> Double {
        mark(before: frame)?.callbackNanoseconds ?? .nan
    }

    /// Returns the frame that was captured at a time; before the first mark and after the last, at the nominal rate.
    func frame(atNanoseconds time: Double) -> Double {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].captureNanoseconds <= time { low = middle + 1 } else { high = middle }
        }
        guard let mark = low > 0 ? marks[low - 1] : marks.first else { return .nan }
        return Double(mark.frame) + (time - mark.captureNanoseconds) * sampleRate / 1e9
    }

    private func mark(before frame: Double) -> Mark? {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if Double(marks[middle].frame) <= frame { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? marks[low - 1] : marks.first
    }
}
