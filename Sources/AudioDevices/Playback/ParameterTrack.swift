/// The value of a parameter at every frame: what the client has set, and what segments set that are on their way.
///
/// Described by frame, as a ``GainRamp`` is, and with the changes of some time: frames that are rendered a second time,
/// after a rewind, get the value of their place, even when it has changed since. Belongs to the device's thread.
@safe struct ParameterTrack: ~Copyable {
    // SAFETY: owns its memory, of which the first `count` changes are written. They need no initialising, which would
    // touch memory that most streams never use: the type is trivial.

    private struct Change {
        var frame: Int64
        /// Reached after `rampFrames`, from the value in force at `frame`.
        var value: Float
        var rampFrames: Int64
        /// Whether it came with a segment, and not by a call.
        var isOfSegment: Bool
    }

    /// In the order of their frames, and of their coming where frames are the same.
    private let changes: UnsafeMutablePointer<Change>
    private var count = 0
    /// As many as there may be segments. Beyond that the oldest are told apart no more.
    private let capacity = StreamFeed.segmentCapacity
    /// What holds before the first change.
    private var base: GainRamp
    /// Whether a segment's change was the last to become part of that.
    private var isBaseOfSegment = false
    /// What holds from `presentStart` on, up to the next change at `presentEnd`.
    private var present: GainRamp
    private var presentStart = Int64.min
    private var presentEnd = Int64.max
    /// Whether a segment has ever changed the value, so that it is not simply what was set last.
    private(set) var hasSegmentChanges = false
    /// Where the last call's change begins.
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

    /// The frames from `frame` on, at most `limit`, over which the value is the same; 0 inside a ramp. REAL-TIME.
    @_noLocks func constantRun(from frame: Int64, limit: Int) -> Int {
        let run = present.constantRun(from: frame, limit: limit)
        let left = presentEnd &- frame
        return left < Int64(run) ? Int(left) : run
    }

    /// The value at the frame that was sought, or one up to the next change. REAL-TIME.
    @_noLocks func presentValue(at frame: Int64) -> Float { present.gain(at: frame) }

    /// The value at any frame. REAL-TIME.
    @_noLocks func value(at frame: Int64) -> Float { latest(at: frame).ramp.gain(at: frame) }

    /// The change in force at a frame, for who asks: one by a call is, even before it is heard. REAL-TIME.
    @_noLocks func inForce(at frame: Int64) -> (ramp: GainRamp, isOfSegment: Bool) {
        latest(at: max(frame, calledFrame))
    }

    @_noLocks private func latest(at frame: Int64) -> (ramp: GainRamp, isOfSegment: Bool) {
        var ramp = base
        var isOfSegment = isBaseOfSegment
        var index = 0
        while index < count {
            let change = unsafe changes[index]
            if change.frame > frame { break }
            ramp.ramp(to: change.value, from: change.frame, frames: change.rampFrames)
            isOfSegment = change.isOfSegment
            index &+= 1
        }
        return (ramp, isOfSegment)
    }

    // MARK: Changing

    /// Sets a value that is reached over `frames` frames, from `frame` on: earlier calls no longer count from there on.
    ///
    /// Segments that change it later still do. One that does at the same frame was there first.
    mutating func ramp(to value: Float, from frame: Int64, frames: Int64) {
        calledFrame = frame
        remove(from: frame, ofSegments: false)
        insert(Change(frame: frame, value: value, rampFrames: frames, isOfSegment: false))
    }

    /// The same by a segment that begins at `frame`, behind all that was rendered before. REAL-TIME.
    @_noLocks mutating func rampInSegment(to value: Float, from frame: Int64, frames: Int64) {
        hasSegmentChanges = true
        insert(Change(frame: frame, value: value, rampFrames: frames, isOfSegment: true))
    }

    /// Takes back what segments were to change from `frame` on, since it is never heard. REAL-TIME.
    @_noLocks mutating func dropSegments(from frame: Int64) { remove(from: frame, ofSegments: true) }

    /// Forgets when it changed before `frame`, since nothing before is rendered again. REAL-TIME.
    @_noLocks mutating func forget(before frame: Int64) {
        var number = 0
        while number < count {
            if unsafe changes[number].frame >= frame { break }
            number &+= 1
        }
        if number > 0 { fold(number) }
    }

    // MARK: Inside

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

    /// Makes the oldest changes part of what holds before the others.
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

    /// Has the next ``seek(to:)`` look.
    @_noLocks private mutating func forgetPresent() {
        presentStart = .max
        presentEnd = .min
    }
}
