// SPDX-License-Identifier: MIT

import AQDevices

extension OutputQueue {
    /// The speed of playback, initially 1.
    ///
    /// The queue's time and its counts of frames refer to the format's frames: at a speed of 2 they advance twice as
    /// fast.
    public var speed: Double { Double(core.monitor.withLock { $0.settings.playRate }) }

    /// Changes the speed of audio that is not decoded yet, and keeps the pitch.
    ///
    /// - Parameter speed: The speed. Values below 0.25 and NaN count as 0.25, values above 4 as 4.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue was made with a
    ///   ``Configuration/speedControl``.
    ///
    /// Within 0.5 to 2, the corresponding C parameter is `kAudioQueueParam_PlayRate`.
    public func setSpeed(_ speed: Double) throws(QueueError) {
        guard core.configuration.speedControl != nil else {
            throw QueueError(.invalidRunState, "cannot change the speed: the queue was made without that")
        }
        try usableCore.perform(.use) { $0.settings.setSpeed(Float(speed), on: $0.path) }
    }
}
