// SPDX-License-Identifier: MIT

import AQDevices

extension OutputQueue {
    /// Makes an observer for gaps from now on.
    ///
    /// The corresponding C function is `AudioQueueCreateTimeline`.
    public func makeTimeline() -> QueueTimeline {
        QueueTimeline(
            discontinuities: core.monitor.withLock {
                $0.timeline.allGaps($0.path.stream.position().discontinuities)
            })
    }

    /// The time of the frame that is playing now.
    ///
    /// - Parameter timeline: The observer for gaps; if nil, ``QueueTime/isDiscontinuous`` is false.
    /// - Throws: ``QueueError/Code/invalidRunState`` before the device runs, which is a moment after ``start()``, and
    ///   after a stop.
    ///
    /// The corresponding C function is `AudioQueueGetCurrentTime`.
    public func currentTime(on timeline: QueueTimeline? = nil) throws(QueueError) -> QueueTime {
        try usableCore.monitor.withLock { (state: inout OutputState) throws(QueueError) -> QueueTime in
            if case .fail(let code) = state.machine.apply(.use) { throw QueueError(code) }
            // COMPAT: callers take this error for position 0.
            guard state.status.isRunning, !state.isStopPending else {
                throw QueueError(.invalidRunState)
            }
            let position = state.path.stream.position()
            // Until the device has completed a reset, its frame count is not that of the effects.
            let isExact = state.path.chain == nil || state.resets.isEmpty
            // The device counts frames after time stretching, and a queue the frames of its format.
            let sourceFrames = state.path.chain?.sourceFrame(atOutput: position.playedFrames)
            return state.timeline.time(
                at: position, sourceFrames: sourceFrames, isExact: isExact, for: timeline)
        }
    }
}
