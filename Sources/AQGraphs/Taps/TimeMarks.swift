// SPDX-License-Identifier: MIT

import AQDevices

/// The times of slices in a ring of frames: written by the rendering thread, read by another one.
@safe final class TimeMarks: @unchecked Sendable {
    // SAFETY: a slot belongs to the writer or to the reader, by the indices.

    private struct Mark {
        /// The number of the first frame since the beginning.
        var position = 0
        var time = SliceTime(sampleTime: 0)
    }

    private static let capacity = 2_048
    private let indices = RingIndices(capacity: TimeMarks.capacity)
    private let marks: UnsafeMutablePointer<Mark>

    init() {
        unsafe marks = .allocate(capacity: Self.capacity)
        unsafe marks.initialize(repeating: Mark(), count: Self.capacity)
    }

    deinit { unsafe marks.deallocate() }

    /// Adds the time of a slice; returns false if there is no room. Writer only.
    func add(_ position: Int, _ time: SliceTime) -> Bool {
        let slot = indices.slotToWrite()
        guard slot >= 0 else { return false }
        unsafe marks[slot] = Mark(position: position, time: time)
        indices.didWrite()
        return true
    }

    /// Returns the time of a frame, which was written. Reader only.
    func time(of position: Int, sampleRate: Double) -> SliceTime {
        let slot = indices.slotToRead()
        guard slot >= 0 else { return SliceTime(sampleTime: Int64(position)) }
        let mark = unsafe marks[slot]
        return mark.time.advanced(frames: position - mark.position, sampleRate: sampleRate)
    }

    /// Returns the number of frames from `position` after which frames are missing. Reader only.
    func contiguousFrames(from position: Int) -> Int {
        var ahead = 0
        var last = indices.slotToRead()
        while last >= 0 {
            ahead += 1
            let slot = indices.slotToRead(ahead: ahead)
            guard slot >= 0 else { return .max }
            let (mark, next) = unsafe (marks[last], marks[slot])
            if next.time.sampleTime - mark.time.sampleTime != Int64(next.position - mark.position) {
                return next.position - position
            }
            last = slot
        }
        return .max
    }

    /// Drops marks of slices that end before a frame. Reader only.
    func drop(before position: Int) {
        while true {
            let next = indices.slotToRead(ahead: 1)
            guard next >= 0, unsafe marks[next].position <= position else { return }
            indices.didRead()
        }
    }
}
