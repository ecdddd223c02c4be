package import AudioDevices
package import CoreAudioTypes

/// What the queue records from, and when.
extension InputQueue {
    // MARK: Starting

    /// Waits until the device of a queue that was started captures, or has failed; two seconds at most.
    ///
    /// Returns without an error when the time is over: a server that is slow may still come. Makes no callbacks, and
    /// needs none to be made. Returns at once in a callback, of whatever queue, of a queue that was stopped, paused or
    /// disposed of meanwhile, and of one that is to start at a time to come.
    ///
    /// - Throws: What ``failure`` is going to say; the queue has stopped then.
    package func awaitStart() throws(QueueError) { try usableCore.awaitStart() }

    /// Starts a stopped queue so that its first frame is captured at a host time.
    ///
    /// A time that has passed, or comes sooner than the device can start, is as soon as possible. A queue that waits
    /// for its time counts as started: a stop or a pause takes the start back. One that is paused or runs already takes
    /// no heed of the time.
    ///
    /// - Parameter hostTime: CLOCK_MONOTONIC, nanoseconds; a minute ahead at most.
    /// - Throws: As ``start()``; ``QueueError/Code/invalidArgument`` for a time that is too far ahead.
    ///
    /// The corresponding C function is `AudioQueueStart` with a start time.
    package func start(atHostTime hostTime: UInt64) throws(QueueError) {
        try usableCore.start(atHostTime: hostTime)
    }

    // MARK: The device

    /// Records from another device when the queue is started next.
    ///
    /// Buffers, listeners, the gain, metering and what is enqueued stay, and so does the format: a rate and channels
    /// that were left to the device are those found at creation. An assignment of channels ends. The listeners of
    /// ``Property/device`` are called.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and what the device says against the
    ///   format; the queue keeps its device then.
    ///
    /// The corresponding C property is `kAudioQueueProperty_CurrentDevice`.
    package func setDevice(_ device: any InputDevice) throws(QueueError) { try usableCore.setDevice(device) }

    /// The device's clock: where it is now, and how fast it goes; nil while it does not run for the queue.
    ///
    /// Frames of the device, of the rate that ``GrantedLatency/deviceSampleRate`` tells, counted on through pauses.
    ///
    /// The corresponding C function is `AudioQueueDeviceGetCurrentTime`.
    package var deviceClock: DeviceClockReading? { core.path.stream.deviceClock }

    /// When the first frame can be captured, if it is wanted at `hostTime`: then, or soonest behind.
    ///
    /// The corresponding C function is `AudioQueueDeviceGetNearestStartTime`.
    package func nearestStart(toHostTime hostTime: UInt64) -> UInt64 {
        core.path.stream.nearestStart(toHostTime: hostTime)
    }

    /// Takes each channel of the format from a channel of the device.
    ///
    /// Of a device that has told nothing yet, waits up to five seconds for the number of its channels.
    ///
    /// - Parameter assignments: One a channel, all of the queue's own device. None takes an earlier assignment back.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` for another number than there are channels, and for channels of
    ///   different devices; ``QueueError/Code/invalidDevice`` for another device, and for a channel that there is not.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ChannelAssignments`.
    package func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError) {
        try usableCore.setChannelAssignments(assignments)
    }

    // MARK: Channels

    /// What each channel of the format is for.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ChannelLayout`.
    package var channelLabels: [AudioChannelLabel] { core.path.plan.channelLabels }

    /// Says what each channel of the format is for, from the next start on.
    ///
    /// Where an encoder has an order of its own, the device's channels go by that.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertyValue`` for another number of labels than of channels;
    ///   ``QueueError/Code/invalidRunState`` unless the queue is stopped; what the device says.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ChannelLayout`.
    package func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError) {
        try usableCore.setChannelLabels(labels)
    }
}
