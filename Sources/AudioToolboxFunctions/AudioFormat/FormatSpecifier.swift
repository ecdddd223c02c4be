import CAudioToolbox
import CoreAudioTypes

/// What a property is asked about: memory of the client's, of which no more is read than it says there is.
@safe struct FormatSpecifier {
    private let memory: UnsafeRawBufferPointer

    /// - Throws: `parameter` for bytes that are nowhere.
    init(_ start: UnsafeRawPointer?, bytes: UInt32) throws(StatusError) {
        guard let start = unsafe start else {
            guard bytes == 0 else { throw StatusError(kAudio_ParamError) }
            unsafe memory = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        unsafe memory = UnsafeRawBufferPointer(start: start, count: Int(bytes))
    }

    var isEmpty: Bool { unsafe memory.isEmpty }

    /// A copy of all bytes.
    var bytes: [UInt8] { unsafe Array(memory) }

    /// The value that the bytes begin with; they need not be aligned.
    ///
    /// - Throws: `badSpecifierSize` if they are fewer than the value has.
    func value<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(StatusError) -> Value {
        guard unsafe memory.count >= MemoryLayout<Value>.size else {
            throw StatusError(kAudioFormatBadSpecifierSizeError)
        }
        // SAFETY: the value lies inside the memory; it is a C struct or a number, of which any bits are one.
        return unsafe memory.loadUnaligned(as: Value.self)
    }

    /// The values that the bytes are.
    ///
    /// - Throws: `badSpecifierSize` if there are none, or if they do not end with a whole one.
    func values<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(StatusError) -> [Value] {
        let stride = MemoryLayout<Value>.stride
        let bytes = unsafe memory.count
        guard bytes > 0, bytes % stride == 0 else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        // SAFETY: as for one value.
        return (0..<bytes / stride).map {
            unsafe memory.loadUnaligned(fromByteOffset: $0 * stride, as: Value.self)
        }
    }

    /// The layout that the bytes are.
    ///
    /// - Throws: `badSpecifierSize` for fewer than the three fields that every layout has, `parameter` if they
    ///   end before the descriptions that they promise, `unknownFormat` for a tag that is none.
    func layout() throws(StatusError) -> ChannelLayout {
        guard unsafe memory.count >= Self.layoutHeaderBytes else {
            throw StatusError(kAudioFormatBadSpecifierSizeError)
        }
        return try unsafe Self.layout(in: memory)
    }

    /// The layouts that two pointers lead to: that of the input, and that of the output.
    ///
    /// - Throws: `badSpecifierSize` for less than two pointers, `parameter` for null or for more channels than
    ///   any format has, `unknownFormat` for a tag that is none.
    func layoutPair() throws(StatusError) -> (input: ChannelLayout, output: ChannelLayout) {
        let addresses = try values(UInt.self)
        guard addresses.count >= 2 else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        return try (Self.layout(at: addresses[0]), Self.layout(at: addresses[1]))
    }

    /// Copies the layout at an address that the client gave, as far as the layout itself says that it reaches.
    static func layout(at address: UInt) throws(StatusError) -> ChannelLayout {
        guard let start = unsafe UnsafeRawPointer(bitPattern: address) else {
            throw StatusError(kAudio_ParamError)
        }
        // SAFETY: the client says that a layout is there; nothing else tells how long it is.
        let tag = unsafe start.loadUnaligned(as: AudioChannelLayoutTag.self)
        var bytes = layoutHeaderBytes
        if tag == kAudioChannelLayoutTag_UseChannelDescriptions {
            let channels = unsafe Int(start.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            guard channels <= AudioStreamBasicDescription.maximumChannels else {
                throw StatusError(kAudio_ParamError)
            }
            bytes += channels * MemoryLayout<AudioChannelDescription>.stride
        }
        return try unsafe layout(in: UnsafeRawBufferPointer(start: start, count: bytes))
    }

    private static func layout(
        in memory: UnsafeRawBufferPointer
    ) throws(StatusError) -> ChannelLayout {
        do throws(ChannelLayoutError) {
            return try unsafe ChannelLayout(copying: memory)
        } catch {
            throw StatusError(error)
        }
    }

    /// Bytes of a layout before its descriptions.
    static let layoutHeaderBytes = 12
}
