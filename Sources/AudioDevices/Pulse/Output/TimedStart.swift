/// A start whose first frame is to be heard at a host time.
///
/// Only a stream that runs reports when its frames are heard. So the server is fed with silence at once, which is not on
/// the timeline, and when its position is known, the client's audio is written to the frame that is heard at that time:
/// behind the silence, or over it. Frames are device frames.
struct TimedStart {
    private enum LeadIn {
        /// It is heard, or was to be as soon as possible.
        case none
        /// The server is fed with silence.
        case waiting
        /// What is to be heard first was written to its place.
        case placed
    }

    /// 0 for as soon as possible.
    var hostTime: UInt64 = 0
    private var leadIn = LeadIn.none
    /// The frame that is heard at ``hostTime``, by all that is known; `.max` before anything is.
    private(set) var frame = Int64.max
    /// The frame at which the client's audio begins since the stream was last let run.
    private(set) var contentFrame: Int64 = 0
    /// Whether audio was written before what is to be heard at ``hostTime``.
    private(set) var hadPlayedBefore = false

    /// Whether silence is written until the start's time. REAL-TIME.
    var isWaiting: Bool {
        @_noLocks get { if case .waiting = leadIn { true } else { false } }
    }

    /// Whether the audio was written for a start's time.
    var isPlaced: Bool { if case .placed = leadIn { true } else { false } }

    /// Audio begins at once, at this frame.
    mutating func beginAtOnce(at frame: Int64) {
        leadIn = .none
        contentFrame = frame
    }

    /// Silence is written from now on.
    mutating func beginWaiting(hadPlayedBefore: Bool) {
        leadIn = .waiting
        frame = .max
        self.hadPlayedBefore = hadPlayedBefore
    }

    /// Silence is written again in place of the audio.
    mutating func waitAgain() { leadIn = .waiting }

    /// Ends without being heard.
    mutating func end() { leadIn = .none }

    /// What is known of the position is of no use any more.
    mutating func forgetPlace() { frame = .max }

    /// A frame is heard at ``hostTime``. REAL-TIME, as what follows.
    ///
    /// A time that has passed is one of an earlier frame, which is not before the audio's first.
    @_noLocks mutating func place(at heard: Double) {
        frame = Int64(max(Double(contentFrame), min(heard, 1e15)))
    }

    /// The audio begins at a frame.
    @_noLocks mutating func beginContent(at frame: Int64) {
        leadIn = .placed
        contentFrame = frame
    }

    /// The audio begins later than was thought.
    @_noLocks mutating func moveContent(to frame: Int64) { contentFrame = frame }
}
