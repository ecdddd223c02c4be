import CoreAudioTypes

/// Checks of a format that both types of queue make.
extension AudioStreamBasicDescription {
    /// - Throws: ``QueueError/Code/unsupportedFormat`` for a format that is not valid or not interleaved.
    func checkForQueue() throws(QueueError) {
        let isInOneBuffer = isInterleaved || mChannelsPerFrame == 1
        if let failure = validationFailure ?? (isInOneBuffer ? nil : "channels are not interleaved") {
            throw QueueError(.unsupportedFormat, "cannot make a queue for \(summary): \(failure)")
        }
    }

    /// The use of each channel, in the usual order if the client passes none.
    ///
    /// - Throws: ``QueueError/Code/invalidArgument`` unless there is one label for each channel.
    func labelsOfQueue(_ labels: [AudioChannelLabel]?) throws(QueueError) -> [AudioChannelLabel] {
        let channels = Int(mChannelsPerFrame)
        let labels = labels ?? ChannelLabels.defaults(channels: channels)
        guard labels.count == channels else {
            throw QueueError(
                .invalidArgument, "cannot make a queue of \(channels) channels with \(labels.count) labels")
        }
        return labels
    }
}
