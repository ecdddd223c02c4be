// SPDX-License-Identifier: MIT

package import AQDevices
import CAQRealTime

extension OutputQueue {
    /// The longest time until a start that a client may request, in nanoseconds.
    private static let longestWait: UInt64 = 60_000_000_000

    /// Waits until the device of a started queue runs or has failed.
    ///
    /// After two seconds returns without an error, because a slow server may still answer. Neither makes callbacks
    /// nor waits for callbacks: the caller may hold a lock that a callback needs. Returns at once in a callback of
    /// any queue, if the queue waits for its start time, and if it was stopped, paused or disposed of meanwhile.
    ///
    /// - Throws: The error that ``failure`` returns; the queue has stopped then.
    package func awaitStart() throws(QueueError) { try usableCore.awaitStart() }

    /// Starts a stopped queue so that its first frame is played at a host time.
    ///
    /// A time that is past, or too early for the device, means as soon as possible. The frame at that host time is
    /// number 0 of the timeline. A queue that waits for its time counts as started: a stop or a pause cancels the
    /// start. A running queue is not changed, and a paused one resumes at once.
    ///
    /// - Parameter hostTime: The time in nanoseconds of CLOCK_MONOTONIC, at most a minute from now.
    /// - Throws: The errors of ``start()``; ``QueueError/Code/invalidArgument`` for a time that is too far ahead.
    package func start(atHostTime hostTime: UInt64) throws(QueueError) {
        let now = aq_host_time()
        guard hostTime <= now &+ OutputQueue.longestWait else {
            throw QueueError(
                .invalidArgument, "cannot start \((hostTime - now) / 1_000_000_000) seconds from now")
        }
        try usableCore.start(atHostTime: hostTime)
    }

    /// The position and rate of the device's clock; nil while the device does not run for the queue.
    ///
    /// The position counts frames at ``GrantedLatency/deviceSampleRate``, continuously across pauses and resets.
    package var deviceClock: DeviceClockReading? { core.stream.deviceClock }

    /// Returns the earliest possible time of the first frame that is not before `hostTime`.
    package func nearestStart(toHostTime hostTime: UInt64) -> UInt64 {
        core.stream.nearestStart(toHostTime: hostTime)
    }
}
