// SPDX-License-Identifier: MIT

import AQDevices
public import CoreAudioTypes

extension OutputQueue {
    /// Allocates a buffer, which belongs to the queue until it is freed or the queue is disposed of.
    ///
    /// - Parameters:
    ///   - byteCapacity: The size of the data memory, 1 to 2^30 bytes. The memory is zeroed and aligned to 16 bytes.
    ///   - packetDescriptionCapacity: The room for packet descriptions in the buffer, up to 2^24.
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

    /// Frees a buffer that is not enqueued. Disposing of the queue frees all buffers.
    ///
    /// - Throws: ``QueueError/Code/bufferInQueue`` if the buffer is enqueued or its callback is still pending,
    ///   ``QueueError/Code/invalidBuffer`` if the queue did not allocate it.
    ///
    /// The corresponding C function is `AudioQueueFreeBuffer`.
    public func free(_ buffer: QueueBuffer) throws(QueueError) {
        try usableCore.perform(.use) { (state: inout OutputState) throws(QueueError) in
            try state.pool.free(buffer)
        }
    }

    /// Enqueues a filled buffer after those enqueued before, with the packet descriptions in the buffer, if any.
    ///
    /// The queue owns the buffer until its callback returns it. A stopped queue keeps the buffer for its next start.
    ///
    /// - Parameters:
    ///   - buffer: A buffer of this queue that is not enqueued.
    ///   - trimFramesAtStart: The number of frames at the buffer's start that are decoded but not played.
    ///   - trimFramesAtEnd: The number of frames at the buffer's end that are decoded but not played. A buffer that is
    ///     trimmed completely is returned in order.
    /// - Throws: ``QueueError/Code/bufferEmpty``, ``QueueError/Code/bufferInQueue``,
    ///   ``QueueError/Code/invalidBuffer``; ``QueueError/Code/enqueueDuringReset`` during a reset or stop;
    ///   ``QueueError/Code/invalidArgument`` for data that is longer than the buffer or not a whole number of
    ///   packets, for descriptions that are missing or exceed the data or their room, for negative trims, and for a
    ///   trim at the end of packets that do not state their length.
    ///
    /// The corresponding C functions are `AudioQueueEnqueueBuffer` and
    /// `AudioQueueEnqueueBufferWithParameters`.
    public func enqueue(
        _ buffer: QueueBuffer, trimFramesAtStart: Int = 0, trimFramesAtEnd: Int = 0
    ) throws(QueueError) {
        try unsafe usableCore.enqueue(
            buffer, explicit: nil, trimFramesAtStart: trimFramesAtStart, trimFramesAtEnd: trimFramesAtEnd)
    }

    /// Enqueues a filled buffer whose audio has a gain of its own, such as that of its track.
    ///
    /// The gain applies exactly from the buffer's first audible frame on, also to later buffers, until a buffer with
    /// another gain. It is multiplied with the volume, which it does not change. Integer samples that exceed full scale
    /// are limited to it. A stop or reset drops the gain with the buffer.
    ///
    /// - Parameter gain: The gain, linear, from 0 to 1024; initially 1. Values out of range count as the nearer bound,
    ///   and NaN as 0.
    /// - Throws: The errors of ``enqueue(_:trimFramesAtStart:trimFramesAtEnd:)``.
    public func enqueue(
        _ buffer: QueueBuffer, trimFramesAtStart: Int = 0, trimFramesAtEnd: Int = 0, gain: Float
    ) throws(QueueError) {
        try unsafe usableCore.enqueue(
            buffer, explicit: nil, trimFramesAtStart: trimFramesAtStart, trimFramesAtEnd: trimFramesAtEnd,
            events: [.sourceGain(gain < 0 ? 0 : gain)])
    }

    /// Enqueues a filled buffer with packet descriptions that are not in the buffer.
    ///
    /// - Parameter packetDescriptions: The offset and size of each packet, only for formats whose packets vary in
    ///   size. The descriptions are copied. Nil uses those in the buffer.
    /// - Throws: The errors of ``enqueue(_:trimFramesAtStart:trimFramesAtEnd:)``; ``QueueError/Code/invalidArgument``
    ///   also for descriptions of packets of one size.
    public func enqueue(
        _ buffer: QueueBuffer, packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        trimFramesAtStart: Int = 0, trimFramesAtEnd: Int = 0
    ) throws(QueueError) {
        try unsafe usableCore.enqueue(
            buffer, explicit: packetDescriptions, trimFramesAtStart: trimFramesAtStart,
            trimFramesAtEnd: trimFramesAtEnd)
    }

    /// Enqueues a filled buffer with parameter values that apply from its first frame, and with a start time.
    ///
    /// - Parameters:
    ///   - events: The changes, applied in order when the buffer's first audible frame is rendered. A buffer that is
    ///     trimmed completely applies them in its turn. A stop or reset drops them with the buffer.
    ///   - startFrames: The position of the first audible frame on the queue's timeline; silence fills the time
    ///     before. A time in the past means as soon as possible. Nil follows the previous buffer.
    /// - Returns: The expected position of that frame on the timeline; nil if it is unknown.
    /// - Throws: The errors of ``enqueue(_:trimFramesAtStart:trimFramesAtEnd:)``; ``QueueError/Code/invalidArgument``
    ///   also for a time that is no frame number, or is before that of a buffer enqueued earlier.
    package func enqueue(
        _ buffer: QueueBuffer, packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        trimFramesAtStart: Int, trimFramesAtEnd: Int, events: [QueueParameterEvent], startFrames: Double?
    ) throws(QueueError) -> Double? {
        try unsafe usableCore.enqueue(
            buffer, explicit: packetDescriptions, trimFramesAtStart: trimFramesAtStart,
            trimFramesAtEnd: trimFramesAtEnd, events: events, startFrames: startFrames, wantsTime: true)
    }

    /// Sets the decoder's parameters that the packets do not contain.
    ///
    /// Allowed before or after buffers are enqueued, while the queue is stopped; a primed queue is not. Before this
    /// call, the decoder uses the initialiser's cookie, or else the usual parameters. A queue that does not decode only
    /// keeps the cookie.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped; ``QueueError/Code/codecNotFound``
    ///   if no decoder supports the cookie; ``QueueError/Code/invalidPropertyValue`` if the cookie is damaged, belongs
    ///   to another format, or makes larger packets than the queue has memory for. The previous cookie then remains.
    ///
    /// The corresponding C property is `kAudioQueueProperty_MagicCookie`.
    public func setMagicCookie(_ cookie: [UInt8]) throws(QueueError) {
        try usableCore.setMagicCookie(cookie)
    }

    /// The magic cookie of the initialiser, or the one set later; empty for none.
    public var magicCookie: [UInt8] { core.monitor.withLock { $0.settings.magicCookie } }
}
