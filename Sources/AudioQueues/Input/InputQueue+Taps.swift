/// A client's code that recorded audio passes through.
extension InputQueue {
    /// Installs a tap that all captured audio passes through before it is encoded, or put into buffers.
    ///
    /// The tap is called on a thread of the queue's that is neither the device's nor that of callbacks, one call at a
    /// time. The first call after a start, a reset or lost frames has ``QueueTapFlags/startOfStream``; that of the last
    /// frames before a stop has ``QueueTapFlags/endOfStream``, if they are known to be the last. Frames that the tap
    /// omits are missing in the recording, and not counted as lost. If the tap sets a sample time and a host time, the
    /// client receives them as the time of its frames.
    ///
    /// After a stop, waits up to two seconds for the remaining audio to be encoded, but not in a callback.
    ///
    /// - Returns: The format of the tap's audio.
    /// - Throws: ``QueueError/Code/tooManyTaps`` if there is one; ``QueueError/Code/invalidRunState`` unless the queue
    ///   is stopped, and has processed all captured audio; the device's errors.
    ///
    /// The corresponding C function is `AudioQueueProcessingTapNew`.
    package func installTap(_ tap: QueueTap) throws(QueueError) -> QueueTapFormat {
        try usableCore.installTap(tap)
    }

    /// Removes the tap, which is not called any more on return. Waits like ``installTap(_:)``.
    ///
    /// - Throws: ``QueueError/Code/invalidTapContext`` if there is none; ``QueueError/Code/invalidRunState`` like
    ///   ``installTap(_:)``.
    ///
    /// The corresponding C function is `AudioQueueProcessingTapDispose`.
    package func removeTap() throws(QueueError) { try usableCore.removeTap() }
}
