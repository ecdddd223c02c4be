// SPDX-License-Identifier: MIT

import Glibc
import Threads

/// Captured frames that wait for the client: interleaved samples of the stream, the oldest first.
///
/// One thread adds frames, and any thread takes them. If more wait than fit, the oldest are dropped.
@safe final class CapturedFrames: @unchecked Sendable {
    // SAFETY: the memory is used with the state's lock held.

    private struct State {
        var start = 0
        var count = 0
    }

    let capacity: Int
    private let bytesPerFrame: Int
    private let memory: UnsafeMutableRawPointer
    private let state = Monitor(State())

    init(capacity: Int, bytesPerFrame: Int) {
        self.capacity = max(1, capacity)
        self.bytesPerFrame = bytesPerFrame
        unsafe memory = .allocate(byteCount: self.capacity * bytesPerFrame, alignment: 64)
    }

    deinit { unsafe memory.deallocate() }

    /// The number of frames that wait.
    var count: Int { state.withLock { $0.count } }

    func removeAll() { state.withLock { $0 = State() } }

    /// Removes all but the newest frames.
    func keep(newest frames: Int) {
        state.withLock { state in
            let dropped = max(0, state.count - max(0, frames))
            state.start = (state.start + dropped) % capacity
            state.count -= dropped
        }
    }

    /// Adds frames; returns the number of old ones that were dropped for them.
    @discardableResult
    func append(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        state.withLock { state in
            let skipped = max(0, frames - capacity)
            let kept = frames - skipped
            let dropped = max(0, state.count + kept - capacity)
            state.start = (state.start + dropped) % capacity
            state.count -= dropped
            let source = unsafe samples + skipped * bytesPerFrame
            let slot = (state.start + state.count) % capacity
            let first = min(kept, capacity - slot)
            unsafe memcpy(memory + slot * bytesPerFrame, source, first * bytesPerFrame)
            if kept > first {
                unsafe _ = memcpy(memory, source + first * bytesPerFrame, (kept - first) * bytesPerFrame)
            }
            state.count += kept
            return skipped + dropped
        }
    }

    /// Moves the oldest frames to `target`; returns false, and moves none, if there are fewer.
    func take(_ frames: Int, into target: UnsafeMutableRawPointer) -> Bool {
        state.withLock { state in
            guard frames >= 0, frames <= state.count else { return false }
            let first = min(frames, capacity - state.start)
            unsafe memcpy(target, memory + state.start * bytesPerFrame, first * bytesPerFrame)
            if frames > first {
                unsafe _ = memcpy(target + first * bytesPerFrame, memory, (frames - first) * bytesPerFrame)
            }
            state.start = (state.start + frames) % capacity
            state.count -= frames
            return true
        }
    }
}
