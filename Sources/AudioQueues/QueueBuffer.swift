public import CAudioQueueTypes

/// One of a queue's buffers: the published `AudioQueueBuffer` struct, in memory that the queue owns.
///
/// The memory is valid until the buffer is freed or its queue is disposed of; after that this value must not
/// be used. While a buffer is enqueued its contents belong to the queue.
///
/// The corresponding C type is `AudioQueueBufferRef`.
@safe public struct QueueBuffer: @unchecked Sendable, Hashable {
    // SAFETY: like any memory, a buffer may be used from one thread at a time; the queue reads it only while
    // it is enqueued.

    /// The C struct.
    public let pointer: UnsafeMutablePointer<AudioQueueBuffer>

    /// Wraps a pointer from the C interface. Every use checks that it is a buffer of the queue.
    public init(_ pointer: UnsafeMutablePointer<AudioQueueBuffer>) { unsafe self.pointer = pointer }

    public static func == (left: QueueBuffer, right: QueueBuffer) -> Bool {
        unsafe left.pointer == right.pointer
    }

    public func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }

    /// The size of the data in bytes.
    public var byteCapacity: Int { Int(unsafe pointer.pointee.mAudioDataBytesCapacity) }

    /// The number of valid bytes from the start of ``bytes``: set it before enqueueing.
    public var byteCount: Int {
        get { Int(unsafe pointer.pointee.mAudioDataByteSize) }
        nonmutating set { unsafe pointer.pointee.mAudioDataByteSize = UInt32(clamping: newValue) }
    }

    /// The whole data, ``byteCapacity`` bytes.
    public var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: pointer.pointee.mAudioData, count: byteCapacity)
    }

    /// The room for packet descriptions; empty unless the buffer was allocated with some.
    public var packetDescriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription> {
        unsafe UnsafeMutableBufferPointer(
            start: pointer.pointee.mPacketDescriptions,
            count: pointer.pointee.mPacketDescriptions == nil
                ? 0 : Int(pointer.pointee.mPacketDescriptionCapacity))
    }

    /// The number of valid ``packetDescriptions``: set it before enqueueing packets of varying size.
    public var packetDescriptionCount: Int {
        get { Int(unsafe pointer.pointee.mPacketDescriptionCount) }
        nonmutating set { unsafe pointer.pointee.mPacketDescriptionCount = UInt32(clamping: newValue) }
    }

    /// A value of the client, which the queue ignores.
    public var userData: UnsafeMutableRawPointer? {
        get { unsafe pointer.pointee.mUserData }
        nonmutating set { unsafe pointer.pointee.mUserData = newValue }
    }
}
