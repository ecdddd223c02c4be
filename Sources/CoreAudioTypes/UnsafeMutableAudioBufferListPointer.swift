// SPDX-License-Identifier: MIT

/// The buffers of an `AudioBufferList` as a collection.
///
/// Copies of this value refer to the same list. Subscripts are checked against `mNumberBuffers`, which must not
/// exceed the number of buffers for which the list was allocated.
@unsafe public struct UnsafeMutableAudioBufferListPointer {
    /// The pointer to the list.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// The pointer to the list, read-only.
    public var unsafePointer: UnsafePointer<AudioBufferList> {
        unsafe UnsafePointer(unsafeMutablePointer)
    }

    /// Makes a collection of the buffers of a list.
    public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) {
        unsafe self.unsafeMutablePointer = pointer
    }

    /// Makes a collection of the buffers of a list; nil for a null pointer.
    public init?(_ pointer: UnsafeMutablePointer<AudioBufferList>?) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.unsafeMutablePointer = pointer
    }

    /// The number of buffers in the list, `mNumberBuffers`.
    public var count: Int {
        get { Int(unsafe unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafe unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
    }

    private var buffers: UnsafeMutablePointer<AudioBuffer> {
        // SAFETY: `mBuffers` is the first of `mNumberBuffers` adjacent buffers.
        let offset = unsafe MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
        return unsafe (UnsafeMutableRawPointer(unsafeMutablePointer) + offset)
            .assumingMemoryBound(to: AudioBuffer.self)
    }
}

extension UnsafeMutableAudioBufferListPointer: @unsafe MutableCollection, @unsafe RandomAccessCollection {
    public typealias Index = Int
    public typealias Element = AudioBuffer
    public typealias Indices = Range<Int>

    public var startIndex: Int { 0 }
    public var endIndex: Int { unsafe count }

    public subscript(index: Int) -> AudioBuffer {
        get {
            precondition(unsafe index >= 0 && index < count, "buffer index out of range")
            return unsafe buffers[index]
        }
        nonmutating set {
            precondition(unsafe index >= 0 && index < count, "buffer index out of range")
            unsafe buffers[index] = newValue
        }
    }
}
