/// A client's code in the way of what is recorded.
extension InputQueue {
    /// Has all that is captured pass through a tap before it is encoded, or put into buffers.
    ///
    /// The tap is called on a thread of the queue's that is neither the device's nor that of callbacks, one call
    /// at a time. The first call after a start, a reset or lost frames has ``QueueTapFlags/startOfStream``; that
    /// of the last frames before a stop has ``QueueTapFlags/endOfStream``, as far as it is known that these are
    /// the last. Frames that the tap leaves out are missing in the recording, and not counted as lost. If it
    /// fills in a sample time and a host time, the client is told that its frames are from then.
    ///
    /// Of a queue that was just stopped, waits for what is still to be encoded, up to two seconds, but not in a
    /// callback.
    ///
    /// - Returns: What the tap works on.
    /// - Throws: ``QueueError/Code/tooManyTaps`` if there is one; ``QueueError/Code/invalidRunState`` unless the
    ///   queue is stopped, and done with what was captured; what the device says.
    ///
    /// The corresponding C function is `AudioQueueProcessingTapNew`.
    package func installTap(_ tap: QueueTap) throws(QueueError) -> QueueTapFormat {
        try usableCore.installTap(tap)
    }

    /// Takes the tap out, which is not called any more on return. Waits as ``installTap(_:)`` does.
    ///
    /// - Throws: ``QueueError/Code/invalidTapContext`` if there is none; ``QueueError/Code/invalidRunState`` as
    ///   ``installTap(_:)``.
    ///
    /// The corresponding C function is `AudioQueueProcessingTapDispose`.
    package func removeTap() throws(QueueError) { try usableCore.removeTap() }
}
