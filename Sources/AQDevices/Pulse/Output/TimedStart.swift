// SPDX-License-Identifier: MIT

/// A start whose first frame should be audible at a host time.
///
/// Only a running stream reports when its frames are audible. So silence that is not on the timeline is written at
/// once. When the position is known, the client's audio is written at the frame that is audible at the start time:
/// after the silence, or over it. Frames are device frames.
struct TimedStart {
    private enum LeadIn {
        /// The audio plays, or was to start as soon as possible.
        case none
        /// Silence is being written.
        case waiting
        /// The audio was written at its position.
        case placed
    }

    /// The start time, as host time; 0 for as soon as possible.
    var hostTime: UInt64 = 0
    private var leadIn = LeadIn.none
    /// The estimated frame that is audible at ``hostTime``; `.max` if unknown.
    private(set) var frame = Int64.max
    /// The frame where the client's audio began since the stream was last uncorked.
    private(set) var contentFrame: Int64 = 0
    /// Whether other audio was written before the audio of this start.
    private(set) var hadPlayedBefore = false

    /// Whether silence is written until the start time. REAL-TIME.
    var isWaiting: Bool {
        @_noLocks get { if case .waiting = leadIn { true } else { false } }
    }

    /// Whether the audio was written for a start time.
    var isPlaced: Bool { if case .placed = leadIn { true } else { false } }

    /// Begins the audio at once, at this frame.
    mutating func beginAtOnce(at frame: Int64) {
        leadIn = .none
        contentFrame = frame
    }

    /// Begins to write silence.
    mutating func beginWaiting(hadPlayedBefore: Bool) {
        leadIn = .waiting
        frame = .max
        self.hadPlayedBefore = hadPlayedBefore
    }

    /// Writes silence again instead of the audio.
    mutating func waitAgain() { leadIn = .waiting }

    /// Ends the wait or the start at a time, because the stream stops or is interrupted.
    mutating func end() { leadIn = .none }

    /// Drops the estimated frame, because the position on which it is based has become invalid.
    mutating func forgetFrame() { frame = .max }

    /// Sets the frame that is audible at ``hostTime``. REAL-TIME, like the methods below.
    ///
    /// If that time has passed, the frame is an earlier one, but not before the audio's first frame.
    @_noLocks mutating func setFrame(_ playedFrame: Double) {
        frame = Int64(max(Double(contentFrame), min(playedFrame, 1e15)))
    }

    /// Begins the audio at a frame.
    @_noLocks mutating func beginContent(at frame: Int64) {
        leadIn = .placed
        contentFrame = frame
    }

    /// Moves the start of the audio to a later frame.
    @_noLocks mutating func moveContent(to frame: Int64) { contentFrame = frame }
}
