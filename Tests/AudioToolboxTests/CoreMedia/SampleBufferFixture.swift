// SPDX-License-Identifier: MIT

import CoreMedia
import Testing

extension AudioStreamBasicDescription {
    /// 16-bit PCM at 48 kHz.
    static func pcm(channels: UInt32, isInterleaved: Bool = true) -> AudioStreamBasicDescription {
        let frameBytes = isInterleaved ? 2 * channels : 2
        return AudioStreamBasicDescription(
            mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
                | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved),
            mBytesPerPacket: frameBytes, mFramesPerPacket: 1, mBytesPerFrame: frameBytes,
            mChannelsPerFrame: channels, mBitsPerChannel: 16, mReserved: 0)
    }

    /// AAC at 48 kHz.
    static var aac: AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: 48_000, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
            mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)
    }
}

extension CMFormatDescription {
    static func make(_ format: AudioStreamBasicDescription) -> CMFormatDescription? {
        var format = format
        var description: CMFormatDescription?
        _ = unsafe CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: &format, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &description)
        return description
    }
}

/// The arguments of `CMSampleBufferCreate`, with those of most tests as defaults.
struct SampleBufferArguments {
    var data: CMBlockBuffer?
    var isReady = true
    var format: CMFormatDescription?
    var sampleCount = 4
    var timings = [
        CMSampleTimingInfo(
            duration: .fields(1, 48_000), presentationTimeStamp: .fields(96_000, 48_000),
            decodeTimeStamp: .invalid)
    ]
    var sizes: [Int] = []

    func create(timingCount: Int? = nil, sizeCount: Int? = nil) -> (OSStatus, CMSampleBuffer?) {
        var buffer: CMSampleBuffer?
        let status = unsafe CMSampleBufferCreate(
            allocator: kCFAllocatorDefault, dataBuffer: data, dataReady: isReady, makeDataReadyCallback: nil,
            refcon: nil, formatDescription: format, sampleCount: sampleCount,
            sampleTimingEntryCount: timingCount ?? timings.count, sampleTimingArray: timings,
            sampleSizeEntryCount: sizeCount ?? sizes.count, sampleSizeArray: sizes, sampleBufferOut: &buffer)
        return (status, buffer)
    }

    /// A buffer of 16-bit PCM with these bytes.
    static func pcm(
        _ bytes: [UInt8], channels: UInt32, isInterleaved: Bool = true, blocks: [Int]? = nil
    ) -> CMSampleBuffer? {
        SampleBufferArguments(
            data: CMBlockBuffer.make(bytes, blocks: blocks),
            format: CMFormatDescription.make(.pcm(channels: channels, isInterleaved: isInterleaved)),
            sampleCount: bytes.count / Int(2 * channels)
        ).create().1
    }
}

/// A list of buffers with memory for a test, which is freed with it.
@safe final class ListMemory {
    let list: UnsafeMutableAudioBufferListPointer

    /// Makes buffers of these sizes, without memory for 0 bytes.
    init(_ sizes: [Int], channels: UInt32 = 1) {
        unsafe list = AudioBufferList.allocate(maximumBuffers: sizes.count)
        for (index, size) in sizes.enumerated() {
            let memory: UnsafeMutableRawPointer? =
                size == 0 ? nil : .allocate(byteCount: size, alignment: 16)
            unsafe memory?.initializeMemory(as: UInt8.self, repeating: 0xEE, count: size)
            unsafe list[index] = AudioBuffer(
                mNumberChannels: channels, mDataByteSize: UInt32(size), mData: memory)
        }
    }

    convenience init(_ buffers: [[UInt8]], channels: UInt32 = 1) {
        self.init(buffers.map(\.count), channels: channels)
        for (index, bytes) in buffers.enumerated() {
            unsafe list[index].mData?.copyMemory(from: bytes, byteCount: bytes.count)
        }
    }

    deinit {
        for index in unsafe list.indices { unsafe list[index].mData?.deallocate() }
        unsafe list.unsafeMutablePointer.deallocate()
    }

    /// The bytes of each buffer, by its size.
    var bytes: [[UInt8]] {
        unsafe list.map { buffer in
            unsafe Array(UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize)))
        }
    }
}
