import CoreAudioTypes

/// An enqueued buffer that is to be filled.
///
/// What is needed is copied out of the pool's record, so that a client that changes its struct meanwhile
/// spoils its recording and nothing else.
@safe struct InputItem: @unchecked Sendable {
    // SAFETY: `room` is the pool's memory, which outlives every item.

    /// Ascending from item to item.
    let number: UInt64
    let buffer: QueueBuffer
    /// Where the device writes: the buffer's data, or its staging memory when samples are converted. With an
    /// encoder, where that writes.
    let room: UnsafeMutableRawPointer
    /// Whole frames of the device's format that fit the buffer once they are converted or encoded.
    let frames: Int
    /// Of the device's format.
    let bytesPerFrame: Int
    /// How many packets fit into the buffer, whatever their size.
    let packets: Int
    /// Where packets are described; nil if all have one size.
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

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
