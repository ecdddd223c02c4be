/// A run of whole frames to be played, owned by the client until its `.segmentDone` notice.
@safe public struct PlaybackSegment: @unchecked Sendable {
    // SAFETY: the memory behind `base` stays put and is only read between enqueue and `.segmentDone`.

    /// The first byte; nil plays silence of the same length.
    public var base: UnsafeRawPointer?
    /// A multiple of the format's bytes per frame; zero is returned at once, in its turn.
    public var byteCount: Int
    /// Given back in the `.segmentDone` notice.
    public var token: UInt64

    public init(base: UnsafeRawPointer?, byteCount: Int, token: UInt64) {
        unsafe self.base = base
        self.byteCount = byteCount
        self.token = token
    }
}
