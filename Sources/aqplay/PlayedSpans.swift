// SPDX-License-Identifier: MIT

/// Finds the audible track from the enqueued spans and the number of played frames.
struct PlayedSpans<Track> {
    /// A run of consecutive frames of one track.
    struct Span {
        let track: Track
        /// The position in the track, in frames.
        let firstFrame: Int64
        var frames: Int64
        /// Whether the span ends with the end of the track.
        var isComplete: Bool
    }

    private(set) var spans: [Span] = []
    /// The number of frames played before the first span.
    private var playedBefore: Int64 = 0

    /// Begins a span: `track` is enqueued from `firstFrame` on.
    mutating func begin(_ track: Track, at firstFrame: Int64) {
        spans.append(Span(track: track, firstFrame: firstFrame, frames: 0, isComplete: false))
    }

    /// Adds `frames` enqueued frames of the latest track.
    mutating func add(frames: Int64) {
        if !spans.isEmpty { spans[spans.count - 1].frames += frames }
    }

    /// Marks the latest track as completely enqueued.
    mutating func complete() {
        if !spans.isEmpty { spans[spans.count - 1].isComplete = true }
    }

    /// Removes the spans that were played to their end.
    ///
    /// - Parameter playedFrames: The frames played since the queue's last start, stop or reset.
    mutating func takeFinished(playedFrames: Int64) -> [Span] {
        var finished: [Span] = []
        while let first = spans.first, first.isComplete, playedFrames >= playedBefore + first.frames {
            playedBefore += first.frames
            finished.append(first)
            spans.removeFirst()
        }
        return finished
    }

    /// The number of frames of the first span that were played.
    func framesPlayed(playedFrames: Int64) -> Int64 {
        min(max(0, playedFrames - playedBefore), spans.first?.frames ?? 0)
    }

    /// The number of frames until the first span ends; nil while its end is not enqueued.
    func framesUntilEnd(playedFrames: Int64) -> Int64? {
        guard let first = spans.first, first.isComplete else { return nil }
        return max(0, playedBefore + first.frames - playedFrames)
    }

    /// The number of enqueued frames that were not played.
    func framesToPlay(playedFrames: Int64) -> Int64 {
        max(0, spans.reduce(playedBefore) { $0 + $1.frames } - playedFrames)
    }

    /// Removes all spans after the queue was stopped or reset.
    mutating func reset() {
        spans = []
        playedBefore = 0
    }
}
