// SPDX-License-Identifier: MIT

/// The progress of the effects' chain, as far as the engine's thread knows.
struct ChainProgress {
    /// The chain's answer to the last request; ``frames`` again after further input.
    private enum Answer { case frames, nothing, nothingUrgently }

    private var answer = Answer.frames
    /// Whether decoded frames wait in the chain.
    private var holdsFrames = false
    /// Whether the end of a sequence was marked, and frames before it are still in the chain.
    private(set) var isEnding = false
    /// Whether the engine's thread has work for the chain, as far as that thread knows.
    var hasWork = false
    /// Whether the chain processes frames now, without the lock.
    var isProcessing = false
    /// Whether the tap has to be removed, because the queue was disposed of.
    var dropsTap = false

    /// Whether the chain returns no frames without further input.
    var isEmpty: Bool { !holdsFrames && !isEnding }

    /// Whether an urgent request returned no frames, without input since then.
    var isExhausted: Bool { answer == .nothingUrgently }

    /// Whether the last request returned no frames, without input since then.
    var needsInput: Bool { answer != .frames }

    /// Returns whether a request may return frames.
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
    /// - Parameter pendingFrames: The number of frames that still wait in the chain.
    mutating func didGive(frames: Int, isUrgent: Bool, pendingFrames: Int) {
        holdsFrames = pendingFrames > 0
        if frames > 0 {
            answer = .frames
        } else if isEnding {
            // All frames before the mark were output, and none were added after it.
            isEnding = false
            holdsFrames = false
        } else {
            answer = isUrgent ? .nothingUrgently : .nothing
        }
    }

    /// Resets the progress, but keeps the tap's pending removal.
    mutating func restart() {
        let dropsTap = dropsTap
        self = ChainProgress()
        self.dropsTap = dropsTap
    }
}
