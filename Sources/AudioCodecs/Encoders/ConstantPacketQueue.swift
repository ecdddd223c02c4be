/// Bytes that wait to be taken as packets of one size, in order.
struct ConstantPacketQueue {
    private var bytes: [UInt8] = []
    private var taken = 0

    var waiting: Int { bytes.count - taken }

    /// Adds `byteCount` bytes, which `write` fills in.
    mutating func append(
        byteCount: Int, _ write: (UnsafeMutableRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        if taken > 0 {
            bytes.removeSubrange(..<taken)
            taken = 0
        }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: byteCount))
        do throws(CodecError) {
            try unsafe bytes.withUnsafeMutableBufferPointer {
                (bytes: inout UnsafeMutableBufferPointer<UInt8>) throws(CodecError) in
                try unsafe write(
                    UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[start...])))
            }
        } catch {
            bytes.removeSubrange(start...)
            throw error
        }
    }

    /// Takes as many whole packets as are ready and fit into `output`.
    ///
    /// - Returns: The number of bytes taken.
    mutating func take(into output: UnsafeMutableRawBufferPointer, bytesPerPacket: Int) -> Int {
        let packets = min(waiting, output.count) / bytesPerPacket
        let byteCount = packets * bytesPerPacket
        guard byteCount > 0 else { return 0 }
        unsafe bytes.withUnsafeBytes {
            unsafe output.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + byteCount]))
        }
        taken += byteCount
        return byteCount
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        taken = 0
    }
}
