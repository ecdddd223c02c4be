// SPDX-License-Identifier: MIT

import CAQAudioQueueTypes
import CoreAudioTypes
import Glibc
import Synchronization

/// The buffers of one queue: their memory, and the owner of each.
///
/// Buffers are identified by their address. Capacities are kept here, because a client can change its structs.
@safe struct BufferPool: @unchecked Sendable {
    // SAFETY: a value inside the queue's lock; only `free` and `freeAll` free its memory.

    /// The largest capacity in bytes, enough for an hour and 40 minutes of 16-bit stereo at 44.1 kHz.
    static let maximumByteCapacity = 1 << 30
    static let maximumPacketDescriptions = 1 << 24

    enum Owner { case client, queue }

    @safe struct Record {
        let buffer: QueueBuffer
        let data: UnsafeMutableRawPointer
        let byteCapacity: Int
        let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        let descriptionCapacity: Int
        /// The memory for samples before their conversion; nil unless it was requested.
        let staging: UnsafeMutableRawPointer?
    }

    private let live = LiveObjects.current
    private var records: [QueueBuffer: Record] = [:]
    /// The buffers that the queue owns.
    ///
    /// REAL-TIME: a set with room for all buffers, since `records[buffer]?.field = value` allocates memory for the access.
    private var enqueued: Set<QueueBuffer> = []

    /// The buffer's record; nil if this queue did not allocate it.
    subscript(buffer: QueueBuffer) -> Record? { records[buffer] }

    /// Returns the record of a buffer for a call that requires the client to own the buffer.
    ///
    /// - Parameter code: The code of the error if the queue owns the buffer.
    /// - Throws: ``QueueError/Code/invalidBuffer`` if this queue did not allocate the buffer; `code`.
    func clientRecord(
        of buffer: QueueBuffer, to action: String, else code: QueueError.Code = .bufferInQueue
    ) throws(QueueError) -> Record {
        guard let record = records[buffer] else {
            throw QueueError(.invalidBuffer, "cannot \(action) a buffer that this queue did not allocate")
        }
        guard !enqueued.contains(buffer) else {
            throw QueueError(code, "cannot \(action) a buffer that is enqueued")
        }
        return record
    }

    var bufferCount: Int { records.count }

    var byteCapacities: [Int] { records.values.map(\.byteCapacity) }

    mutating func move(_ buffer: QueueBuffer, to owner: Owner) {
        switch owner {
        case .queue: enqueued.insert(buffer)
        case .client: enqueued.remove(buffer)
        }
    }

    /// Allocates one zeroed block for the struct, the data (aligned to 16 bytes), the descriptions and the staging
    /// memory.
    ///
    /// - Parameter stagingBytes: The size of the staging memory, at most `byteCapacity`.
    mutating func allocate(
        byteCapacity: Int, descriptionCapacity: Int, stagingBytes: Int = 0
    ) throws(QueueError) -> QueueBuffer {
        guard (1...BufferPool.maximumByteCapacity).contains(byteCapacity) else {
            throw QueueError(
                .invalidArgument,
                "cannot allocate a buffer of \(byteCapacity) bytes: 1 to \(BufferPool.maximumByteCapacity) "
                    + "are possible")
        }
        guard (0...BufferPool.maximumPacketDescriptions).contains(descriptionCapacity) else {
            throw QueueError(
                .invalidArgument,
                "cannot allocate \(descriptionCapacity) packet descriptions: 0 to "
                    + "\(BufferPool.maximumPacketDescriptions) are possible")
        }
        let dataOffset = 64
        let descriptionsOffset = dataOffset + (byteCapacity + 15) / 16 * 16
        let stagingOffset =
            descriptionsOffset + descriptionCapacity * MemoryLayout<AudioStreamPacketDescription>.stride
        guard let block = unsafe calloc(1, stagingOffset + stagingBytes) else {
            throw QueueError(.outOfMemory, "cannot allocate a buffer of \(byteCapacity) bytes")
        }
        let data = unsafe block + dataOffset
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        if descriptionCapacity > 0 {
            unsafe descriptions = (block + descriptionsOffset).bindMemory(
                to: AudioStreamPacketDescription.self, capacity: descriptionCapacity)
        }
        let pointer = unsafe block.bindMemory(to: AudioQueueBuffer.self, capacity: 1)
        unsafe pointer.initialize(
            to: AudioQueueBuffer(
                mAudioDataBytesCapacity: UInt32(byteCapacity), mAudioData: data, mAudioDataByteSize: 0,
                mUserData: nil, mPacketDescriptionCapacity: UInt32(descriptionCapacity),
                mPacketDescriptions: descriptions, mPacketDescriptionCount: 0))
        let buffer = unsafe QueueBuffer(pointer)
        let record = unsafe Record(
            buffer: buffer, data: data, byteCapacity: byteCapacity,
            descriptions: descriptions, descriptionCapacity: descriptionCapacity,
            staging: stagingBytes > 0 ? block + stagingOffset : nil)
        records[buffer] = record
        enqueued.reserveCapacity(records.count)
        live.buffers.add(1, ordering: .relaxed)
        return buffer
    }

    mutating func free(_ buffer: QueueBuffer) throws(QueueError) {
        let record = try clientRecord(of: buffer, to: "free")
        records[buffer] = nil
        release(record)
    }

    /// Frees every buffer, whatever its owner. Allowed only if neither the device nor a callback can use a buffer.
    mutating func freeAll() {
        for record in records.values { release(record) }
        (records, enqueued) = ([:], [])
    }

    private func release(_ record: Record) {
        unsafe Glibc.free(record.buffer.pointer)
        live.buffers.subtract(1, ordering: .relaxed)
    }
}
