/// What volume and pan are where, for those who do not render.
extension Renderer {
    /// Moves the sound to a place between left and right within `frames` frames, from the cursor on; of stereo alone.
    func movePan(to position: Float, frames: Int64) {
        guard channels == 2 else { return }
        pan.ramp(to: StereoBalance.valid(position), from: cursor, frames: frames)
    }

    /// Whether segments have ever changed volume or pan, so that what is heard is not simply what was set. REAL-TIME.
    var hasSegmentChanges: Bool {
        @_noLocks get {
            if volume.hasSegmentChanges { return true }
            return pan.hasSegmentChanges
        }
    }

    /// The client's volume at a frame. REAL-TIME.
    @_noLocks func gain(at frame: Int64) -> Float { volume.value(at: frame) }

    /// The client's place between left and right at a frame. REAL-TIME.
    @_noLocks func position(at frame: Int64) -> Float { pan.value(at: frame) }
}
