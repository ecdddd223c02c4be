// SPDX-License-Identifier: MIT

/// The value of a parameter at every frame, as set by calls of the client and by segments.
///
/// The value depends only on the frame, as in ``GainRamp``, and recent changes are kept. Frames rendered again after a
/// rewind therefore get the same value, even if it has changed since. Belongs to the device's thread.
@safe struct ParameterTrack: ~Copyable {
    // SAFETY: owns its memory, of which the first `count` changes are written. `Change` is trivial, so the rest is not
    // initialised: most streams never use it.

    private struct Change {
        var frame: Int64
        /// Reached after `rampFrames`, from the current value at `frame`.
        var value: Float
        var rampFrames: Int64
        /// Whether a segment, not a call, made the change.
        var isOfSegment: Bool
    }

    /// The changes in the order of their frames, and in order of arrival if frames are equal.
    private let changes: UnsafeMutablePointer<Change>
    private var count = 0
    /// The maximum number of changes. If there are more, the oldest are merged.
    private let capacity = StreamFeed.segmentCapacity
    /// The value before the first change.
    private var base: GainRamp
    /// Whether a segment made the last change merged into ``base``.
    private var isBaseOfSegment = false
    /// The value from `presentStart` to the next change at `presentEnd`.
    private var present: GainRamp
    private var presentStart = Int64.min
    private var presentEnd = Int64.max
    /// Whether a segment has ever changed the value. If not, the value is the one last set by a call.
    private(set) var hasSegmentChanges = false
    /// The first frame of the last call's change.
    private var calledFrame = Int64.min

    init(_ value: Float) {
        let ramp = GainRamp(constant: value)
        base = ramp
        present = ramp
        unsafe changes = .allocate(capacity: StreamFeed.segmentCapacity)
    }

    deinit { unsafe changes.deallocate() }

    // MARK: Reading

    /// Prepares ``constantRun(from:limit:)`` and ``presentValue(at:)`` for `frame`. REAL-TIME.
    @_noLocks mutating func seek(to frame: Int64) {
        if frame >= presentStart {
            if frame < presentEnd { return }
        }
        present = base
        presentStart = .min
        presentEnd = .max
        var index = 0
        while index < count {
            let change = unsafe changes[index]
            if change.frame > frame {
                presentEnd = change.frame
                return
            }
            present.ramp(to: change.value, from: change.frame, frames: change.rampFrames)
            presentStart = change.frame
            index &+= 1
        }
    }

    /// The number of frames from `frame`, at most `limit`, with the same value; 0 inside a ramp. REAL-TIME.
    @_noLocks func constantRun(from frame: Int64, limit: Int) -> Int {
        let run = present.constantRun(from: frame, limit: limit)
        let left = presentEnd &- frame
        return left < Int64(run) ? Int(left) : run
    }

    /// The value at the frame passed to ``seek(to:)``, or at a later one before the next change. REAL-TIME.
    @_noLocks func presentValue(at frame: Int64) -> Float { present.gain(at: frame) }

    /// The value at any frame. REAL-TIME.
    @_noLocks func value(at frame: Int64) -> Float { latest(at: frame).ramp.gain(at: frame) }

    /// The change reported as current at a frame: a call's change counts even before it is audible. REAL-TIME.
    @_noLocks func inForce(at frame: Int64) -> PublishedParameters.Parameter {
        latest(at: max(frame, calledFrame))
    }

    @_noLocks private func latest(at frame: Int64) -> PublishedParameters.Parameter {
        var latest = PublishedParameters.Parameter(ramp: base, isOfSegment: isBaseOfSegment)
        var index = 0
        while index < count {
            let change = unsafe changes[index]
            if change.frame > frame { break }
            latest.ramp.ramp(to: change.value, from: change.frame, frames: change.rampFrames)
            latest.isOfSegment = change.isOfSegment
            index &+= 1
        }
        return latest
    }

    // MARK: Changes

    /// Sets a value that is reached over `frames` frames, starting at `frame`. Replaces the changes made by other calls
    /// from that frame on.
    ///
    /// Later changes of segments still apply. A segment's change at the same frame comes first.
    mutating func ramp(to value: Float, from frame: Int64, frames: Int64) {
        calledFrame = frame
        remove(from: frame, ofSegments: false)
        insert(Change(frame: frame, value: value, rampFrames: frames, isOfSegment: false))
    }

    /// Makes the same change for a segment that begins at `frame`, after all rendered frames. REAL-TIME.
    @_noLocks mutating func rampInSegment(to value: Float, from frame: Int64, frames: Int64) {
        hasSegmentChanges = true
        insert(Change(frame: frame, value: value, rampFrames: frames, isOfSegment: true))
    }

    /// Removes the segments' changes from `frame` on, because their frames never become audible. REAL-TIME.
    @_noLocks mutating func dropSegments(from frame: Int64) { remove(from: frame, ofSegments: true) }

    /// Merges the changes before `frame`, because no frame before it is rendered again. REAL-TIME.
    @_noLocks mutating func forget(before frame: Int64) {
        var number = 0
        while number < count {
            if unsafe changes[number].frame >= frame { break }
            number &+= 1
        }
        if number > 0 { fold(number) }
    }

    // MARK: Private

    @_noLocks private mutating func insert(_ change: Change) {
        if count == capacity { fold(capacity / 2) }
        var index = count
        while index > 0 {
            let before = unsafe changes[index &- 1]
            if before.frame <= change.frame { break }
            unsafe (changes + index).initialize(to: before)
            index &-= 1
        }
        unsafe (changes + index).initialize(to: change)
        count &+= 1
        forgetPresent()
    }

    @_noLocks private mutating func remove(from frame: Int64, ofSegments: Bool) {
        var kept = 0
        var index = 0
        while index < count {
            let change = unsafe changes[index]
            let isRemoved = change.frame >= frame ? change.isOfSegment == ofSegments : false
            if !isRemoved {
                unsafe (changes + kept).initialize(to: change)
                kept &+= 1
            }
            index &+= 1
        }
        count = kept
        forgetPresent()
    }

    /// Merges the oldest changes into the base value.
    @_noLocks private mutating func fold(_ number: Int) {
        var index = 0
        while index < count {
            let change = unsafe changes[index]
            if index < number {
                base.ramp(to: change.value, from: change.frame, frames: change.rampFrames)
                isBaseOfSegment = change.isOfSegment
            } else {
                unsafe (changes + (index &- number)).initialize(to: change)
            }
            index &+= 1
        }
        count &-= number
        forgetPresent()
    }

    /// Makes the next ``seek(to:)`` search again.
    @_noLocks private mutating func forgetPresent() {
        presentStart = .max
        presentEnd = .min
    }
}
