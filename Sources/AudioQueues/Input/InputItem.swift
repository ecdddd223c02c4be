// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// An enqueued buffer to be filled.
///
/// The required fields are copied: a client that changes its struct affects only its own recording.
@safe struct InputItem: NumberedItem, @unchecked Sendable {
    // SAFETY: `data` and `room` are the pool's memory, which outlives every item.

    /// A number that increases from item to item.
    let number: UInt64
    let buffer: QueueBuffer
    /// The data memory of the buffer, for packets.
    let data: UnsafeMutableRawPointer
    /// The memory for a device that fills buffers: the data memory, or the staging memory if samples are converted.
    let room: UnsafeMutableRawPointer
    /// The number of whole frames that fit in the buffer after conversion or encoding.
    let frames: Int
    /// The size of a frame in ``room``, in bytes.
    let bytesPerFrame: Int
    /// The number of packets that fit in the buffer, whatever their size.
    let packets: Int
    /// The memory for packet descriptions; nil if all packets have one size.
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

    /// The number of bytes that the device fills in ``room``.
    var byteCount: Int { frames * bytesPerFrame }
}

/// A filled buffer to return to the client.
@safe struct FilledBuffer: @unchecked Sendable {
    // SAFETY: as for `InputItem`.

    let buffer: QueueBuffer
    /// The memory that the device filled: the buffer's data memory, or its staging memory.
    let room: UnsafeMutableRawPointer
    /// The number of bytes in the device's format.
    let capturedBytes: Int
    let info: InputBufferInfo
}

/// A buffer with packets to return to the client.
struct PackedBuffer: Sendable {
    let buffer: QueueBuffer
    let byteCount: Int
    /// The number of packet descriptions; 0 if all packets have one size.
    let descriptions: Int
    let info: InputBufferInfo
}
