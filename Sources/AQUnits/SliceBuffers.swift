// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes
import Glibc

/// The buffer list and the memory of a client's slices, and their conversion to and from the stream's samples.
///
/// Used by one thread at a time. Allocates nothing after it was made.
@safe final class SliceBuffers {
    // SAFETY: the lists and the memory are allocated here, and freed by deinit.

    private static let maximumBytes = 1 << 26

    let client: ClientFormat
    let capacityFrames: Int
    /// The list that the client gets.
    private let list: UnsafeMutableAudioBufferListPointer
    /// A list of one buffer, for the stream's samples.
    private let whole: UnsafeMutableAudioBufferListPointer
    /// Memory for all buffers of ``list``.
    private let memory: UnsafeMutableRawPointer

    init(_ client: ClientFormat, capacityFrames: Int) {
        self.client = client
        self.capacityFrames = capacityFrames
        unsafe list = AudioBufferList.allocate(maximumBuffers: client.bufferCount)
        unsafe whole = AudioBufferList.allocate(maximumBuffers: 1)
        let bytes = max(1, capacityFrames * client.bytesPerFrame * client.bufferCount)
        unsafe memory = .allocate(byteCount: bytes, alignment: 64)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    }

    /// - Throws: ``UnitError/Code/failedInitialization`` if the memory would be unreasonable.
    convenience init(_ client: ClientFormat, checkedFrames frames: Int) throws(UnitError) {
        let (bytes, overflow) = frames.multipliedReportingOverflow(
            by: client.bytesPerFrame * client.bufferCount)
        guard !overflow, bytes <= Self.maximumBytes else {
            throw UnitError(
                .failedInitialization, "cannot initialize: slices of \(frames) frames are too long")
        }
        self.init(client, capacityFrames: frames)
    }

    deinit {
        unsafe free(list.unsafeMutablePointer)
        unsafe free(whole.unsafeMutablePointer)
        unsafe memory.deallocate()
    }

