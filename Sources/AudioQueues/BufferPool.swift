import CAudioQueueTypes
import CoreAudioTypes
import Glibc
import Synchronization

/// The buffers of one queue: their memory, and with whom each is.
///
/// Looks buffers up by address and trusts nothing in the client's structs: capacities are kept here.
@safe struct BufferPool: @unchecked Sendable {
    // SAFETY: a value inside the queue's lock; the memory behind it is freed by `free` and `freeAll` only.

    /// More is a mistake, not a buffer: two hours of 44.1 kHz stereo fit.
    static let maximumByteCapacity = 1 << 30
    static let maximumPacketDescriptions = 1 << 24

    /// With whom a buffer is.
    enum Place { case client, queue }

    @safe struct Record {
        let buffer: QueueBuffer
        /// Of the block that holds all of it.
        let blockBytes: Int
        let data: UnsafeMutableRawPointer
        let byteCapacity: Int
        let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        let descriptionCapacity: Int
        /// Memory of the queue's own that goes with the buffer; nil unless it was asked for.
        let staging: UnsafeMutableRawPointer?
        var place = Place.client
    }

    /// By address. A dictionary costs a tool's start more than what follows.
    private var records: [Record] = []

    /// Where the buffer's record is, or else belongs: that of the first buffer at its address or behind.
    private func index(of buffer: QueueBuffer) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if unsafe records[middle].buffer.pointer < buffer.pointer {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The same, but nil when this queue did not allocate the buffer.
    private func knownIndex(of buffer: QueueBuffer) -> Int? {
        let index = index(of: buffer)
        return index < records.count && records[index].buffer == buffer ? index : nil
    }

    /// The buffer's record, or nil when this queue did not allocate it.
    subscript(buffer: QueueBuffer) -> Record? { knownIndex(of: buffer).map { records[$0] } }

    var bufferCount: Int { records.count }

    /// The capacity of each buffer, in bytes.
    var byteCapacities: [Int] { records.map(\.byteCapacity) }

    mutating func move(_ buffer: QueueBuffer, to place: Place) {
        if let index = knownIndex(of: buffer) { records[index].place = place }
    }

    /// Allocates one zeroed block: the struct, the data at a multiple of 16 bytes, the descriptions, the
    /// staging memory.
    ///
    /// - Parameter stagingBytes: At most as large as the data, which is the client's wish to bound.
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
        let blockBytes = stagingOffset + stagingBytes
        guard let block = unsafe BufferMemory.allocate(byteCount: blockBytes) else {
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
            buffer: buffer, blockBytes: blockBytes, data: data, byteCapacity: byteCapacity,
            descriptions: descriptions, descriptionCapacity: descriptionCapacity,
            staging: stagingBytes > 0 ? block + stagingOffset : nil)
        records.insert(record, at: index(of: buffer))
        LiveObjects.buffers.add(1, ordering: .relaxed)
        return buffer
    }

    mutating func free(_ buffer: QueueBuffer) throws(QueueError) {
        guard let index = knownIndex(of: buffer) else {
            throw QueueError(.invalidBuffer, "cannot free a buffer that this queue did not allocate")
        }
        guard records[index].place == .client else {
            throw QueueError(.bufferInQueue, "cannot free a buffer that is enqueued")
        }
        BufferPool.release(records.remove(at: index))
    }

    /// Frees every buffer, wherever it is: only when neither the device nor a callback can touch one.
    mutating func freeAll() {
        for record in records { BufferPool.release(record) }
        records = []
    }

    private static func release(_ record: Record) {
        unsafe BufferMemory.free(record.buffer.pointer, byteCount: record.blockBytes)
        LiveObjects.buffers.subtract(1, ordering: .relaxed)
    }
}
