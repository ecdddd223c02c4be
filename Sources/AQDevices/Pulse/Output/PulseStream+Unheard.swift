// SPDX-License-Identifier: MIT

import CAQRealTime

/// Rendering a client's slices while there is no device (``UnheardSlices``): clients rely on the pace of their code.
extension PulseStream {
    /// Begins or ends the rendering without a device, after a change of the stream's state.
    func deviceMayHaveGone() {
        guard let slices = configuration.slices, lifecycle.isInterrupted else { return unheard.end() }
        if unheard.isActive { return }
        let now = loopTime
        // No slice precedes the start time.
        unheard.begin(at: max(now, timedStart.hostTime), after: slices.lastSlice)
        connection.loop.wakeUp(at: unheard.wakeUpTime(after: now))
    }

    /// Renders the slices that are due now, and drops them.
    func renderUnheardSlices(_ now: UInt64) {
        guard unheard.isActive, let slices = configuration.slices else { return }
        while let slice = unheard.take(at: now) {
            dropRendered()
            time.silentFrames += Double(slice.missedFrames)
            renderer.setSliceClock(time, now: slice.hostTime)
            slices.render(from: renderer.cursor)
            // On the timeline, the slice was played as silence.
            time.silentFrames += Double(slices.frames)
        }
        publishTime()
        connection.loop.wakeUp(at: unheard.wakeUpTime(after: now))
    }

    /// Drops the frames that the last device has not played. Until then, another device would play them.
    private func dropRendered() {
        time.silentFrames += Double(renderer.leftOfSlice)
        renderer.discardAll()
        if time.anchorFrame != Double(renderer.cursor) { stopClock(at: Double(renderer.cursor)) }
    }
}
