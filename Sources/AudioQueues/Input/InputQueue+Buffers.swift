import AudioDevices
public import CoreAudioTypes

extension InputQueue {
    /// Allocates a buffer, which belongs to the queue until it is freed or the queue is disposed of.
    ///
    /// - Parameters:
    ///   - byteCapacity: 1 to 2^30. The data is zeroed and aligned to 16 bytes. As many whole packets are
    ///     recorded as fit even if each is ``maximumOutputPacketSize`` bytes long: so the sound in a buffer is
    ///     equally long however well it can be encoded, and what a program that is killed loses is known.
    ///   - packetDescriptionCapacity: Room for packet descriptions in the buffer itself, up to 2^24. Where
    ///     packets vary in size there is room for all that are recorded into it, whatever is asked for;
    ///     other formats have none.
    /// - Throws: ``QueueError/Code/invalidArgument`` for other sizes, ``QueueError/Code/outOfMemory``.
    ///
    /// The corresponding C functions are `AudioQueueAllocateBuffer` and
    /// `AudioQueueAllocateBufferWithPacketDescriptions`.
    public func allocateBuffer(
        byteCapacity: Int, packetDescriptionCapacity: Int = 0
    ) throws(QueueError) -> QueueBuffer {
        let stagingBytes = core.product.stagingBytes(ofBytes: byteCapacity)
        let descriptions =
            format.hasConstantPacketSize
            ? packetDescriptionCapacity
            : max(
                packetDescriptionCapacity,
                min(core.product.packetCapacity(ofBytes: byteCapacity), BufferPool.maximumPacketDescriptions))
        return try usableCore.perform(.use) { (state: inout InputState) throws(QueueError) -> QueueBuffer in
            let buffer = try state.pool.allocate(
                byteCapacity: byteCapacity, descriptionCapacity: descriptions, stagingBytes: stagingBytes)
            do throws(QueueError) {
                try core.reserveBlock(
                    forBytes: byteCapacity, buffers: state.pool.bufferCount, of: state.path,
                    in: &state.encoding.blocks)
            } catch {
                try state.pool.free(buffer)
                throw error
            }
            return buffer
        }
    }

    /// Frees a buffer that is not enqueued. Disposing of the queue frees all.
    ///
    /// - Throws: ``QueueError/Code/bufferInQueue`` while it is enqueued or its callback is still to come,
    ///   ``QueueError/Code/invalidBuffer`` if the queue did not allocate it.
    ///
    /// The corresponding C function is `AudioQueueFreeBuffer`.
    public func free(_ buffer: QueueBuffer) throws(QueueError) {
        try usableCore.perform(.use) { (state: inout InputState) throws(QueueError) in
            try state.pool.free(buffer)
        }
    }

    /// Adds a buffer to the end of those to be filled. What it holds does not matter.
    ///
    /// The queue owns the buffer until its callback returns it. A stopped queue keeps it for its next start.
    ///
    /// - Throws: ``QueueError/Code/bufferEnqueuedTwice`` if it is enqueued already,
    ///   ``QueueError/Code/invalidBuffer`` if the queue did not allocate it;
    ///   ``QueueError/Code/enqueueDuringReset`` while the queue is reset or stops;
    ///   ``QueueError/Code/invalidArgument`` if not one frame fits, or not one packet of the largest size.
    ///
    /// The corresponding C function is `AudioQueueEnqueueBuffer`.
    public func enqueue(_ buffer: QueueBuffer) throws(QueueError) { try usableCore.enqueue(buffer) }

    /// How large to make buffers that each hold about `seconds` of sound.
    ///
    /// As published for recording: seconds × sample rate × the largest packet, 0x50000 bytes at most, but one
    /// packet at least; of formats of many frames a packet, by the packets of that time.
    ///
    /// - Parameters:
    ///   - maximumPacketSize: The largest packet, in bytes, as ``maximumOutputPacketSize`` tells; less than 1
    ///     takes that of the format.
    ///   - seconds: Less than 0, or no number, counts as 0.
    /// - Returns: A size in bytes, and the packets that surely fit.
    public static func deriveBufferSize(
        format: AudioStreamBasicDescription, maximumPacketSize: Int, seconds: Double
    ) -> (bufferByteCount: Int, packetCount: Int) {
        let given = maximumPacketSize > 0 ? maximumPacketSize : Int(format.mBytesPerPacket)
        let packetBytes = min(max(1, given), BufferPool.maximumByteCapacity)
        let rate = format.mSampleRate.clamped(to: 0...AudioStreamBasicDescription.maximumSampleRate)
        // COMPAT: the published example takes a packet for a frame, which makes buffers of AAC last a thousand
        // times as long as was asked for.
        let packets = rate / Double(max(1, format.mFramesPerPacket)) * seconds.clamped(to: 0...1e6)
        let wanted = packets * Double(packetBytes)
        let bytes = max(packetBytes, Int(min(wanted, Double(OutputQueue.bufferByteRange.upperBound))))
        return (bytes, bytes / packetBytes)
    }
}
