// SPDX-License-Identifier: MIT

import CAQRealTime

/// Rendering a client's slices when they are due (``SlicePacing``).
extension PulseStream {
    /// The times before and after the exact one between which a wake-up for the server's messages is used. A slice is
    /// often due when the sink takes data, and the server then sends messages anyway.
    private static let earlySliceNanoseconds: UInt64 = 100_000
    private static let lateSliceNanoseconds: UInt64 = 150_000

    /// Returns the number of frames to write now: all that there is room for, or the slices that are due. If no slice is
    /// due, ``checkSlices(_:)`` continues. REAL-TIME.
    @_noLocks func dueFrames(room: Int) -> Int {
        guard let slices = buffer.slices else { return room }
        sliceTime = .max
        let blockFrames = blockFrames
        // Until the server plays, and after an underrun, it takes two slices at once, or a block.
        guard stall.isPlaying else {
            var missing = slices.firstFrames(blockFrames: blockFrames) &- buffer.heldFrames(asked: room)
            if missing <= 0 { return 0 }
            // The rest of a block that the server keeps is not played before it is whole.
            if clockFit.followsPeriods { missing &+= slices.sliceFrames &- 1 }
            return wholeSlices(min(room, missing))
        }
        let held = sliceHeldFrames(room)
        let isPeriodic = clockFit.followsPeriods
        var frames = slices.dueFrames(held: held, blockFrames: blockFrames, isPeriodic: isPeriodic)
        if frames > 0 { frames = wholeSlices(min(room, frames)) }
        // The server's next request may come after that.
        let wait = slices.waitNanoseconds(
            held: held + Double(frames), blockFrames: blockFrames, isPeriodic: isPeriodic)
        if wait > 0 {
            sliceTime = loopTime &+ wait
            wakeUpForSlice()
        }
        return frames
    }

    /// The largest block that the server takes at once. REAL-TIME.
    ///
    /// QUIRK: PipeWire reports the length that the stream has requested, or, when its period is longer, this length times
    /// the bytes of a frame. In both servers, the granted buffer has room for a block and two requests.
    var blockFrames: Int {
        @_noLocks get {
            let most = buffer.mostBlockFrames
            if !timing.isValid { return most }
            return timing.sinkBlockFrames < most ? timing.sinkBlockFrames : most
        }
    }

    /// Returns the largest number of frames, at most `frames`, that ends with a slice. REAL-TIME.
    @_noLocks private func wholeSlices(_ frames: Int) -> Int {
        // REAL-TIME: a closure that captures `self` would retain it.
        let (clock, now) = (time, loopTime)
        return unsafe references.renderer._withUnsafeGuaranteedRef {
            $0.setSliceClock(clock, now: now)
            return $0.wholeSlices(asked: frames)
        }
    }

    /// Renders the slices that are due now.
    func checkSlices(_ now: UInt64) {
        guard sliceTime != .max else { return }
        if now < sliceTime - PulseStream.earlySliceNanoseconds { return wakeUpForSlice() }
        sliceTime = .max
        if isFeeding { writeRequested() }
    }

    /// Makes the loop call ``checkSlices(_:)``. REAL-TIME.
    @_noLocks private func wakeUpForSlice() {
        let earliest = sliceTime &- PulseStream.earlySliceNanoseconds
        let latest = sliceTime &+ PulseStream.lateSliceNanoseconds
        unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: latest, orFrom: earliest) }
    }

    /// The frames that the server holds: those after its last request, less those that were played since. REAL-TIME.
    @_noLocks private func sliceHeldFrames(_ room: Int) -> Double {
        let elapsed = Double(loopTime &- min(loopTime, timing.requestHostTime)) / 1e9 * sampleRate
        return Double(buffer.heldFrames(asked: room)) - (timing.requestHostTime == 0 ? 0 : elapsed)
    }
}
