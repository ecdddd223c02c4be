// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AudioToolbox
import Foundation
import Testing

@Suite("Buffers of AVFAudio") struct AVAudioBufferTests {
    private func format(
        _ kind: AVAudioCommonFormat, _ channels: AVAudioChannelCount, isInterleaved: Bool = false
    ) throws -> AVAudioFormat {
        try #require(
            AVAudioFormat(
                commonFormat: kind, sampleRate: 48_000, channels: channels, interleaved: isInterleaved))
    }

    @Test("a new buffer is silent and empty, and its length sets the sizes") func length() throws {
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat32, 2), frameCapacity: 100))
        #expect((buffer.frameLength, buffer.frameCapacity, buffer.stride) == (0, 100, 1))
        unsafe expectEqual(buffer.audioBufferList.pointee.mNumberBuffers, 2)
        unsafe expectEqual(buffer.audioBufferList.pointee.mBuffers.mDataByteSize, 0)
        unsafe expectEqual(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize, 400)
        buffer.frameLength = 50
        unsafe expectEqual(buffer.audioBufferList.pointee.mBuffers.mDataByteSize, 200)
        unsafe buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize = 8
        unsafe expectEqual(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize, 400)
        buffer.frameLength = 101
        expectEqual(buffer.frameLength, 100)
        let channels = unsafe try #require(unsafe buffer.floatChannelData)
        let isSilent = (0..<100).allSatisfy { unsafe channels[0][$0] == 0 && channels[1][$0] == 0 }
        #expect(isSilent)
        #expect(unsafe buffer.int16ChannelData == nil && buffer.int32ChannelData == nil)
    }

    @Test("channels of an interleaved buffer are a sample apart") func interleaved() throws {
        let buffer = try #require(
            AVAudioPCMBuffer(
                pcmFormat: format(.pcmFormatInt16, 2, isInterleaved: true), frameCapacity: 4))
        buffer.frameLength = 4
        let channels = unsafe try #require(unsafe buffer.int16ChannelData)
        expectEqual(buffer.stride, 2)
        unsafe expectEqual(channels[1], channels[0] + 1)
        for frame in 0..<4 {
            unsafe channels[0][frame * buffer.stride] = Int16(frame)
            unsafe channels[1][frame * buffer.stride] = Int16(-frame)
        }
        let bytes = unsafe UnsafeBufferPointer<Int16>(buffer.audioBufferList.pointee.mBuffers)
        unsafe expectEqual(Array(bytes), [0, 0, 1, -1, 2, -2, 3, -3])
        unsafe expectEqual(buffer.floatChannelData, nil)
    }

    @Test("a copy is independent") func copy() throws {
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format(.pcmFormatInt32, 1), frameCapacity: 8))
        buffer.frameLength = 3
        for frame in 0..<3 { unsafe buffer.int32ChannelData?[0][frame] = Int32(frame + 1) }
        let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
        unsafe buffer.int32ChannelData?[0][0] = 99
        #expect((copy.frameLength, copy.frameCapacity) == (3, 8) && copy.format == buffer.format)
        let copied = (0..<3).map { unsafe copy.int32ChannelData?[0][$0] }
        expectEqual(copied, [1, 2, 3])
        #expect(buffer.mutableCopy() is AVAudioPCMBuffer)
    }

    @Test("no buffer is made for an encoded format, for too many frames, or without channels") func refused()
        throws
    {
        var aac = AudioStreamBasicDescription()
        (aac.mFormatID, aac.mSampleRate, aac.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 44_100, 2)
        let encoded = try #require(unsafe AVAudioFormat(streamDescription: &aac))
        expectEqual(AVAudioPCMBuffer(pcmFormat: encoded, frameCapacity: 10), nil)
        try expectEqual(
            AVAudioPCMBuffer(
                pcmFormat: format(.pcmFormatFloat64, 2, isInterleaved: true), frameCapacity: .max), nil)
        let none = try #require(AVAudioFormat(standardFormatWithSampleRate: 0, channels: 0))
        expectEqual(AVAudioPCMBuffer(pcmFormat: none, frameCapacity: 10), nil)
        // Memory that is not used takes none.
        #expect(
            try AVAudioPCMBuffer(pcmFormat: format(.pcmFormatInt16, 1), frameCapacity: 1 << 30)?.frameCapacity
                == 1 << 30)
    }

    @Test("a client's memory is used, and given back at the end") func noCopy() throws {
        final class Counter { var calls = 0 }
        let counter = Counter()
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 16)
        defer { unsafe samples.deallocate() }
        unsafe samples.initialize(repeating: 0.5, count: 16)
        var list = unsafe AudioBufferList(
            mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 64, mData: samples))
        let mono = try format(.pcmFormatFloat32, 1)
        do {
            let buffer = try #require(
                unsafe AVAudioPCMBuffer(pcmFormat: mono, bufferListNoCopy: &list) { given in
                    counter.calls += unsafe given.pointee.mBuffers.mDataByteSize == 64 ? 1 : 100
                })
            expectEqual(buffer.frameLength, 16)
            unsafe expectEqual(buffer.floatChannelData?[0], samples)
            buffer.frameLength = 2
        }
        expectEqual(counter.calls, 1)
        try unsafe expectEqual(
            AVAudioPCMBuffer(pcmFormat: format(.pcmFormatFloat32, 2), bufferListNoCopy: &list), nil)
        unsafe list.mBuffers.mData = nil
        unsafe expectEqual(AVAudioPCMBuffer(pcmFormat: mono, bufferListNoCopy: &list), nil)
        unsafe list.mBuffers.mDataByteSize = 0
        unsafe expectEqual(AVAudioPCMBuffer(pcmFormat: mono, bufferListNoCopy: &list), nil)
    }

    @Test("packets have descriptions unless their size is constant") func compressed() throws {
        var aac = AudioStreamBasicDescription()
        (aac.mFormatID, aac.mSampleRate, aac.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 44_100, 2)
        let format = try #require(unsafe AVAudioFormat(streamDescription: &aac))
        let buffer = AVAudioCompressedBuffer(format: format, packetCapacity: 8, maximumPacketSize: 1536)
        #expect((buffer.packetCapacity, buffer.maximumPacketSize, buffer.byteCapacity) == (8, 1536, 12_288))
        #expect((buffer.packetCount, buffer.byteLength) == (0, 0))
        #expect(unsafe buffer.packetDescriptions != nil)
        buffer.byteLength = 20_000
        expectEqual(buffer.byteLength, 12_288)
        var ulaw = AudioStreamBasicDescription()
        (ulaw.mFormatID, ulaw.mSampleRate, ulaw.mChannelsPerFrame) = (kAudioFormatULaw, 8000, 1)
        (ulaw.mBytesPerPacket, ulaw.mFramesPerPacket, ulaw.mBytesPerFrame) = (1, 1, 1)
        let constant = AVAudioCompressedBuffer(
            format: try #require(unsafe AVAudioFormat(streamDescription: &ulaw)), packetCapacity: 160)
        #expect(
            unsafe constant.packetDescriptions == nil
                && constant.data == constant.mutableAudioBufferList.pointee.mBuffers.mData)
    }

    @Test("packets for which there is no memory have no room") func tooManyPackets() throws {
        var aac = AudioStreamBasicDescription()
        (aac.mFormatID, aac.mSampleRate, aac.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 44_100, 2)
        let format = try #require(unsafe AVAudioFormat(streamDescription: &aac))
        let buffer = AVAudioCompressedBuffer(
            format: format, packetCapacity: .max, maximumPacketSize: .max)
        #expect((buffer.packetCapacity, buffer.byteCapacity) == (0, 0))
    }
}
