// SPDX-License-Identifier: MIT

import Glibc

extension AudioBufferList {
    /// Returns the size in bytes of a list with room for `maximumBuffers` buffers.
    ///
    /// - Precondition: `maximumBuffers` is at least 1.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        precondition(maximumBuffers >= 1, "an AudioBufferList holds at least one buffer")
        return unsafe MemoryLayout<AudioBufferList>.size + (maximumBuffers - 1)
            * MemoryLayout<AudioBuffer>.stride
    }

    /// Allocates a list of `maximumBuffers` empty buffers. The caller frees it with
    /// `free(list.unsafeMutablePointer)`.
    ///
    /// - Precondition: `maximumBuffers` is at least 1, and enough memory is available.
    @unsafe
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let bytes = sizeInBytes(maximumBuffers: maximumBuffers)
        guard let memory = unsafe calloc(bytes, 1) else {
            preconditionFailure("cannot allocate \(bytes) bytes for an AudioBufferList")
        }
        // SAFETY: all-zero bytes are a valid list without data, and calloc aligns for any type.
        let list = unsafe UnsafeMutableAudioBufferListPointer(
            memory.bindMemory(to: AudioBufferList.self, capacity: 1))
        unsafe list.count = maximumBuffers
        return unsafe list
    }
}

extension AudioBuffer {
    /// Makes a buffer that refers to the memory of `typedBuffer`.
    @unsafe
    public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
        unsafe self.init(
            mNumberChannels: UInt32(numberOfChannels),
            mDataByteSize: UInt32(typedBuffer.count * MemoryLayout<Element>.stride),
            mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
    }
}

extension UnsafeBufferPointer {
    /// Makes a view of the data of `audioBuffer` as elements, without the bytes after the last whole element.
    public init(_ audioBuffer: AudioBuffer) {
        unsafe self.init(UnsafeMutableBufferPointer<Element>(audioBuffer))
    }
}

extension UnsafeMutableBufferPointer {
    /// Makes a view of the data of `audioBuffer` as elements, without the bytes after the last whole element.
    public init(_ audioBuffer: AudioBuffer) {
        let elements = unsafe Int(audioBuffer.mDataByteSize) / Swift.max(MemoryLayout<Element>.stride, 1)
        guard let data = unsafe audioBuffer.mData else {
            unsafe self.init(start: nil, count: 0)
            return
        }
        unsafe self.init(start: data.bindMemory(to: Element.self, capacity: elements), count: elements)
    }
}
