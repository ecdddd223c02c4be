/// The progress of the effects' chain, as the engine's thread knows it.
struct ChainProgress {
    /// The chain's answer to the last request; ``frames`` again once it gets more.
    private enum Answer { case frames, nothing, nothingUrgently }

    private var answer = Answer.frames
    /// Whether decoded frames wait in the chain.
    private var holdsFrames = false
    /// Whether the end of a sequence was marked, and frames before it are still in the chain.
    private(set) var isEnding = false
    /// Whether the engine's thread has something to do for the chain, as far as it knows.
    var hasWork = false
    /// Whether the chain processes now, without the lock.
    var isProcessing = false
    /// Whether the tap has to be removed, because the queue was disposed of.
    var dropsTap = false

    /// Whether the chain gives no frames without more input.
    var isEmpty: Bool { !holdsFrames && !isEnding }

    /// Whether an urgent request got no frames, and there was no input since.
    var isExhausted: Bool { answer == .nothingUrgently }

    /// Whether the last request got no frames, and there was no input since.
    var needsInput: Bool { answer != .frames }

    /// Whether a request may get frames.
    func canGive(isUrgent: Bool) -> Bool {
        switch answer {
        case .frames: !isEmpty
        case .nothing: isUrgent && !isEmpty
        case .nothingUrgently: false
        }
    }

    mutating func didGet(frames: Int) {
        guard frames > 0 else { return }
        holdsFrames = true
        answer = .frames
        hasWork = true
    }

    mutating func didMarkEnd() {
        isEnding = true
        answer = .frames
        hasWork = true
    }

    /// Records the result of processing.
    ///
    /// - Parameter pendingFrames: The frames that still wait in the chain.
    mutating func didGive(frames: Int, isUrgent: Bool, pendingFrames: Int) {
        holdsFrames = pendingFrames > 0
        if frames > 0 {
            answer = .frames
        } else if isEnding {
            // All frames before the mark were given, and there was no input after it.
            isEnding = false
            holdsFrames = false
        } else {
            answer = isUrgent ? .nothingUrgently : .nothing
        }
    }

    /// Discards everything except the tap's pending removal.
    mutating func restart() {
        let dropsTap = dropsTap
        self = ChainProgress()
        self.dropsTap = dropsTap
    }
}
