// SPDX-License-Identifier: MIT

public import CAQAudioQueueTypes

/// A buffer of a queue: the published `AudioQueueBuffer` struct, in memory that the queue owns.
///
/// The memory is valid until the buffer is freed or its queue is disposed of. Do not use this value afterwards. While
/// a buffer is enqueued, its contents belong to the queue.
///
/// The corresponding C type is `AudioQueueBufferRef`.
@safe public struct QueueBuffer: @unchecked Sendable, Hashable {
    // SAFETY: the client must use a buffer from one thread at a time, like any memory; the queue reads it only while
    // it is enqueued.

    /// The pointer to the C struct.
    public let pointer: UnsafeMutablePointer<AudioQueueBuffer>

    /// Wraps a pointer from the C interface. Every call of a queue checks that the queue allocated the buffer.
    public init(_ pointer: UnsafeMutablePointer<AudioQueueBuffer>) { unsafe self.pointer = pointer }

    public static func == (left: QueueBuffer, right: QueueBuffer) -> Bool {
        unsafe left.pointer == right.pointer
    }

    public func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }

    /// The size of the buffer's data memory, in bytes.
    public var byteCapacity: Int { Int(unsafe pointer.pointee.mAudioDataBytesCapacity) }

    /// The number of valid bytes from the start of ``bytes``. For playback, set this before you enqueue the buffer; an
    /// ``InputQueue`` sets it. Negative values become 0.
    public var byteCount: Int {
        get { Int(unsafe pointer.pointee.mAudioDataByteSize) }
        nonmutating set { unsafe pointer.pointee.mAudioDataByteSize = UInt32(clamping: newValue) }
    }

    /// The buffer's data memory of ``byteCapacity`` bytes.
    public var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: pointer.pointee.mAudioData, count: byteCapacity)
    }

    /// The room for packet descriptions; empty if the buffer was allocated without room for them.
    public var packetDescriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription> {
        unsafe UnsafeMutableBufferPointer(
            start: pointer.pointee.mPacketDescriptions,
            count: pointer.pointee.mPacketDescriptions == nil
                ? 0 : Int(pointer.pointee.mPacketDescriptionCapacity))
    }

    /// The number of valid ``packetDescriptions``. Set this before you enqueue packets of varying size for playback; an
    /// ``InputQueue`` that encodes sets it.
    public var packetDescriptionCount: Int {
        get { Int(unsafe pointer.pointee.mPacketDescriptionCount) }
        nonmutating set { unsafe pointer.pointee.mPacketDescriptionCount = UInt32(clamping: newValue) }
    }

    /// A value for the client's use, which the queue ignores.
    public var userData: UnsafeMutableRawPointer? {
        get { unsafe pointer.pointee.mUserData }
        nonmutating set { unsafe pointer.pointee.mUserData = newValue }
    }
}
