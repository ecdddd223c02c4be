// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// The output of a function that reads a property: the client's memory, and its size.
///
/// The function replaces the size by that of the value. Nothing is written unless the value fits. If the
/// memory or the size is NULL, every reply is `kAudio_ParamError`.
@safe struct PropertyReply {
    // SAFETY: the caller of the C function guarantees the memory and the size during the call, which no reply
    // outlives.
    private let data: UnsafeMutableRawPointer?
    private let ioSize: UnsafeMutablePointer<UInt32>?

    /// Wraps the arguments of the C function.
    ///
    /// - Parameters:
    ///   - data: Memory of at least `ioSize` bytes, of any alignment.
    ///   - ioSize: The size of the memory in bytes; on return that of the value.
    init(_ data: UnsafeMutableRawPointer?, _ ioSize: UnsafeMutablePointer<UInt32>?) {
        unsafe self.data = data
        unsafe self.ioSize = ioSize
    }

    /// Copies a value into the memory.
    ///
    /// - Parameter tooSmall: The result if the value, or one element of a list, does not fit.
    func status(ofGiving answer: PropertyAnswer, tooSmall: OSStatus) -> OSStatus {
        StatusError.result { () throws(StatusError) in try give(answer, tooSmall: tooSmall) }
    }

    /// Copies a value into the memory, or as many of its first bytes as fit. References are copied whole or not at all.
    ///
    /// - Returns: `kAudio_ParamError` also for memory of no bytes, or too small for references.
    func status(ofGivingFirstBytesOf answer: PropertyAnswer) -> OSStatus {
        guard let ioSize = unsafe ioSize, unsafe ioSize.pointee > 0 else { return kAudio_ParamError }
        let room = unsafe Int(ioSize.pointee)
        switch answer {
        case .bytes(let bytes), .list(let bytes, _):
            return status(ofGiving: .bytes(Array(bytes.prefix(room))), tooSmall: kAudio_ParamError)
        case .references: return status(ofGiving: answer, tooSmall: kAudio_ParamError)
        }
    }

    /// Copies a value into the memory, or throws the result of the C function.
    func give(_ answer: PropertyAnswer, tooSmall: OSStatus) throws(StatusError) {
        guard let data = unsafe data, let ioSize = unsafe ioSize else { throw StatusError(kAudio_ParamError) }
        let room = unsafe Int(ioSize.pointee)
        let bytes: [UInt8]
        switch answer {
        case .list(let elements, let elementBytes):
            let whole = min(room, elements.count) / elementBytes * elementBytes
            guard whole > 0 || elements.isEmpty else { throw StatusError(tooSmall) }
            bytes = Array(elements[..<whole])
        case .bytes(let value):
            guard room >= value.count else { throw StatusError(tooSmall) }
            bytes = value
        case .references(let byteCount, let make):
            // From here on nothing can fail, so that no reference is lost.
            guard room >= byteCount else { throw StatusError(tooSmall) }
            bytes = make()
        }
        // SAFETY: the size was checked, and the array is not the client's memory.
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyMemory(from: source)
        }
        unsafe ioSize.pointee = UInt32(bytes.count)
    }

    /// Whether the caller passed no memory, or no size.
    var isNull: Bool { unsafe data == nil || ioSize == nil }

    /// The value that the caller left in the memory for the function to read, for example in translations of
    /// packets to frames.
    ///
    /// - Returns: The value; nil if the memory is missing, or smaller than the value.
    func input<Value: BitwiseCopyable>(as type: Value.Type = Value.self) -> Value? {
        guard let data = unsafe data, let ioSize = unsafe ioSize,
            unsafe Int(ioSize.pointee) >= MemoryLayout<Value>.size
        else { return nil }
        // SAFETY: the size was checked, and any alignment is allowed; any bits are a value of a published
        // structure.
        return unsafe data.loadUnaligned(as: Value.self)
    }
}
