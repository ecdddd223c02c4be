// SPDX-License-Identifier: MIT

/// Whole frames in the client's memory, to be played or to be filled with captured audio.
///
/// Owned by the stream between ``StreamFeed/enqueue(_:)`` and its `.segmentDone` event.
@safe public struct StreamSegment: @unchecked Sendable {
    // SAFETY: the memory behind `base` is not moved, and only the stream uses it, until `.segmentDone`.

    /// The first byte; nil plays silence of the same length. Playback only reads it.
    public var base: UnsafeMutableRawPointer?
    /// The size of the audio, or of the room, in bytes: a multiple of the bytes per frame. A segment of size 0 is
    /// returned when its turn comes.
    public var byteCount: Int
    /// A number that is returned in the `.segmentDone` event.
    public var token: UInt64
    /// Changes that take effect at the segment's first frame. For an empty segment, that is the next frame of the
    /// stream. Playback only.
    package var change: SegmentChange?

    /// A segment to play.
    public init(base: UnsafeRawPointer?, byteCount: Int, token: UInt64) {
        unsafe self.base = UnsafeMutableRawPointer(mutating: base)
        self.byteCount = byteCount
        self.token = token
    }

    /// A segment to fill.
    public init(room: UnsafeMutableRawPointer, byteCount: Int, token: UInt64) {
        unsafe base = room
        self.byteCount = byteCount
        self.token = token
    }
}
