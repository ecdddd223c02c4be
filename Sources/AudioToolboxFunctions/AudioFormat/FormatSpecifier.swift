import CAudioToolbox
import CoreAudioTypes

/// The subject of a query: memory of the client, of which only the stated size is read.
@safe struct FormatSpecifier {
    private let memory: UnsafeRawBufferPointer

    /// - Throws: `parameter` for bytes at null.
    init(_ start: UnsafeRawPointer?, bytes: UInt32) throws(AudioFormatError) {
        guard let start = unsafe start else {
            guard bytes == 0 else { throw AudioFormatError.parameter }
            unsafe memory = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        unsafe memory = UnsafeRawBufferPointer(start: start, count: Int(bytes))
    }

    var isEmpty: Bool { unsafe memory.isEmpty }

    /// A copy of all bytes.
    var bytes: [UInt8] { unsafe Array(memory) }

    /// The value at the beginning of the bytes, which need not be aligned.
    ///
    /// - Throws: `badSpecifierSize` if there are fewer bytes than the value has.
    func value<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(AudioFormatError) -> Value {
        guard unsafe memory.count >= MemoryLayout<Value>.size else { throw AudioFormatError.badSpecifierSize }
        // SAFETY: the value is inside the memory; it is a C struct or a number, for which any bits are valid.
        return unsafe memory.loadUnaligned(as: Value.self)
    }

    /// The bytes as values.
    ///
    /// - Throws: `badSpecifierSize` if there are none, or if they do not end with a whole one.
    func values<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(AudioFormatError) -> [Value] {
        let stride = MemoryLayout<Value>.stride
        let bytes = unsafe memory.count
        guard bytes > 0, bytes % stride == 0 else { throw AudioFormatError.badSpecifierSize }
        // SAFETY: as for one value.
        return (0..<bytes / stride).map {
            unsafe memory.loadUnaligned(fromByteOffset: $0 * stride, as: Value.self)
        }
    }

    /// The bytes as a layout.
    ///
    /// - Throws: `badSpecifierSize` for fewer than the three fields of every layout, `parameter` if they end
    ///   before the counted descriptions, `unknownFormat` for an unknown tag.
    func layout() throws(AudioFormatError) -> ChannelLayout {
        guard unsafe memory.count >= Self.layoutHeaderBytes else { throw AudioFormatError.badSpecifierSize }
        return try unsafe Self.layout(in: memory)
    }

    /// The layouts of two pointers: that of the input, and that of the output.
    ///
    /// - Throws: `badSpecifierSize` for less than two pointers, `parameter` for null or for more channels
    ///   than any format has, `unknownFormat` for an unknown tag.
    func layoutPair() throws(AudioFormatError) -> (input: ChannelLayout, output: ChannelLayout) {
        let addresses = try values(UInt.self)
        guard addresses.count >= 2 else { throw AudioFormatError.badSpecifierSize }
        return try (Self.layout(at: addresses[0]), Self.layout(at: addresses[1]))
    }

    /// Copies the layout at an address of the client, with the size that the layout itself states.
    static func layout(at address: UInt) throws(AudioFormatError) -> ChannelLayout {
        guard let start = unsafe UnsafeRawPointer(bitPattern: address) else {
            throw AudioFormatError.parameter
        }
        // SAFETY: the client guarantees a layout at the address; only the layout states its size.
        let tag = unsafe start.loadUnaligned(as: AudioChannelLayoutTag.self)
        var bytes = layoutHeaderBytes
        if tag == kAudioChannelLayoutTag_UseChannelDescriptions {
            let channels = unsafe Int(start.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            guard channels <= AudioStreamBasicDescription.maximumChannels else {
                throw AudioFormatError.parameter
            }
            bytes += channels * MemoryLayout<AudioChannelDescription>.stride
        }
        return try unsafe layout(in: UnsafeRawBufferPointer(start: start, count: bytes))
    }

    private static func layout(
        in memory: UnsafeRawBufferPointer
    ) throws(AudioFormatError) -> ChannelLayout {
        do throws(ChannelLayoutError) {
            return try unsafe ChannelLayout(copying: memory)
        } catch {
            throw AudioFormatError(error)
        }
    }

    /// The size of a layout before its descriptions, in bytes.
    static let layoutHeaderBytes = 12
}
