/// The buffers of an `AudioBufferList` as a collection.
///
/// A wrapper around a pointer: copies refer to the same list. Subscripts are checked against
/// `mNumberBuffers`, which must be no more than the list was allocated for.
@unsafe public struct UnsafeMutableAudioBufferListPointer {
    /// The list.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// The list, to read only.
    public var unsafePointer: UnsafePointer<AudioBufferList> {
        unsafe UnsafePointer(unsafeMutablePointer)
    }

    /// The buffers of a list, of as many as its memory has room for.
    public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) {
        unsafe self.unsafeMutablePointer = pointer
    }

    /// The buffers of a list, or nil when there is none.
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
        // SAFETY: `mBuffers` is the first of `mNumberBuffers` buffers that follow each other in memory.
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
