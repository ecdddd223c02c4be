// SPDX-License-Identifier: MIT

package import AQDevices
package import CoreAudioTypes

extension OutputQueue {
    /// Plays on another device from the next start.
    ///
    /// Buffers, listeners, parameters, metering and enqueued audio remain. A channel assignment is dropped. The
    /// listeners of ``Property/device`` are called.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and the device's errors for the
    ///   format. The queue is then unchanged.
    package func setDevice(_ device: any OutputDevice) throws(QueueError) { try usableCore.setDevice(device) }

    /// Sends each channel of the format to a channel of the device.
    ///
    /// - Parameter assignments: One assignment for each channel, all to the queue's device, under its requested or
    ///   its granted name. An empty array removes the previous assignments.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` if the number of assignments differs from that of the channels, or
    ///   they name several devices; ``QueueError/Code/invalidDevice`` for another device, or a channel that is not 1 to
    ///   32. If the device does not have an assigned channel, the start fails.
    package func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError) {
        try usableCore.setChannelAssignments(assignments)
    }

    /// The labels of the format's channels.
    package var channelLabels: [AudioChannelLabel] { core.monitor.withLock { $0.path.plan.channelLabels } }

    /// Sets the label of each channel of the format, from the next start.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertyValue`` unless there is one label for each channel;
    ///   ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError) {
        try usableCore.setChannelLabels(labels)
    }

    /// The requested latency between the queue and the loudspeaker: see ``Configuration/latency``.
    package var latency: LatencyGoal? { core.monitor.withLock { $0.settings.latency } }

    /// Requests a latency from the next start; nil derives it from the enqueued buffers.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func setLatency(_ goal: LatencyGoal?) throws(QueueError) {
        try usableCore.perform(.configure) { $0.settings.latency = goal }
    }

    /// The duration of audio that is decoded ahead, in frames of the queue's rate: see
    /// ``Configuration/decodeAheadSeconds``.
    package var decodeAheadFrames: Int {
        let seconds = core.monitor.withLock { $0.path.plan.decodeAheadSeconds }
        return Int((seconds.clamped(to: OutputCore.decodeAheadRange) * format.mSampleRate).rounded())
    }

    /// Sets the duration of audio that is decoded ahead. Values out of range count as the nearer bound.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func setDecodeAhead(frames: Int) throws(QueueError) {
        try usableCore.setDecodeAhead(frames: frames)
    }
}