    /// The list, with silent memory for `frames` frames: at most the capacity.
    ///
    /// - Parameter slice: The memory of the stream's samples, which the list uses if the samples are the same.
    @unsafe func silentList(
        frames: Int, over slice: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutablePointer<AudioBufferList> {
        let bytes = frames * client.bytesPerFrame
        unsafe list.count = client.bufferCount
        for index in 0..<client.bufferCount {
            let start =
                unsafe client.isDirect
                ? slice.baseAddress ?? memory : start(ofBuffer: index)
            unsafe writeSilence(to: start, bytes: bytes)
            unsafe list[index] = unsafe AudioBuffer(
                mNumberChannels: client.channelsPerBuffer, mDataByteSize: UInt32(bytes), mData: start)
        }
        return unsafe list.unsafeMutablePointer
    }

    /// Converts what the client has left in the list to the stream's samples, followed by silence.
    ///
    /// The client may have reduced the sizes, and replaced the pointers.
    @unsafe func collect(frames: Int, into slice: UnsafeMutableRawBufferPointer) {
        guard let target = slice.baseAddress else { return }
        var ready = frames
        if unsafe list.count != client.bufferCount { ready = 0 }
        if ready > 0 {
            for index in 0..<client.bufferCount {
                let buffer = unsafe list[index]
                let held = unsafe buffer.mData == nil ? 0 : Int(buffer.mDataByteSize) / client.bytesPerFrame
                ready = min(ready, held)
            }
        }
        let bytesPerFrame = client.streamBytesPerFrame
        if ready > 0 {
            if client.isDirect {
                if let source = unsafe list[0].mData, unsafe source != target {
                    unsafe memmove(target, source, ready * bytesPerFrame)
                }
            } else {
                unsafe whole[0] = unsafe AudioBuffer(
                    mNumberChannels: client.format.mChannelsPerFrame,
                    mDataByteSize: UInt32(ready * bytesPerFrame), mData: target)
                // The sizes were checked, so this cannot fail.
                if unsafe (try? client.toStream.convert(frames: ready, from: list, into: whole)) == nil {
                    ready = 0
                }
                if client.scale != 1 { unsafe multiply(target, frames: ready, by: client.scale) }
            }
        }
        if ready < frames {
            unsafe memset(target + ready * bytesPerFrame, 0, (frames - ready) * bytesPerFrame)
        }
    }

    /// Converts the stream's samples to a client's list. Its buffers without memory get memory of this object, which is
    /// valid until the next call.
    ///
    /// - Parameter lendsMemory: Whether buffers without memory are allowed.
    /// - Throws: ``UnitError/Code/parameter`` if the list does not fit.
    @unsafe func deliver(
        _ samples: UnsafeMutableRawPointer, frames: Int, to target: UnsafeMutableAudioBufferListPointer,
        lendsMemory: Bool
    ) throws(UnitError) {
        try unsafe prepare(target, frames: frames, lendsMemory: lendsMemory)
        guard frames > 0 else { return }
        if client.scale != 1 { unsafe multiply(samples, frames: frames, by: 1 / client.scale) }
        unsafe whole[0] = unsafe AudioBuffer(
            mNumberChannels: client.format.mChannelsPerFrame,
            mDataByteSize: UInt32(frames * client.streamBytesPerFrame), mData: samples)
        // The sizes were checked, so this cannot fail.
        unsafe _ = try? client.fromStream.convert(frames: frames, from: whole, into: target)
    }

    /// Checks a client's list, and sets it to `frames` frames. Its buffers without memory get memory of this object.
    @unsafe func prepare(
        _ target: UnsafeMutableAudioBufferListPointer, frames: Int, lendsMemory: Bool
    ) throws(UnitError) {
        try unsafe check(target, frames: frames, lendsMemory: lendsMemory)
        let bytes = frames * client.bytesPerFrame
        for index in 0..<client.bufferCount {
            var buffer = unsafe target[index]
            if unsafe buffer.mData == nil { unsafe buffer.mData = start(ofBuffer: index) }
            unsafe buffer.mDataByteSize = UInt32(bytes)
            unsafe buffer.mNumberChannels = client.channelsPerBuffer
            unsafe target[index] = buffer
        }
    }

    /// Makes the buffers of another list those of the list.
    @unsafe func take(_ other: UnsafeMutableAudioBufferListPointer) {
        let count = unsafe min(other.count, client.bufferCount)
        for index in 0..<count { unsafe list[index] = unsafe other[index] }
        unsafe list.count = count
    }

    /// The list with what the client has left in it, in memory of this object, followed by silence.
    ///
    /// - Parameter isSilent: Whether nothing of the client's counts.
    @unsafe func settled(frames: Int, isSilent: Bool) -> UnsafeMutableAudioBufferListPointer {
        let bytes = frames * client.bytesPerFrame
        let isWhole = unsafe list.count == client.bufferCount && !isSilent
        unsafe list.count = client.bufferCount
        for index in 0..<client.bufferCount {
            let buffer = unsafe list[index]
            let target = unsafe start(ofBuffer: index)
            var held = 0
            if isWhole, let source = unsafe buffer.mData {
                held = min(bytes, unsafe Int(buffer.mDataByteSize))
                held -= held % client.bytesPerFrame
                if unsafe source != target { unsafe memmove(target, source, held) }
            }
            unsafe writeSilence(to: target + held, bytes: bytes - held)
            unsafe list[index] = unsafe AudioBuffer(
                mNumberChannels: client.channelsPerBuffer, mDataByteSize: UInt32(bytes), mData: target)
        }
        return unsafe list
    }

    /// Checks a client's list for captured frames.
    @unsafe func check(
        _ target: UnsafeMutableAudioBufferListPointer, frames: Int, lendsMemory: Bool
    ) throws(UnitError) {
        guard unsafe target.count == client.bufferCount else {
            let count = unsafe target.count
            throw UnitError(.parameter, "cannot render: \(count) buffers instead of \(client.bufferCount)")
        }
        for index in 0..<client.bufferCount {
            let buffer = unsafe target[index]
            if unsafe buffer.mData == nil {
                guard lendsMemory, frames <= capacityFrames else {
                    throw UnitError(.parameter, "cannot render: buffer \(index) has no memory")
                }
            } else if unsafe Int(buffer.mDataByteSize) < frames * client.bytesPerFrame {
                throw UnitError(
                    .parameter, "cannot render: buffer \(index) is too small for \(frames) frames")
            }
        }
    }

    private func start(ofBuffer index: Int) -> UnsafeMutableRawPointer {
        unsafe memory + index * capacityFrames * client.bytesPerFrame
    }

    private func writeSilence(to start: UnsafeMutableRawPointer, bytes: Int) {
        let format = client.format
        guard !format.isFloat, !format.isSignedInteger else {
            unsafe _ = memset(start, 0, bytes)
            return
        }
        // Silence of unsigned samples is their highest bit, which may have unused bits above.
        let size = max(1, Int(format.sampleContainerBytes ?? 1))
        let isHigh = format.isPacked || format.isAlignedHigh
        let highBit = (isHigh ? size * 8 : Int(format.mBitsPerChannel)) - 1
        let byte = UInt8(1) << (highBit % 8)
        unsafe _ = memset(start, size == 1 ? Int32(byte) : 0, bytes)
        if size > 1 {
            let first = format.isBigEndian ? size - 1 - highBit / 8 : highBit / 8
            for offset in stride(from: first, to: bytes, by: size) {
                unsafe start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            }
        }
    }

    private func multiply(_ samples: UnsafeMutableRawPointer, frames: Int, by factor: Float) {
        let count = frames * Int(client.format.mChannelsPerFrame)
        let floats = unsafe samples.assumingMemoryBound(to: Float.self)
        for index in 0..<count { unsafe floats[index] *= factor }
    }
}
