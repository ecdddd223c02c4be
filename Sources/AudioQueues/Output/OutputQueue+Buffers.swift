import AudioDevices
public import CoreAudioTypes

extension OutputQueue {
    /// Allocates a buffer, which belongs to the queue until it is freed or the queue is disposed of.
    ///
    /// - Parameters:
    ///   - byteCapacity: 1 to 2^30. The data is zeroed and aligned to 16 bytes.
    ///   - packetDescriptionCapacity: Room for packet descriptions in the buffer itself, up to 2^24.
    /// - Throws: ``QueueError/Code/invalidArgument`` for other sizes, ``QueueError/Code/outOfMemory``.
    ///
    /// The corresponding C functions are `AudioQueueAllocateBuffer` and
    /// `AudioQueueAllocateBufferWithPacketDescriptions`.
    public func allocateBuffer(
        byteCapacity: Int, packetDescriptionCapacity: Int = 0
    ) throws(QueueError) -> QueueBuffer {
        try usableCore.perform(.use) { (state: inout OutputState) throws(QueueError) -> QueueBuffer in
            try state.pool.allocate(
                byteCapacity: byteCapacity, descriptionCapacity: packetDescriptionCapacity)
        }
    }

    /// Frees a buffer that is not enqueued. Disposing of the queue frees all.
    ///
    /// - Throws: ``QueueError/Code/bufferInQueue`` while it is enqueued or its callback is still to come,
    ///   ``QueueError/Code/invalidBuffer`` if the queue did not allocate it.
    ///
    /// The corresponding C function is `AudioQueueFreeBuffer`.
    public func free(_ buffer: QueueBuffer) throws(QueueError) {
        try usableCore.perform(.use) { (state: inout OutputState) throws(QueueError) in
            try state.pool.free(buffer)
        }
    }

    /// Adds a filled buffer to the end of what is to be played, with the packet descriptions in it, if any.
    ///
    /// The queue owns the buffer until its callback returns it. A stopped queue keeps it for its next start.
    ///
    /// - Parameters:
    ///   - buffer: A buffer of this queue that is not enqueued.
    ///   - trimFramesAtStart: Frames at the buffer's start that are decoded but not heard.
    ///   - trimFramesAtEnd: The same at its end. A buffer that is trimmed away is returned in its turn.
    /// - Throws: ``QueueError/Code/bufferEmpty``, ``QueueError/Code/bufferInQueue``,
    ///   ``QueueError/Code/invalidBuffer``; ``QueueError/Code/enqueueDuringReset`` while the queue is reset
    ///   or stops; ``QueueError/Code/invalidArgument`` for data that is longer than the buffer or no whole
    ///   number of packets, descriptions that are missing or lie outside the data, and negative trims.
    ///
    /// The corresponding C functions are `AudioQueueEnqueueBuffer` and
    /// `AudioQueueEnqueueBufferWithParameters`.
    public func enqueue(
        _ buffer: QueueBuffer, trimFramesAtStart: Int = 0, trimFramesAtEnd: Int = 0
    ) throws(QueueError) {
        try unsafe usableCore.enqueue(
            buffer, explicit: nil, trimFramesAtStart: trimFramesAtStart, trimFramesAtEnd: trimFramesAtEnd)
    }

    /// The same, with packet descriptions that are not in the buffer.
    ///
    /// - Parameter packetDescriptions: Where each packet lies, for formats whose packets differ in size, and
    ///   only for those. They are copied. Nil takes those in the buffer.
    public func enqueue(
        _ buffer: QueueBuffer, packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        trimFramesAtStart: Int = 0, trimFramesAtEnd: Int = 0
    ) throws(QueueError) {
        try unsafe usableCore.enqueue(
            buffer, explicit: packetDescriptions, trimFramesAtStart: trimFramesAtStart,
            trimFramesAtEnd: trimFramesAtEnd)
    }

    /// The same, with values of parameters that hold from the buffer's first frame on, at a time.
    ///
    /// - Parameters:
    ///   - events: Applied in their order when the first audible frame of the buffer is rendered. A buffer that is
    ///     trimmed away applies them in its turn. Dropped with the buffer by a stop or reset.
    ///   - startFrames: Where on the queue's timeline the first audible frame lies; silence fills what is missing.
    ///     A time that has passed is as soon as possible. Nil follows the buffer before.
    /// - Returns: Where on the timeline that frame will lie, as far as is known now; nil if it is not.
    /// - Throws: As the other; ``QueueError/Code/invalidArgument`` for a time before that of a buffer enqueued earlier.
    package func enqueue(
        _ buffer: QueueBuffer, packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        trimFramesAtStart: Int, trimFramesAtEnd: Int, events: [QueueParameterEvent], startFrames: Double?
    ) throws(QueueError) -> Double? {
        try unsafe usableCore.enqueue(
            buffer, explicit: packetDescriptions, trimFramesAtStart: trimFramesAtStart,
            trimFramesAtEnd: trimFramesAtEnd, events: events, startFrames: startFrames, wantsTime: true)
    }

    /// Hands the decoder what the packets do not say themselves.
    ///
    /// Before or after buffers are enqueued, but while the queue is stopped. Until then the decoder takes the
    /// stream for one of the usual parameters.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped,
    ///   ``QueueError/Code/codecNotFound`` when there is no decoder for it,
    ///   ``QueueError/Code/invalidPropertyValue`` when it is damaged, or of a stream of another format. What was
    ///   set before holds then.
    ///
    /// The corresponding C property is `kAudioQueueProperty_MagicCookie`.
    public func setMagicCookie(_ cookie: [UInt8]) throws(QueueError) {
        try usableCore.setMagicCookie(cookie)
    }

    /// The magic cookie last set.
    public var magicCookie: [UInt8] { core.monitor.withLock { $0.settings.magicCookie } }
}
