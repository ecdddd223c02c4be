/// A run of whole frames in the client's memory: to be played, or to be filled with what is captured.
///
/// Owned by the stream between ``StreamFeed/enqueue(_:)`` and its `.segmentDone` notice.
@safe public struct StreamSegment: @unchecked Sendable {
    // SAFETY: the memory behind `base` stays put, and only the stream touches it, until `.segmentDone`.

    /// The first byte; nil plays silence of the same length. Playback reads only.
    public var base: UnsafeMutableRawPointer?
    /// How much to play, or how much room there is: a multiple of the format's bytes per frame. Zero is
    /// returned at once, in its turn.
    public var byteCount: Int
    /// Given back in the `.segmentDone` notice.
    public var token: UInt64
    /// What changes with the first frame; a segment of no frames changes it in its turn. Playback only.
    package var change: SegmentChange?

    /// A segment to be played.
    public init(base: UnsafeRawPointer?, byteCount: Int, token: UInt64) {
        unsafe self.base = UnsafeMutableRawPointer(mutating: base)
        self.byteCount = byteCount
        self.token = token
    }

    /// A segment to be filled.
    public init(room: UnsafeMutableRawPointer, byteCount: Int, token: UInt64) {
        unsafe base = room
        self.byteCount = byteCount
        self.token = token
    }
}
