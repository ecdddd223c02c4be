// SPDX-License-Identifier: MIT

/// The audible parts of a recording.
public struct SoundSpans: Sendable, Equatable {
    /// The first audible frame, and the frame after the last.
    public var first: Int
    public var end: Int
    /// Silences between audible parts.
    public var silences: [Range<Int>]

    /// - Parameter silenceFrames: The shortest silence that counts.
    /// - Returns: Nil if the recording is silent.
    public init?(_ samples: [Float], silenceFrames: Int, threshold: Float = Aligner.silence) {
        guard let first = samples.firstIndex(where: { abs($0) > threshold }) else { return nil }
        self.first = first
        silences = []
        end = first + 1
        for index in first..<samples.count where abs(samples[index]) > threshold {
            if index - end >= silenceFrames { silences.append(end..<index) }
            end = index + 1
        }
    }
}
