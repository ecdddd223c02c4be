// SPDX-License-Identifier: MIT

import AQDevices

extension InputQueue {
    /// Makes an observer for gaps from now on.
    ///
    /// The corresponding C function is `AudioQueueCreateTimeline`.
    public func makeTimeline() -> QueueTimeline {
        QueueTimeline(discontinuities: core.monitor.withLock { $0.allGaps() })
    }

    /// The time of the frame that is captured now.
    ///
    /// - Parameter timeline: The observer for gaps; if nil, ``QueueTime/isDiscontinuous`` is false.
    /// - Throws: ``QueueError/Code/invalidRunState`` before the device captures, which is a moment after ``start()``,
    ///   and after a stop.
    ///
    /// The corresponding C function is `AudioQueueGetCurrentTime`.
    public func currentTime(on timeline: QueueTimeline? = nil) throws(QueueError) -> QueueTime {
        try usableCore.monitor.withLock { (state: inout InputState) throws(QueueError) -> QueueTime in
            if case .fail(let code) = state.machine.apply(.use) { throw QueueError(code) }
            // COMPAT: callers take this error for position 0.
            guard state.status.isCapturing, !state.isStopPending else {
                throw QueueError(.invalidRunState)
            }
            return state.timeline.time(at: state.path.stream.position(), for: timeline)
        }
    }
}
