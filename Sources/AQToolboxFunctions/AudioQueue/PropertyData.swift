// SPDX-License-Identifier: MIT

import AudioQueues

/// The bytes of a property's new value, valid during the client's call.
@safe struct PropertyData {
    // SAFETY: the client guarantees the bytes until its call returns, and they are not kept longer.
    let bytes: UnsafeRawBufferPointer

    @unsafe init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

    /// The bytes as a number, or a published struct of numbers.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertySize`` for another number of bytes.
    func value<Value: BitwiseCopyable>() throws(QueueError) -> Value {
        guard unsafe bytes.count == MemoryLayout<Value>.size else { throw QueueError(.invalidPropertySize) }
        // SAFETY: the size was checked, and any alignment is allowed; any bits are a value of a number or a
        // published struct.
        return unsafe bytes.loadUnaligned(as: Value.self)
    }
}
