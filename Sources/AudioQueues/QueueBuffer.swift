public import CAudioQueueTypes

/// One of a queue's buffers: the published `AudioQueueBuffer` struct, in memory that the queue owns.
///
/// The memory stays where it is until the buffer is freed or its queue is disposed of; after that this
/// value must not be used. While a buffer is enqueued its contents belong to the queue.
///
/// The corresponding C type is `AudioQueueBufferRef`.
@safe public struct QueueBuffer: @unchecked Sendable, Hashable {
    // SAFETY: the client may use a buffer from one thread at a time, as it may any memory; the queue reads
    // it only while it is enqueued.

    /// The C struct.
    public let pointer: UnsafeMutablePointer<AudioQueueBuffer>

    /// Wraps a pointer from the C interface. Every use checks whether the queue knows it.
    public init(_ pointer: UnsafeMutablePointer<AudioQueueBuffer>) { unsafe self.pointer = pointer }

    public static func == (left: QueueBuffer, right: QueueBuffer) -> Bool {
        unsafe left.pointer == right.pointer
    }

    public func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }

    /// How many bytes of data fit.
    public var byteCapacity: Int { Int(unsafe pointer.pointee.mAudioDataBytesCapacity) }

    /// How many bytes from the start of ``bytes`` are valid: set it before enqueueing.
    public var byteCount: Int {
        get { Int(unsafe pointer.pointee.mAudioDataByteSize) }
        nonmutating set { unsafe pointer.pointee.mAudioDataByteSize = UInt32(clamping: newValue) }
    }

    /// The whole data, ``byteCapacity`` bytes.
    public var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: pointer.pointee.mAudioData, count: byteCapacity)
    }

    /// Room for the packet descriptions; empty unless the buffer was allocated with some.
    public var packetDescriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription> {
        unsafe UnsafeMutableBufferPointer(
            start: pointer.pointee.mPacketDescriptions,
            count: pointer.pointee.mPacketDescriptions == nil
                ? 0 : Int(pointer.pointee.mPacketDescriptionCapacity))
    }

    /// How many of ``packetDescriptions`` are valid: set it before enqueueing packets of varying size.
    public var packetDescriptionCount: Int {
        get { Int(unsafe pointer.pointee.mPacketDescriptionCount) }
        nonmutating set { unsafe pointer.pointee.mPacketDescriptionCount = UInt32(clamping: newValue) }
    }

    /// The client's own; the queue does not look at it.
    public var userData: UnsafeMutableRawPointer? {
        get { unsafe pointer.pointee.mUserData }
        nonmutating set { unsafe pointer.pointee.mUserData = newValue }
    }
}
