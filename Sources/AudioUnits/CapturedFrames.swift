// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Captured frames that wait for the client: interleaved samples of the stream, the oldest first.
///
/// One thread adds frames, and one at a time takes them, both without a lock. If more wait than fit, the oldest are
/// lost.
@safe final class CapturedFrames: @unchecked Sendable {
    // SAFETY: frames that wait are not written, except those that a taker finds to be too old after it has copied them.

    let capacity: Int
    /// The most frames that are written at a time, for which there is memory besides the capacity.
    private let longestWrite: Int
    private let bytesPerFrame: Int
    private let memory: UnsafeMutableRawPointer
    /// The number of frames that were added.
    private let end = Atomic<Int>(0)
    /// The number of the next frame to take, unless it was dropped or lost.
    private let next = Atomic<Int>(0)
    /// Frames with smaller numbers were dropped.
    private let dropped = Atomic<Int>(0)

    init(capacity: Int, longestWrite: Int, bytesPerFrame: Int) {
        self.capacity = max(1, capacity)
        self.longestWrite = max(1, longestWrite)
        self.bytesPerFrame = bytesPerFrame
        unsafe memory = .allocate(
            byteCount: (self.capacity + self.longestWrite) * bytesPerFrame, alignment: 64)
    }

    deinit { unsafe memory.deallocate() }

    /// Drops all frames that wait. Any thread.
    func removeAll() { dropped.store(end.load(ordering: .acquiring), ordering: .releasing) }

    // MARK: The thread that adds

    func append(_ samples: UnsafeRawPointer, frames: Int) {
        var done = 0
        while done < frames {
            let count = min(frames - done, longestWrite)
            let first = end.load(ordering: .relaxed)
            // What was taken has been read.
            _ = next.load(ordering: .acquiring)
            unsafe copy(count, at: first) { memory, offset, bytes in
                unsafe _ = memcpy(memory, samples + done * bytesPerFrame + offset, bytes)
            }
            end.store(first + count, ordering: .releasing)
            done += count
        }
    }

    // MARK: The thread that takes

    /// The number of frames that wait.
    var count: Int {
        let end = end.load(ordering: .acquiring)
        return end - oldest(before: end)
    }

    /// The number of the frame that is taken next, counting all that were added.
    var nextNumber: Int { oldest(before: end.load(ordering: .acquiring)) }

    private func oldest(before end: Int) -> Int {
        min(end, max(next.load(ordering: .relaxed), dropped.load(ordering: .acquiring), end - capacity))
    }

    /// Drops all but the newest frames.
    func keep(newest frames: Int) {
        let end = end.load(ordering: .acquiring)
        next.store(max(oldest(before: end), end - max(0, frames)), ordering: .releasing)
    }

    /// Moves the oldest frames to `target`; returns false, and moves none, if there are fewer.
    func take(_ frames: Int, into target: UnsafeMutableRawPointer) -> Bool {
        while true {
            let end = end.load(ordering: .acquiring)
            let first = oldest(before: end)
            guard frames >= 0, frames <= end - first else { return false }
            unsafe copy(frames, at: first) { memory, offset, bytes in
                unsafe _ = memcpy(target + offset, memory, bytes)
            }
            atomicMemoryFence(ordering: .acquiring)
            // Unless the memory was written again during the copy.
            guard self.end.load(ordering: .relaxed) - first <= capacity else { continue }
            next.store(first + frames, ordering: .releasing)
            return true
        }
    }

    /// Calls `body` with the memory of frames, its offset from the first one in bytes, and its size: one or two parts.
    private func copy(
        _ frames: Int, at number: Int, _ body: (UnsafeMutableRawPointer, _ offset: Int, _ bytes: Int) -> Void
    ) {
        let slot = number % (capacity + longestWrite)
        let first = min(frames, capacity + longestWrite - slot)
        unsafe body(memory + slot * bytesPerFrame, 0, first * bytesPerFrame)
        if first < frames {
            unsafe body(memory, first * bytesPerFrame, (frames - first) * bytesPerFrame)
        }
    }
}
