// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// The subject of a query: memory of the client, of which only the stated size is read.
@safe struct FormatSpecifier {
    private let memory: UnsafeRawBufferPointer

    /// - Throws: `kAudio_ParamError` if the address is null and the size is not 0.
    init(_ start: UnsafeRawPointer?, bytes: UInt32) throws(StatusError) {
        guard let start = unsafe start else {
            guard bytes == 0 else { throw StatusError(kAudio_ParamError) }
            unsafe memory = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        unsafe memory = UnsafeRawBufferPointer(start: start, count: Int(bytes))
    }

    var isEmpty: Bool { unsafe memory.isEmpty }

    var bytes: [UInt8] { unsafe Array(memory) }

    /// The value at the beginning of the bytes, for which no alignment is required.
    ///
    /// - Throws: `kAudioFormatBadSpecifierSizeError` if there are fewer bytes than the value has.
    func value<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(StatusError) -> Value {
        guard unsafe memory.count >= MemoryLayout<Value>.size else {
            throw StatusError(kAudioFormatBadSpecifierSizeError)
        }
        // SAFETY: the value is inside the memory; it is a C struct or a number, for which any bits are valid.
        return unsafe memory.loadUnaligned(as: Value.self)
    }

    /// Reads the bytes as an array of values.
    ///
    /// - Throws: `kAudioFormatBadSpecifierSizeError` if there are no bytes, or if they do not end with a whole
    ///   value.
    func values<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(StatusError) -> [Value] {
        let stride = MemoryLayout<Value>.stride
        let bytes = unsafe memory.count
        guard bytes > 0, bytes % stride == 0 else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        // SAFETY: inside the memory, and any bits are a value.
        return (0..<bytes / stride).map {
            unsafe memory.loadUnaligned(fromByteOffset: $0 * stride, as: Value.self)
        }
    }

    /// Reads the bytes as a layout.
    ///
    /// - Throws: `kAudioFormatBadSpecifierSizeError` for fewer than the three fields of every layout,
    ///   `kAudio_ParamError` if they end before the counted descriptions, `kAudioFormatUnknownFormatError`
    ///   for an unknown tag.
    func layout() throws(StatusError) -> ChannelLayout {
        guard unsafe memory.count >= Self.layoutHeaderBytes else {
            throw StatusError(kAudioFormatBadSpecifierSizeError)
        }
        do throws(ChannelLayoutError) { return try unsafe ChannelLayout(copying: memory) } catch {
            throw StatusError(error)
        }
    }

    /// Copies the layouts of the input and the output, to which the bytes contain two pointers.
    ///
    /// - Throws: `kAudioFormatBadSpecifierSizeError` for less than two pointers, `kAudio_ParamError` for null
    ///   or for more channels than any format has, `kAudioFormatUnknownFormatError` for an unknown tag.
    func layoutPair() throws(StatusError) -> (input: ChannelLayout, output: ChannelLayout) {
        let addresses = try values(UInt.self)
        guard addresses.count >= 2 else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        return try (Self.layout(at: addresses[0]), Self.layout(at: addresses[1]))
    }

    /// Copies the layout at an address of the client, with the size that the layout itself states.
    static func layout(at address: UInt) throws(StatusError) -> ChannelLayout {
        guard let start = unsafe UnsafeRawPointer(bitPattern: address) else {
            throw StatusError(kAudio_ParamError)
        }
        // SAFETY: the client guarantees a layout at the address; only the layout states its size.
        do throws(ChannelLayoutError) { return try unsafe PublishedLayout.layout(at: start) } catch {
            throw StatusError(error)
        }
    }

    /// The size of a layout before its descriptions, in bytes.
    static let layoutHeaderBytes = 12
}
