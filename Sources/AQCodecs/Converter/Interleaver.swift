// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A step that interleaves the channels of buffer lists, and separates them again, bit for bit.
@safe final class Interleaver {
    private let converter: LinearPCMConverter
    private let bytesPerFrame: Int
    private var memory = ScratchMemory(byteCount: 0)

    /// - Parameters:
    ///   - input: The format before, with a buffer for each channel or interleaved.
    ///   - output: The format after, with the same samples in the other arrangement.
    init(
        from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription
    ) throws(CodecError) {
        converter = try LinearPCMConverter(from: input, to: output)
        bytesPerFrame = Int((input.isContiguous ? input : output).mBytesPerFrame)
    }

    /// Returns the frames of `list` interleaved, in memory that is valid until the next call.
    @unsafe
    func interleave(
        _ list: UnsafeMutableAudioBufferListPointer, frames: Int
    ) throws(CodecError) -> UnsafeRawBufferPointer {
        let (byteCount, overflow) = frames.multipliedReportingOverflow(by: bytesPerFrame)
        guard !overflow, byteCount <= Int(UInt32.max) else {
            throw CodecError(
                .invalidInputSize, cannot: "convert", converter.inputFormat, "\(frames) frames at once")
        }
        let bytes = unsafe room(byteCount: byteCount)
        var whole = unsafe AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
                mNumberChannels: converter.inputFormat.mChannelsPerFrame, mDataByteSize: UInt32(byteCount),
                mData: bytes.baseAddress))
        try unsafe convert(&whole) { (whole) throws(CodecError) in
            try unsafe converter.convert(frames: frames, from: list, into: whole)
        }
        return UnsafeRawBufferPointer(bytes)
    }

    /// Returns room for `byteCount` bytes, valid until the next call.
    @unsafe
    func room(byteCount: Int) -> UnsafeMutableRawBufferPointer {
        if memory.byteCount < byteCount { memory = ScratchMemory(byteCount: byteCount) }
        return unsafe UnsafeMutableRawBufferPointer(start: memory.start, count: byteCount)
    }

    /// Separates the first `frames` frames of ``room(byteCount:)`` into the buffers of `list`.
    @unsafe
    func deinterleave(
        frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(CodecError) {
        var whole = unsafe AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
                mNumberChannels: converter.inputFormat.mChannelsPerFrame,
                mDataByteSize: UInt32(clamping: frames * bytesPerFrame), mData: memory.start))
        try unsafe convert(&whole) { (whole) throws(CodecError) in
            try unsafe converter.convert(frames: frames, from: whole, into: list)
        }
    }

    private func convert(
        _ list: inout AudioBufferList,
        _ body: (UnsafeMutableAudioBufferListPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        var failure: CodecError?
        unsafe withUnsafeMutablePointer(to: &list) { list in
            do throws(CodecError) {
                try unsafe body(UnsafeMutableAudioBufferListPointer(list))
            } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
