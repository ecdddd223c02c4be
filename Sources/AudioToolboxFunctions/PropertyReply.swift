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

    /// Replies with a value of fixed size.
    ///
    /// - Parameter tooSmall: The result if it does not fit.
    func value<Value: BitwiseCopyable>(_ value: Value, tooSmall: OSStatus) -> OSStatus {
        guard let (data, ioSize) = unsafe memory else { return kAudio_ParamError }
        let bytes = MemoryLayout<Value>.size
        guard unsafe Int(ioSize.pointee) >= bytes else { return tooSmall }
        // SAFETY: the memory has this many bytes; storing them requires no alignment.
        unsafe data.storeBytes(of: value, as: Value.self)
        unsafe ioSize.pointee = UInt32(bytes)
        return noErr
    }

    /// Replies with bytes, all of them or none.
    ///
    /// - Parameter tooSmall: The result if they do not fit.
    func bytes(_ bytes: [UInt8], tooSmall: OSStatus) -> OSStatus {
        guard let (data, ioSize) = unsafe memory else { return kAudio_ParamError }
        guard unsafe Int(ioSize.pointee) >= bytes.count else { return tooSmall }
        // SAFETY: the memory has this many bytes, and the array is not the client's memory.
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyMemory(from: source)
        }
        unsafe ioSize.pointee = UInt32(bytes.count)
        return noErr
    }

    /// Replies with as many whole elements as fit.
    ///
    /// - Parameter tooSmall: The result if there are elements, and not one of them fits.
    func values<Value: BitwiseCopyable>(_ values: [Value], tooSmall: OSStatus) -> OSStatus {
        guard let (data, ioSize) = unsafe memory else { return kAudio_ParamError }
        let stride = MemoryLayout<Value>.stride
        let fitting = min(unsafe Int(ioSize.pointee) / max(stride, 1), values.count)
        guard fitting > 0 || values.isEmpty else { return tooSmall }
        for (index, value) in values.prefix(fitting).enumerated() {
            // SAFETY: `fitting` elements are inside the memory.
            unsafe data.storeBytes(of: value, toByteOffset: index * stride, as: Value.self)
        }
        unsafe ioSize.pointee = UInt32(fitting * stride)
        return noErr
    }

    /// Replies with a CoreFoundation object that the caller has to release; NULL for none.
    ///
    /// - Parameters:
    ///   - make: Makes the object; not called if its reference does not fit.
    ///   - tooSmall: The result if a reference does not fit.
    func object<Object: AnyObject>(_ make: () -> Object?, tooSmall: OSStatus) -> OSStatus {
        guard let (_, ioSize) = unsafe memory else { return kAudio_ParamError }
        guard unsafe Int(ioSize.pointee) >= MemoryLayout<UInt>.size else { return tooSmall }
        // An address of 0 is NULL. From here on storing cannot fail, so that the reference is not lost.
        let address = make().map { UInt(bitPattern: unsafe Unmanaged.passRetained($0).toOpaque()) } ?? 0
        return value(address, tooSmall: tooSmall)
    }

    /// Whether the caller passed no memory, or no size.
    var isNull: Bool { unsafe data == nil || ioSize == nil }

    /// The size of the memory in bytes; 0 without memory.
    var capacity: Int { unsafe isNull ? 0 : Int(ioSize?.pointee ?? 0) }

    /// The value that the caller left in the memory for the function to read, for example in translations of
    /// packets to frames.
    ///
    /// - Returns: Nil if there are fewer bytes, or no memory.
    func input<Value: BitwiseCopyable>(as type: Value.Type) -> Value? {
        guard let (data, ioSize) = unsafe memory,
            unsafe Int(ioSize.pointee) >= MemoryLayout<Value>.size
        else { return nil }
        // SAFETY: the memory has this many bytes, of any alignment; any bits are a value of a published
        // structure.
        return unsafe data.loadUnaligned(as: Value.self)
    }

    private var memory: (data: UnsafeMutableRawPointer, ioSize: UnsafeMutablePointer<UInt32>)? {
        guard let data = unsafe data, let ioSize = unsafe ioSize else { return nil }
        return unsafe (data, ioSize)
    }
}
