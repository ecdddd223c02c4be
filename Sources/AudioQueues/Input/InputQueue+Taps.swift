// SPDX-License-Identifier: MIT

/// The tap of a recording: a client's code that processes captured audio.
extension InputQueue {
    /// Installs a tap that processes all captured audio before it is encoded or put into buffers.
    ///
    /// The tap is called on a thread of the queue that is neither the device's nor that of callbacks, one call at a
    /// time. The first call after a start, a reset or lost frames has ``QueueTapFlags/startOfStream``; that for the
    /// last frames before a stop has ``QueueTapFlags/endOfStream``, if these are known to be the last. Frames that
    /// the tap omits are missing in the recording, and do not count as lost. If the tap sets a sample time and a host
    /// time, the client receives them as the time of the frames.
    ///
    /// After a stop, waits up to two seconds until the remaining audio is encoded, except in a callback.
    ///
    /// - Returns: The format of the tap's audio.
    /// - Throws: ``QueueError/Code/tooManyTaps`` if the queue has a tap; ``QueueError/Code/invalidRunState`` unless
    ///   the queue is stopped and has processed all captured audio; the device's errors.
    ///
    /// The corresponding C function is `AudioQueueProcessingTapNew`.
    package func installTap(_ tap: QueueTap) throws(QueueError) -> QueueTapFormat {
        try usableCore.installTap(tap)
    }

    /// Removes the tap, which is not called after the return. Waits like ``installTap(_:)``.
    ///
    /// - Throws: ``QueueError/Code/invalidTapContext`` if there is no tap; ``QueueError/Code/invalidRunState`` like
    ///   ``installTap(_:)``.
    ///
    /// The corresponding C function is `AudioQueueProcessingTapDispose`.
    package func removeTap() throws(QueueError) { try usableCore.removeTap() }
}
