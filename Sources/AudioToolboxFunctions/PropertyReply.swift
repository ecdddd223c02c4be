import CAudioToolbox

/// The output of a function that reads a property: the memory, and its size, which the function replaces by
/// the size of the value.
///
/// Nothing is written unless it fits. Without memory or size every reply is `kAudio_ParamError`.
@safe struct PropertyReply {
    // SAFETY: the caller of the C function guarantees both during its call, and no reply outlives it.
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
    /// - Parameter tooSmall: The result if it does not fit, or not one element of a list.
    func status(ofGiving answer: PropertyAnswer, tooSmall: OSStatus) -> OSStatus {
        StatusError.result { () throws(StatusError) in try give(answer, tooSmall: tooSmall) }
    }

    /// The same, in code that throws.
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
        // SAFETY: the memory has this many bytes, and the array is not the client's memory.
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
    /// - Returns: Nil if there are fewer bytes, or no memory.
    func input<Value: BitwiseCopyable>(as type: Value.Type = Value.self) -> Value? {
        guard let data = unsafe data, let ioSize = unsafe ioSize,
            unsafe Int(ioSize.pointee) >= MemoryLayout<Value>.size
        else { return nil }
        // SAFETY: the memory has this many bytes, of any alignment; any bits are a value of a published
        // structure.
        return unsafe data.loadUnaligned(as: Value.self)
    }
}
