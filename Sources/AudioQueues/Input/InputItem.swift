import CoreAudioTypes

/// An enqueued buffer that is to be filled.
///
/// What is needed is copied out of the pool's record, so that a client that changes its struct meanwhile
/// spoils its recording and nothing else.
@safe struct InputItem: NumberedItem, @unchecked Sendable {
    // SAFETY: `data` and `room` are the pool's memory, which outlives every item.

    /// Ascending from item to item.
    let number: UInt64
    let buffer: QueueBuffer
    /// The buffer's data: where packets are put.
    let data: UnsafeMutableRawPointer
    /// Where a device writes that fills buffers itself: the data, or the staging memory when samples are converted.
    let room: UnsafeMutableRawPointer
    /// Whole frames that fit the buffer once they are converted or encoded.
    let frames: Int
    /// Of what a device writes that fills buffers itself.
    let bytesPerFrame: Int
    /// How many packets fit into the buffer, whatever their size.
    let packets: Int
    /// Where packets are described; nil if all have one size.
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

    /// How much of the room such a device fills.
    var byteCount: Int { frames * bytesPerFrame }
}

/// A buffer on its way back to the client.
@safe struct FilledBuffer: @unchecked Sendable {
    // SAFETY: as for `InputItem`.

    let buffer: QueueBuffer
    /// What the device wrote: the buffer's data, or its staging memory.
    let room: UnsafeMutableRawPointer
    /// Bytes of the device's format.
    let capturedBytes: Int
    let info: InputBufferInfo
}

/// A buffer with packets in it, on its way back to the client.
struct PackedBuffer: Sendable {
    let buffer: QueueBuffer
    let byteCount: Int
    /// 0 where all packets have one size.
    let descriptions: Int
    let info: InputBufferInfo
}
