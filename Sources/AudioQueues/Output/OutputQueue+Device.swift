package import AudioDevices
package import CoreAudioTypes

extension OutputQueue {
    /// Plays on another device when the queue is started next.
    ///
    /// Buffers, listeners, parameters, levels and what is enqueued stay; an assignment of channels does not. The
    /// listeners of ``Property/device`` are called.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and what the device says against the
    ///   format. The queue stays as it was then.
    package func setDevice(_ device: any OutputDevice) throws(QueueError) { try usableCore.setDevice(device) }

    /// Sends each channel of the format to a channel of the device.
    ///
    /// - Parameter assignments: One a channel, all of the queue's device: under the name that it was made with, or the
    ///   one that it was granted under. None takes an earlier assignment back.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` for another number than there are channels, and for channels of
    ///   different devices; ``QueueError/Code/invalidDevice`` for another device. A channel that the device turns out
    ///   not to have fails the start.
    package func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError) {
        try usableCore.setChannelAssignments(assignments)
    }

    /// The use of each channel of the format.
    package var channelLabels: [AudioChannelLabel] { core.monitor.withLock { $0.path.plan.channelLabels } }

    /// Sets the use of each channel, from the next start on.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertyValue`` for another number of labels than of channels;
    ///   ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError) {
        try usableCore.setChannelLabels(labels)
    }

    /// How much sound lies between the queue and the loudspeaker, as far as the client asks: see
    /// ``Configuration/latency``.
    package var latency: LatencyGoal? { core.monitor.withLock { $0.settings.latency } }

    /// Asks for that, from the next start on.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func setLatency(_ goal: LatencyGoal?) throws(QueueError) {
        try usableCore.perform(.configure) { $0.settings.setLatency(goal) }
    }

    /// How far is decoded ahead, in frames of the queue's rate: see ``Configuration/decodeAheadSeconds``.
    package var decodeAheadFrames: Int {
        let seconds = core.monitor.withLock { $0.path.plan.decodeAheadSeconds }
        return Int((seconds.clamped(to: OutputCore.decodeAheadRange) * format.mSampleRate).rounded())
    }

    /// Sets that, within its bounds.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func setDecodeAhead(frames: Int) throws(QueueError) {
        try usableCore.setDecodeAhead(frames: frames)
    }
}
