package import CoreAudioTypes

extension OutputQueue {
    /// Takes the queue from its device, to be asked for its frames by ``renderOffline(at:into:frames:)``; nil gives it
    /// back to the device.
    ///
    /// A started offline queue counts as running at once. Its time is that of the frames rendered. Callbacks and
    /// listeners are called by those who render, and by a stop or a reset, on their threads. A dispose is always one
    /// at once: nobody renders what is left.
    ///
    /// - Parameters:
    ///   - format: Linear PCM, interleaved unless mono, whose rate and channels may differ from the queue's.
    ///   - channelLabels: What its channels are for; nil for the usual order.
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

    /// Renders the next frames of what is enqueued, trims and effects included, as fast as they can be made.
    ///
    /// Callbacks are made on the calling thread, inside this call: a client may enqueue there what this call then goes
    /// on with. A buffer is called back in the call that renders its last frame; with effects, which are ahead, before
    /// that. 0 frames make the callbacks that are due, and no more. When a stop was asked for behind what is
    /// enqueued, the call that renders the last frame ends it, and the listeners are called.
    ///
    /// - Parameters:
    ///   - sampleTime: Where the client puts the first frame, in frames of the rendering's format: they follow the
    ///     ones before whatever it says, but it is the time that taps are told.
    ///   - buffer: One of this queue's that is not enqueued. Its byte count says what was rendered: less than was
    ///     asked for, or nothing, when not enough is enqueued, while the queue is paused, and when it has stopped.
    ///   - frames: 0 and more; as many as fit are rendered.
    /// - Throws: ``QueueError/Code/invalidOfflineMode`` unless the queue renders offline;
    ///   ``QueueError/Code/invalidRunState`` unless it was started, and while another call renders it;
    ///   ``QueueError/Code/invalidBuffer``; ``QueueError/Code/bufferInQueue``.
    package func renderOffline(
        at sampleTime: Double, into buffer: QueueBuffer, frames: Int
    ) throws(QueueError) {
        try usableCore.renderOffline(at: sampleTime, into: buffer, frames: frames)
    }
}
