// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Captured frames that wait for the client: interleaved samples of the stream, the oldest first.
///
/// One thread adds frames, and any thread takes them. If more wait than fit, the oldest are dropped. The thread that adds
/// takes no lock and never waits.
@safe final class CapturedFrames: @unchecked Sendable {
    // SAFETY: frames from `start` to `end` are only read, and the rest of the memory is used by the thread that adds.

    let capacity: Int
    private let bytesPerFrame: Int
    private let memory: UnsafeMutableRawPointer
    /// The number of frames that were added.
    private let end = Atomic<Int>(0)
    /// The number of the oldest frame in the memory. Only the thread that has the turn changes it.
    private let start = Atomic<Int>(0)
    /// Frames with smaller numbers were dropped, although they may still be in the memory.
    private let firstWanted = Atomic<Int>(0)
    private let hasTurn = Atomic<Bool>(false)

    init(capacity: Int, bytesPerFrame: Int) {
        self.capacity = max(1, capacity)
        self.bytesPerFrame = bytesPerFrame
        unsafe memory = .allocate(byteCount: self.capacity * bytesPerFrame, alignment: 64)
    }

    deinit { unsafe memory.deallocate() }

    /// Drops all frames that wait. Any thread.
    func removeAll() { firstWanted.max(end.load(ordering: .acquiring), ordering: .acquiringAndReleasing) }

    private func takeTurn() -> Bool {
        hasTurn.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    private func endTurn() { hasTurn.store(false, ordering: .releasing) }

    /// Adds frames.
    ///
    /// - Returns: The number of frames that were lost and have no number: those beyond the capacity, or all of them if the
    ///   oldest cannot be dropped because another thread takes frames now.
    func append(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        let count = min(frames, capacity)
        let end = end.load(ordering: .relaxed)
        if end + count - start.load(ordering: .acquiring) > capacity {
            guard takeTurn() else { return frames }
            start.store(max(oldest(before: end), end + count - capacity), ordering: .relaxed)
            endTurn()
        }
        unsafe copy(count, at: end) { memory, offset, bytes in
            unsafe _ = memcpy(memory, samples + (frames - count) * bytesPerFrame + offset, bytes)
        }
        self.end.store(end + count, ordering: .releasing)
        return frames - count
    }

    // MARK: Any thread

    /// The number of frames that wait.
    var count: Int {
        let end = end.load(ordering: .acquiring)
        return end - oldest(before: end)
    }

    /// The number of the frame that is taken next, counting all that were added.
    var nextNumber: Int { oldest(before: end.load(ordering: .acquiring)) }

    private func oldest(before end: Int) -> Int {
        min(end, max(start.load(ordering: .acquiring), firstWanted.load(ordering: .acquiring)))
    }

    /// Drops all but the newest frames.
    func keep(newest frames: Int) {
        firstWanted.max(end.load(ordering: .acquiring) - max(0, frames), ordering: .acquiringAndReleasing)
    }

    /// Moves the oldest frames to `target`; returns false, and moves none, if there are fewer.
    ///
    /// Waits for another thread that takes frames.
    func take(_ frames: Int, into target: UnsafeMutableRawPointer) -> Bool {
        while !takeTurn() { sched_yield() }
        defer { endTurn() }
        let end = end.load(ordering: .acquiring)
        let first = oldest(before: end)
        guard frames >= 0, frames <= end - first else { return false }
        unsafe copy(frames, at: first) { memory, offset, bytes in
            unsafe _ = memcpy(target + offset, memory, bytes)
        }
        start.store(first + frames, ordering: .releasing)
        return true
    }

    /// Calls `body` with the memory of frames, its offset from the first one in bytes, and its size: one or two parts.
    private func copy(
        _ frames: Int, at number: Int, _ body: (UnsafeMutableRawPointer, _ offset: Int, _ bytes: Int) -> Void
    ) {
        let slot = number % capacity
        let first = min(frames, capacity - slot)
        unsafe body(memory + slot * bytesPerFrame, 0, first * bytesPerFrame)
        if first < frames {
            unsafe body(memory, first * bytesPerFrame, (frames - first) * bytesPerFrame)
        }
    }
}
