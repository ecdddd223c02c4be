// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// The bytes of a property's new value, valid during the client's call.
@safe struct HardwareData {
    // SAFETY: the client guarantees the bytes until its call returns, and they are not kept longer.
    private let bytes: UnsafeRawBufferPointer

    init(_ data: UnsafeRawPointer, _ count: UInt32) {
        unsafe bytes = UnsafeRawBufferPointer(start: data, count: Int(count))
    }

    /// The bytes as a number, or a published struct of numbers.
    ///
    /// - Throws: `kAudioHardwareBadPropertySizeError` for another number of bytes.
    func value<Value: BitwiseCopyable>(as type: Value.Type = Value.self) throws(StatusError) -> Value {
        guard unsafe bytes.count == MemoryLayout<Value>.size else {
            throw StatusError(kAudioHardwareBadPropertySizeError)
        }
        // SAFETY: the size was checked, and any alignment is allowed; any bits are a value of these types.
        return unsafe bytes.loadUnaligned(as: Value.self)
    }
}
