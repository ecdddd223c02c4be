package import AudioDevices
import CRealTime

extension OutputQueue {
    /// The farthest time ahead that a queue can be started for, in nanoseconds.
    private static let longestWait: UInt64 = 60_000_000_000

    /// Waits until the device of a queue that was started runs, or has failed.
    ///
    /// Two seconds at most, and without an error then: a server that is slow may still come. Makes no callbacks, and
    /// needs none to be made: the caller may hold a lock that a callback waits for. Returns at once in a callback, of
    /// whatever queue, of a queue that waits for the time of its start, and of one that was stopped, paused or
    /// disposed of meanwhile.
    ///
    /// - Throws: What ``failure`` says; the queue has stopped then.
    package func awaitStart() throws(QueueError) { try usableCore.awaitStart() }

    /// Starts a stopped queue so that its first frame is heard at a host time.
    ///
    /// A time that has passed, or comes sooner than the device can start, is as soon as possible. The frame at that
    /// host time is number 0 of the timeline. A queue that waits for its time counts as started: a stop or a pause
    /// takes the start back. A queue that runs already stays as it is, and one that is paused goes on at once.
    ///
    /// - Parameter hostTime: CLOCK_MONOTONIC in nanoseconds, a minute ahead at most.
    /// - Throws: As ``start()``; ``QueueError/Code/invalidArgument`` for a time that is too far ahead.
    package func start(atHostTime hostTime: UInt64) throws(QueueError) {
        let now = aq_host_time()
        guard hostTime <= now &+ OutputQueue.longestWait else {
            throw QueueError(
                .invalidArgument, "cannot start \((hostTime - now) / 1_000_000_000) seconds from now")
        }
        try usableCore.start(atHostTime: hostTime)
    }

    /// The device's clock: where it is now, and how fast it goes; nil while the device does not run for the queue.
    ///
    /// Frames of the device, of the sample rate that ``GrantedLatency/deviceSampleRate`` tells, counted on through
    /// pauses and resets.
    package var deviceClock: DeviceClockReading? { core.stream.deviceClock }

    /// When the first frame can be heard, if it is wanted at `hostTime`: then, or what comes nearest behind it.
    package func nearestStart(toHostTime hostTime: UInt64) -> UInt64 {
        core.stream.nearestStart(toHostTime: hostTime)
    }
}
