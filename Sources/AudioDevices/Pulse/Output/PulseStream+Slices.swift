// SPDX-License-Identifier: MIT

import CRealTime

/// Rendering a client's slices when they are due (``SlicePacing``).
extension PulseStream {
    /// Returns the number of frames to write now: all that there is room for, or the slices that are due. If no slice is
    /// due, ``checkSlices(_:)`` continues. REAL-TIME.
    @_noLocks func dueFrames(room: Int) -> Int {
        guard let slices = buffer.slices else { return room }
        sliceTime = .max
        var wanted = 2 &* slices.sliceFrames &- buffer.heldFrames(asked: room)
        // Until the server plays, and after an underrun, it takes two slices at once.
        if stall.isPlaying {
            let held = sliceHeldFrames(room)
            let blockFrames = timing.isValid ? timing.sinkBlockFrames : 0
            wanted = slices.dueFrames(held: held, blockFrames: blockFrames)
            if wanted == 0 {
                sliceTime = loopTime &+ slices.waitNanoseconds(held: held, blockFrames: blockFrames)
                let due = sliceTime
                unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: due) }
                return 0
            }
        }
        // REAL-TIME: a closure that captures `self` would retain it.
        let (clock, now, frames) = (time, loopTime, min(room, wanted))
        return unsafe references.renderer._withUnsafeGuaranteedRef {
            $0.setSliceClock(clock, now: now)
            return $0.wholeSlices(asked: frames)
        }
    }

    /// Renders the slices that are due now.
    func checkSlices(_ now: UInt64) {
        guard now >= sliceTime else { return }
        sliceTime = .max
        if isFeeding { writeRequested() }
    }

    /// The frames that the server holds: those after its last request, less those that were played since. REAL-TIME.
    @_noLocks private func sliceHeldFrames(_ room: Int) -> Double {
        let elapsed = Double(loopTime &- min(loopTime, timing.requestHostTime)) / 1e9 * sampleRate
        return Double(buffer.heldFrames(asked: room)) - (timing.requestHostTime == 0 ? 0 : elapsed)
    }
}
