/// Which track is being heard, from what was enqueued and how many frames of it were played.
struct HeardSpans<Track> {
    /// A run of frames of one track, enqueued without a jump.
    struct Span {
        let track: Track
        /// Counted in the track's own frames.
        let firstFrame: Int64
        var frames: Int64
        /// Whether the track ends with it.
        var isComplete: Bool
    }

    private(set) var spans: [Span] = []
    /// Frames played before the first span.
    private var playedBefore: Int64 = 0

    /// Enqueueing goes on with `track` at `firstFrame`.
    mutating func begin(_ track: Track, at firstFrame: Int64) {
        spans.append(Span(track: track, firstFrame: firstFrame, frames: 0, isComplete: false))
    }

    /// `frames` more of the latest track were enqueued.
    mutating func add(frames: Int64) {
        if !spans.isEmpty { spans[spans.count - 1].frames += frames }
    }

    /// The latest track has nothing more to enqueue.
    mutating func complete() {
        if !spans.isEmpty { spans[spans.count - 1].isComplete = true }
    }

    /// Removes the spans that were heard to their end.
    ///
    /// - Parameter playedFrames: Since the queue's last start, stop or reset.
    mutating func takeFinished(playedFrames: Int64) -> [Span] {
        var finished: [Span] = []
        while let first = spans.first, first.isComplete, playedFrames >= playedBefore + first.frames {
            playedBefore += first.frames
            finished.append(first)
            spans.removeFirst()
        }
        return finished
    }

    /// How many frames of the first span were heard.
    func heardFrames(playedFrames: Int64) -> Int64 {
        min(max(0, playedFrames - playedBefore), spans.first?.frames ?? 0)
    }

    /// How many frames are to be played until the first span ends; nil while its end is not enqueued.
    func framesUntilEnd(playedFrames: Int64) -> Int64? {
        guard let first = spans.first, first.isComplete else { return nil }
        return max(0, playedBefore + first.frames - playedFrames)
    }

    /// Forgets everything: the queue was stopped or reset.
    mutating func reset() {
        spans = []
        playedBefore = 0
    }
}
