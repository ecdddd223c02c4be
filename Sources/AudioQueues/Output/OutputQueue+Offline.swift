package import CoreAudioTypes

extension OutputQueue {
    /// Detaches the queue from its device, so that ``renderOffline(at:into:frames:)`` renders its frames; nil attaches
    /// it to the device again.
    ///
    /// A started offline queue counts as running at once. Its time is that of the frames rendered. Callbacks and
    /// listeners are called by the threads that render, stop or reset. A dispose is always immediate, because no call
    /// renders the rest.
    ///
    /// - Parameters:
    ///   - format: Linear PCM, interleaved unless mono, whose rate and channels may differ from the queue's.
    ///   - channelLabels: The use of its channels; nil for the usual order.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/unsupportedFormat``; ``QueueError/Code/invalidArgument`` for labels of another number, or
    ///   without a format.
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
    /// Callbacks run on the calling thread, during this call, which continues with buffers that they enqueue. A buffer
    /// is returned by the call that renders its last frame; with effects, which work ahead, earlier. 0 frames only make
    /// the callbacks that are due. After a stop that plays out, the call that renders the last frame stops the queue,
    /// and the listeners are called.
    ///
    /// - Parameters:
    ///   - sampleTime: The client's time of the first frame, in frames of the rendering's format. Frames always follow
    ///     the previous ones; this is only the time that taps receive.
    ///   - buffer: A buffer of this queue that is not enqueued. Its byte count becomes that of the rendered audio: less
    ///     than requested, or 0, if too little is enqueued, while the queue is paused, and after it has stopped.
    ///   - frames: 0 or more; as many as fit are rendered.
    /// - Throws: ``QueueError/Code/invalidOfflineMode`` unless the queue renders offline;
    ///   ``QueueError/Code/invalidRunState`` unless it was started, and while another call renders it;
    ///   ``QueueError/Code/invalidBuffer``; ``QueueError/Code/bufferInQueue``.
    package func renderOffline(
        at sampleTime: Double, into buffer: QueueBuffer, frames: Int
    ) throws(QueueError) {
        try usableCore.renderOffline(at: sampleTime, into: buffer, frames: frames)
    }
}
