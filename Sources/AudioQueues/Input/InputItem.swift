import CoreAudioTypes

/// An enqueued buffer to be filled.
///
/// The necessary fields are copied from the pool's record, so that later changes by the client to its struct only
/// affect its recording.
@safe struct InputItem: NumberedItem, @unchecked Sendable {
    // SAFETY: `data` and `room` are the pool's memory, which outlives every item.

    /// Ascending from item to item.
    let number: UInt64
    let buffer: QueueBuffer
    /// The buffer's data, for packets.
    let data: UnsafeMutableRawPointer
    /// The memory for a device that fills buffers directly: the data, or the staging memory if samples are converted.
    let room: UnsafeMutableRawPointer
    /// Whole frames that fit in the buffer after conversion or encoding.
    let frames: Int
    /// The size of a frame of such a device.
    let bytesPerFrame: Int
    /// The number of packets that fit in the buffer, whatever their size.
    let packets: Int
    /// The memory for packet descriptions; nil if all packets have one size.
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

    /// The bytes that such a device fills.
    var byteCount: Int { frames * bytesPerFrame }
}

/// A filled buffer to return to the client.
@safe struct FilledBuffer: @unchecked Sendable {
    // SAFETY: as for `InputItem`.

    let buffer: QueueBuffer
    /// The memory that the device filled: the buffer's data, or its staging memory.
    let room: UnsafeMutableRawPointer
    /// The size in the device's format.
    let capturedBytes: Int
    let info: InputBufferInfo
}

/// A buffer with packets to return to the client.
struct PackedBuffer: Sendable {
    let buffer: QueueBuffer
    let byteCount: Int
    /// 0 if all packets have one size.
    let descriptions: Int
    let info: InputBufferInfo
}
