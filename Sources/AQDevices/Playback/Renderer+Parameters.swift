// SPDX-License-Identifier: MIT

/// Volume and pan at a frame, for code that does not render.
extension Renderer {
    /// Moves the pan to a value from -1 (left) to 1 (right) within `frames` frames from the cursor. Affects stereo
    /// only.
    func movePan(to position: Float, frames: Int64) {
        pan.ramp(to: StereoBalance.valid(position), from: cursor, frames: frames)
    }

    /// Whether segments have ever changed volume or pan. If not, the audible values are those last set by calls.
    /// REAL-TIME.
    var hasSegmentChanges: Bool {
        @_noLocks get {
            if volume.hasSegmentChanges { return true }
            return pan.hasSegmentChanges
        }
    }

    /// Publishes the current volume and pan at a frame to other threads in ``published``. REAL-TIME.
    @_noLocks func publishParameters(at frame: Int64) {
        // REAL-TIME: a closure that captures `self` would retain it.
        let state = PublishedParameters.State(
            volume: volume.inForce(at: frame), pan: pan.inForce(at: frame))
        unsafe publishedReference._withUnsafeGuaranteedRef { $0.publish(state) }
    }
}
