// SPDX-License-Identifier: MIT

package import CoreAudioTypes

extension OutputQueue {
    /// Detaches the queue from its device, so that ``renderOffline(at:into:frames:)`` renders its frames. If `format`
    /// is nil, attaches the queue to the device again.
    ///
    /// A started offline queue counts as running at once. Its time is that of the frames rendered. The threads that
    /// render, stop or reset call callbacks and listeners. A dispose is always immediate, because no call renders the
    /// rest.
    ///
    /// - Parameters:
    ///   - format: Linear PCM, interleaved unless mono, whose rate and channels may differ from the queue's.
    ///   - channelLabels: The labels of the format's channels; nil for the usual order.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/unsupportedFormat``; ``QueueError/Code/invalidArgument`` if the number of labels is not
    ///   that of the channels, or there are labels but no format.
    package func setOfflineRendering(
        format: AudioStreamBasicDescription?, channelLabels: [AudioChannelLabel]?
    ) throws(QueueError) {
        guard let format else {
            guard channelLabels == nil else {
                throw QueueError(.invalidArgument, "cannot render to channels without a format")
            }
            return try usableCore.setOfflineRendering(nil)
        }
        if let failure = format.validationFailure {
            throw QueueError(.unsupportedFormat, "cannot render to \(format.summary): \(failure)")
        }
        let channels = Int(format.mChannelsPerFrame)
        guard format.isLinearPCM, format.isInterleaved || channels == 1 else {
            throw QueueError(
                .unsupportedFormat, "cannot render to \(format.summary): it is not interleaved linear PCM")
        }
        let labels = channelLabels ?? ChannelLabels.defaults(channels: channels)
        guard labels.count == channels else {
            throw QueueError(
                .invalidArgument, "cannot render to \(channels) channels with \(labels.count) labels")
        }
        try usableCore.setOfflineRendering(OutputPath.OfflineFormat(format: format, channelLabels: labels))
    }

    /// Renders the next enqueued frames, with trims and effects, as fast as possible.
    ///
    /// Callbacks run on the calling thread during this call, which continues with the buffers that they enqueue. The
    /// call that renders a buffer's last frame returns the buffer; with effects, which work ahead, an earlier call
    /// does. A call for 0 frames only makes due callbacks. After a stop that plays out, the call that renders the
    /// last frame stops the queue and calls the listeners.
    ///
    /// - Parameters:
    ///   - sampleTime: The client's time of the first frame, in frames of the rendering's format. Only taps receive
    ///     this time; frames always follow the previous ones.
    ///   - buffer: A buffer of this queue that is not enqueued. Its byte count becomes that of the rendered audio.
    ///     This is less than requested, or 0, if too little is enqueued, the queue is paused, or it has stopped.
    ///   - frames: The number of frames, 0 or more. As many as fit are rendered.
    /// - Throws: ``QueueError/Code/invalidOfflineMode`` unless the queue renders offline;
    ///   ``QueueError/Code/invalidArgument`` for a negative number of frames; ``QueueError/Code/invalidRunState`` if it
    ///   was not started, or another call renders it; ``QueueError/Code/invalidBuffer``;
    ///   ``QueueError/Code/bufferInQueue``; the error in ``failure`` if the queue stopped because of it.
    package func renderOffline(
        at sampleTime: Double, into buffer: QueueBuffer, frames: Int
    ) throws(QueueError) {
        try usableCore.renderOffline(at: sampleTime, into: buffer, frames: frames)
    }
}
