import AudioQueues

/// The bytes that a client sets a property to, for as long as its call lasts.
@safe struct PropertyData {
    // SAFETY: the client vouches for the bytes until its call returns; nobody keeps this beyond that.
    let bytes: UnsafeRawBufferPointer

    @unsafe init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    /// The bytes as a number, or a published struct of numbers.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertySize`` unless there are as many bytes as it has.
    func value<Value: BitwiseCopyable>() throws(QueueError) -> Value {
        guard unsafe bytes.count == MemoryLayout<Value>.size else {
            throw QueueError(
                .invalidPropertySize,
                unsafe "cannot set a property of \(MemoryLayout<Value>.size) bytes to \(bytes.count) bytes")
        }
        // SAFETY: there are as many bytes, of any alignment; any bits are a value of a number or a published struct.
        return unsafe bytes.loadUnaligned(as: Value.self)
    }
}
