// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes
import Glibc

/// The memory of a buffer, and two lists of it: one with the sizes of the memory, one with those of the audio in it.
@safe final class BufferMemory {
    // SAFETY: the lists are allocated here; the samples are too, or belong to the client until the deallocator is called.

    let whole: UnsafeMutableAudioBufferListPointer
    let filled: UnsafeMutableAudioBufferListPointer
    /// The bytes of each buffer.
    let capacity: Int
    private let release: (UnsafeMutableAudioBufferListPointer) -> Void

    /// Allocates silent memory; nil if there is not enough.
    ///
    /// - Parameters:
    ///   - buffers: The number of buffers.
    ///   - bytes: The size of each.
    ///   - channels: The channels of each.
    init?(buffers: Int, bytes: Int, channels: Int) {
        let lists = unsafe (
            AudioBufferList.allocate(maximumBuffers: max(1, buffers)),
            AudioBufferList.allocate(maximumBuffers: max(1, buffers))
        )
        var isWhole = true
        for index in 0..<buffers {
            // Pages that are not used yet take no memory.
            let samples = unsafe calloc(max(1, bytes), 1)
            if unsafe samples == nil { isWhole = false }
            let buffer = unsafe AudioBuffer(
                mNumberChannels: UInt32(channels), mDataByteSize: UInt32(bytes), mData: samples)
            unsafe lists.0[index] = buffer
            unsafe lists.1[index] = buffer
        }
        unsafe (whole, filled) = lists
        unsafe (whole.count, filled.count) = (buffers, buffers)
        capacity = bytes
        unsafe release = { list in unsafe list.forEach { unsafe free($0.mData) } }
        if !isWhole { return nil }
    }

    /// No memory, for buffers that are replaced.
    static var none: BufferMemory {
        guard let none = BufferMemory(buffers: 0, bytes: 0, channels: 0) else {
            fatalError("no memory for an empty list")
        }
        return none
    }

    /// Uses the memory of a list, whose buffers have one size.
    ///
    /// - Parameter deallocator: Called at the end with the list, as it was.
    @unsafe init(
        using list: UnsafeMutableAudioBufferListPointer,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)?
    ) {
        let count = unsafe list.count
        unsafe whole = AudioBufferList.allocate(maximumBuffers: count)
        unsafe filled = AudioBufferList.allocate(maximumBuffers: count)
        for index in 0..<count {
            unsafe whole[index] = list[index]
            unsafe filled[index] = list[index]
        }
        unsafe (whole.count, filled.count) = (count, count)
        capacity = unsafe Int(list[0].mDataByteSize)
        unsafe release = { list in unsafe deallocator?(list.unsafePointer) }
    }

    deinit {
        restoreSizes()
        unsafe release(whole)
        unsafe free(whole.unsafeMutablePointer)
        unsafe free(filled.unsafeMutablePointer)
    }

    /// The memory of a buffer, which all have.
    func samples(_ buffer: Int) -> UnsafeMutableRawPointer {
        guard let samples = unsafe whole[buffer].mData else { fatalError("a buffer without memory") }
        return unsafe samples
    }

    /// Gives the list of the whole memory its sizes again.
    func restoreSizes() {
        for index in unsafe whole.indices { unsafe whole[index].mDataByteSize = UInt32(capacity) }
    }

    /// The bytes of audio in each buffer.
    var filledBytes: Int {
        get { unsafe filled.isEmpty ? 0 : Int(filled[0].mDataByteSize) }
        set { for index in unsafe filled.indices { unsafe filled[index].mDataByteSize = UInt32(newValue) } }
    }

    /// Copies the audio of another memory of the same shape.
    func copyAudio(from other: BufferMemory) {
        filledBytes = other.filledBytes
        for index in unsafe filled.indices {
            if let target = unsafe filled[index].mData, let source = unsafe other.filled[index].mData {
                unsafe memcpy(target, source, filledBytes)
            }
        }
    }
}
