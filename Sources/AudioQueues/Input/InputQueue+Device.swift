// SPDX-License-Identifier: MIT

package import AQDevices
package import CoreAudioTypes

/// The device of a recording, and its start time.
extension InputQueue {
    // MARK: Starting

    /// Waits until the device of a started queue captures or has failed.
    ///
    /// After two seconds returns without an error, because a slow server may still answer. Neither runs callbacks nor
    /// waits for callbacks. Returns at once in a callback of any queue, if the queue was stopped, paused or disposed
    /// of meanwhile, and if its start time is in the future.
    ///
    /// - Throws: The error that ``failure`` will return; the queue has stopped then.
    package func awaitStart() throws(QueueError) { try usableCore.awaitStart() }

    /// Starts a stopped queue so that its first frame is captured at a host time.
    ///
    /// A time that is past, or too early for the device, means as soon as possible. A queue that waits for its time
    /// counts as started: a stop or a pause cancels the start. A paused or running queue ignores the time.
    ///
    /// - Parameter hostTime: The time in nanoseconds of CLOCK_MONOTONIC, at most a minute from now.
    /// - Throws: The errors of ``start()``; ``QueueError/Code/invalidArgument`` for a time that is too far ahead.
    ///
    /// The corresponding C function is `AudioQueueStart` with a start time.
    package func start(atHostTime hostTime: UInt64) throws(QueueError) {
        try usableCore.start(atHostTime: hostTime)
    }

    // MARK: The device

    /// Records from another device from the next start.
    ///
    /// Enqueued buffers, listeners, gain and metering remain, and so does the format, including a rate and channels
    /// that the first device determined. A channel assignment is dropped. The listeners of ``Property/device`` are
    /// called.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and the device's errors for the
    ///   format. The queue then keeps its device.
    ///
    /// The corresponding C property is `kAudioQueueProperty_CurrentDevice`.
    package func setDevice(_ device: any InputDevice) throws(QueueError) { try usableCore.setDevice(device) }

    /// The position and rate of the device's clock; nil while the device does not run for the queue.
    ///
    /// The position counts frames at ``GrantedLatency/deviceSampleRate``, continuously across pauses.
    ///
    /// The corresponding C function is `AudioQueueDeviceGetCurrentTime`.
    package var deviceClock: DeviceClockReading? { core.path.stream.deviceClock }

    /// Returns the earliest possible time of the first captured frame that is not before `hostTime`.
    ///
    /// The corresponding C function is `AudioQueueDeviceGetNearestStartTime`.
    package func nearestStart(toHostTime hostTime: UInt64) -> UInt64 {
        core.path.stream.nearestStart(toHostTime: hostTime)
    }

    /// Takes each channel of the format from a channel of the device.
    ///
    /// Waits up to five seconds for the device's channel count, if it is unknown.
    ///
    /// - Parameter assignments: One assignment for each channel, all to the queue's device. An empty array removes
    ///   the previous assignments.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` if the number of assignments differs from that of the channels, or
    ///   they name several devices; ``QueueError/Code/invalidDevice`` for another device, or a channel that does not
    ///   exist.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ChannelAssignments`.
    package func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError) {
        try usableCore.setChannelAssignments(assignments)
    }

    // MARK: Channels

    /// The labels of the format's channels.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ChannelLayout`.
    package var channelLabels: [AudioChannelLabel] { core.path.plan.channelLabels }

    /// Sets the label of each channel of the format, from the next start.
    ///
    /// If an encoder has its own channel order, the device captures in that order.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertyValue`` unless there is one label for each channel;
    ///   ``QueueError/Code/invalidRunState`` unless the queue is stopped; the device's errors.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ChannelLayout`.
    package func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError) {
        try usableCore.setChannelLabels(labels)
    }
}
