package import AudioDevices
package import CoreAudioTypes

extension OutputQueue {
    /// Plays on another device from the next start.
    ///
    /// Buffers, listeners, parameters, levels and enqueued audio remain; a channel assignment does not. The listeners
    /// of ``Property/device`` are called.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and the device's errors for the
    ///   format. The queue is then unchanged.
    package func setDevice(_ device: any OutputDevice) throws(QueueError) { try usableCore.setDevice(device) }

    /// Sends each channel of the format to a channel of the device.
    ///
    /// - Parameter assignments: One for each channel, all of the queue's device: under the name it was requested or
    ///   granted by. An empty array removes an earlier assignment.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` if their number differs from the channels' or they name several
    ///   devices; ``QueueError/Code/invalidDevice`` for another device. The start fails if the device does not have an
    ///   assigned channel.
    package func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError) {
        try usableCore.setChannelAssignments(assignments)
    }

    /// The use of each channel of the format.
    package var channelLabels: [AudioChannelLabel] { core.monitor.withLock { $0.path.plan.channelLabels } }

    /// Sets the use of each channel, from the next start.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertyValue`` unless there is one label for each channel;
    ///   ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError) {
        try usableCore.setChannelLabels(labels)
    }

    /// The requested latency between the queue and the loudspeaker: see ``Configuration/latency``.
    package var latency: LatencyGoal? { core.monitor.withLock { $0.settings.latency } }

    /// Requests a latency, from the next start.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func setLatency(_ goal: LatencyGoal?) throws(QueueError) {
        try usableCore.perform(.configure) { $0.settings.latency = goal }
    }

    /// The audio that is decoded ahead, in frames of the queue's rate: see ``Configuration/decodeAheadSeconds``.
    package var decodeAheadFrames: Int {
        let seconds = core.monitor.withLock { $0.path.plan.decodeAheadSeconds }
        return Int((seconds.clamped(to: OutputCore.decodeAheadRange) * format.mSampleRate).rounded())
    }

    /// Sets the audio that is decoded ahead, within its limits.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func setDecodeAhead(frames: Int) throws(QueueError) {
        try usableCore.setDecodeAhead(frames: frames)
    }
}
