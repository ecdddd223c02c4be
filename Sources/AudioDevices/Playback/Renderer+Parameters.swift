/// Volume and pan at a frame, for code that does not render.
extension Renderer {
    /// Moves the pan to a value between left and right within `frames` frames from the cursor. Affects stereo only.
    func movePan(to position: Float, frames: Int64) {
        pan.ramp(to: StereoBalance.valid(position), from: cursor, frames: frames)
    }

    /// Whether segments have ever changed volume or pan. If not, the audible values are those last set. REAL-TIME.
    var hasSegmentChanges: Bool {
        @_noLocks get {
            if volume.hasSegmentChanges { return true }
            return pan.hasSegmentChanges
        }
    }

    /// The client's volume at a frame. REAL-TIME.
    @_noLocks func gain(at frame: Int64) -> Float { volume.value(at: frame) }

    /// The client's pan at a frame. REAL-TIME.
    @_noLocks func position(at frame: Int64) -> Float { pan.value(at: frame) }

    /// The volume set by a segment, if it is current at a frame and no call has set another; else nil.
    func segmentGain(at frame: Int64) -> Float? {
        let latest = volume.inForce(at: frame)
        return latest.isOfSegment ? latest.ramp.endGain : nil
    }

    /// The pan set by a segment, likewise.
    func segmentPan(at frame: Int64) -> Float? {
        let latest = pan.inForce(at: frame)
        return latest.isOfSegment ? latest.ramp.endGain : nil
    }

    /// Publishes the current volume and pan at a frame to other threads in ``published``. REAL-TIME.
    @_noLocks func publishParameters(at frame: Int64) {
        // REAL-TIME: a closure that captures `self` would retain it.
        let gain = volume.inForce(at: frame)
        let position = pan.inForce(at: frame)
        let state = PublishedParameters.State(
            volume: PublishedParameters.Parameter(ramp: gain.ramp, isOfSegment: gain.isOfSegment),
            pan: PublishedParameters.Parameter(ramp: position.ramp, isOfSegment: position.isOfSegment))
        unsafe publishedReference._withUnsafeGuaranteedRef { $0.publish(state) }
    }
}
