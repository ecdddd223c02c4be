/// Where a recording sounds.
public struct SoundSpans: Sendable, Equatable {
    /// The first frame that sounds, and the one behind the last.
    public var first: Int
    public var end: Int
    /// Silences in between.
    public var silences: [Range<Int>]

    /// - Parameter silenceFrames: How long a silence is at least to count.
    /// - Returns: Nil when nothing sounds.
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
