// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// Checks of a format for queues of both directions.
extension AudioStreamBasicDescription {
    /// Checks that a queue can have the format.
    ///
    /// - Throws: ``QueueError/Code/unsupportedFormat`` if the format is not valid or not interleaved.
    func checkForQueue() throws(QueueError) {
        let isInOneBuffer = isInterleaved || mChannelsPerFrame == 1
        if let failure = validationFailure ?? (isInOneBuffer ? nil : "channels are not interleaved") {
            throw QueueError(.unsupportedFormat, "cannot make a queue for \(summary): \(failure)")
        }
    }

    /// Returns the labels of a queue's channels: those of the client, or the usual order if `labels` is nil.
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
