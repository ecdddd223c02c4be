// SPDX-License-Identifier: MIT

/// The times at which a client's slices are rendered while no device takes them: one slice after another, by the host's
/// clock.
///
/// Belongs to the device's thread. Times are host times, in nanoseconds.
struct UnheardSlices {
    /// A slice to render.
    struct Slice: Equatable {
        /// The time at which its first frame would be audible.
        var hostTime: UInt64
        /// The frames before it that were not rendered, because the thread was late.
        var missedFrames: Int
    }

    /// The shortest time between two wake-ups. Shorter slices are rendered in groups.
    private static let leastWait: UInt64 = 500_000
    /// The lateness that is made up for, unless a slice is longer. Slices that are later are missed: programs that get
    /// many slices at once would do the work of all this time at once.
    private static let mostLateness: UInt64 = 2_000_000

    private let frames: Int
    private let sliceTime: UInt64
    /// The time at which the next slice is due; `.max` while a device takes the slices.
    private var dueTime = UInt64.max
    private var lead: UInt64 = 0

    init(frames: Int, sampleRate: Double) {
        self.frames = frames
        sliceTime = UInt64(max(1, Double(frames) / sampleRate * 1e9))
    }

    var isActive: Bool { dueTime != .max }

    /// Begins, a slice after the last one that a device took.
    ///
    /// - Parameter last: The times at which that slice was rendered, and was to be audible.
    mutating func begin(at now: UInt64, after last: (rendered: UInt64, audible: UInt64)) {
        dueTime = max(now, min(last.rendered, now) + sliceTime)
        let next = last.audible &+ sliceTime
        lead = next > dueTime ? min(next - dueTime, SliceSource.longestLead) : 0
    }

    mutating func end() { dueTime = .max }

    /// Takes the next slice if it is due.
    mutating func take(at now: UInt64) -> Slice? {
        guard now >= dueTime else { return nil }
        var missed: UInt64 = 0
        if now - dueTime > max(sliceTime, UnheardSlices.mostLateness) { missed = (now - dueTime) / sliceTime }
        dueTime += missed * sliceTime
        defer { dueTime += sliceTime }
        return Slice(hostTime: dueTime + lead, missedFrames: Int(missed) * frames)
    }

    /// The time of the next wake-up.
    func wakeUpTime(after now: UInt64) -> UInt64 {
        isActive ? max(dueTime, now + UnheardSlices.leastWait) : .max
    }
}
