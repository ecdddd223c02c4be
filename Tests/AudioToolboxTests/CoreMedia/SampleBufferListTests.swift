// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Testing

/// Sample buffers as lists of buffers.
@Suite("Lists of sample buffers") struct SampleBufferListTests {
    private let numbers = Array<UInt8>(0..<16)

    /// The list over a buffer's data, with the block buffer that owns it.
    private func list(
        _ buffer: CMSampleBuffer, size: Int = 40, flags: UInt32 = 0
    ) -> (OSStatus, [[UInt8]], CMBlockBuffer?) {
        var owner: CMBlockBuffer?
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 2)
        defer { unsafe list.unsafeMutablePointer.deallocate() }
        let status = unsafe CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
            buffer, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer,
            bufferListSize: size,
            blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: flags, blockBufferOut: &owner)
        guard status == noErr else { return (status, [], owner) }
        let bytes = unsafe list.map { buffer in
            unsafe Array(UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize)))
        }
        return (status, bytes, owner)
    }

    @Test("are over the data itself if it is contiguous") func interleaved() throws {
        let buffer = try #require(SampleBufferArguments.pcm(numbers, channels: 2))
        let (status, bytes, owner) = list(buffer, size: 24)
        #expect(status == noErr && bytes == [numbers])
        #expect(owner === CMSampleBufferGetDataBuffer(buffer))
    }

    @Test("have a buffer for each channel if PCM is not interleaved") func planar() throws {
        let buffer = try #require(SampleBufferArguments.pcm(numbers, channels: 2, isInterleaved: false))
        let (status, bytes, owner) = list(buffer)
        #expect(status == noErr && bytes == [Array(0..<8), Array(8..<16)])
        #expect(owner === CMSampleBufferGetDataBuffer(buffer))
        // The second channel begins at a multiple of 8, so it is copied if more is demanded.
        let (_, aligned, copy) = list(
            buffer, flags: UInt32(kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment))
        #expect(aligned == bytes && copy != nil && copy !== owner)
    }

    @Test("are over a copy if the data is in several blocks") func severalBlocks() throws {
        let buffer = try #require(SampleBufferArguments.pcm(numbers, channels: 2, blocks: [3, 13]))
        let (status, bytes, owner) = list(buffer)
        #expect(status == noErr && bytes == [numbers])
        #expect(owner != nil && owner !== CMSampleBufferGetDataBuffer(buffer))
    }

    @Test("return the size that they need, without a list") func sizeQuery() throws {
        for (isInterleaved, size) in [(true, 24), (false, 40)] {
            let buffer = try #require(
                SampleBufferArguments.pcm(numbers, channels: 2, isInterleaved: isInterleaved))
            var needed = 0
            unsafe expectEqual(
                CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                    buffer, bufferListSizeNeededOut: &needed, bufferListOut: nil, bufferListSize: 0,
                    blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil),
                noErr)
            expectEqual(needed, size)
            expectEqual(list(buffer, size: size - 1).0, kCMSampleBufferError_ArrayTooSmall)
            expectEqual(list(buffer, size: size).0, noErr)
        }
    }

    @Test("of packets are one buffer") func packets() throws {
        let buffer = try #require(
            SampleBufferArguments(
                data: CMBlockBuffer.make(numbers), format: CMFormatDescription.make(.aac), sampleCount: 2,
                sizes: [7, 9]
            ).create().1)
        expectEqual(list(buffer).1, [numbers])
    }

    @Test("need data, ready and with all samples, in a format with channels") func errors() throws {
        let format = CMFormatDescription.make(.pcm(channels: 2))
        func status(_ arguments: SampleBufferArguments) throws -> OSStatus {
            list(try #require(arguments.create().1)).0
        }
        let data = CMBlockBuffer.make(numbers)
        try expectEqual(
            status(SampleBufferArguments(data: data, format: format, sampleCount: 5)),
            kCMSampleBufferError_InvalidSampleData)
        try expectEqual(
            status(SampleBufferArguments(data: data, format: format, sampleCount: .max)),
            kCMSampleBufferError_InvalidSampleData)
        try expectEqual(
            status(SampleBufferArguments(data: data, isReady: false, format: format)),
            kCMSampleBufferError_BufferNotReady)
        try expectEqual(status(SampleBufferArguments(format: format)), kCMSampleBufferError_BufferNotReady)
        try expectEqual(
            status(SampleBufferArguments(data: data)), kCMSampleBufferError_InvalidMediaTypeForOperation)
        try expectEqual(
            status(SampleBufferArguments(data: data, format: CMFormatDescription.make(.pcm(channels: 0)))),
            kCMSampleBufferError_InvalidMediaFormat)
        // 2^32 - 1 channels need a list of 64 GiB.
        let huge = CMFormatDescription.make(.pcm(channels: .max, isInterleaved: false))
        try expectEqual(
            status(SampleBufferArguments(data: data, format: huge)), kCMSampleBufferError_ArrayTooSmall)
    }

    @Test("become the data, channel after channel") func setFromList() throws {
        for isInterleaved in [true, false] {
            let arguments = SampleBufferArguments(
                isReady: false,
                format: CMFormatDescription.make(.pcm(channels: 2, isInterleaved: isInterleaved)))
            let buffer = try #require(arguments.create().1)
            let memory = ListMemory(isInterleaved ? [numbers] : [Array(0..<8), Array(8..<16)])
            func set() -> OSStatus {
                unsafe CMSampleBufferSetDataBufferFromAudioBufferList(
                    buffer, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil,
                    flags: UInt32(kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment),
                    bufferList: UnsafePointer(memory.list.unsafeMutablePointer))
            }
            #expect(set() == noErr && CMSampleBufferDataIsReady(buffer))
            expectEqual(CMSampleBufferGetDataBuffer(buffer)?.bytes, numbers)
            expectEqual(CMSampleBufferGetTotalSampleSize(buffer), 16)
            expectEqual(list(buffer).1, memory.bytes)
            expectEqual(set(), kCMSampleBufferError_AlreadyHasDataBuffer)
        }
    }

    @Test("that lack buffers, memory or frames do not become the data") func badLists() throws {
        func status(_ sizes: [Int], isInterleaved: Bool, format: Bool = true) throws -> OSStatus {
            let description = CMFormatDescription.make(.pcm(channels: 2, isInterleaved: isInterleaved))
            let arguments = SampleBufferArguments(isReady: false, format: format ? description : nil)
            let buffer = try #require(arguments.create().1)
            let memory = ListMemory(sizes)
            return unsafe CMSampleBufferSetDataBufferFromAudioBufferList(
                buffer, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0,
                bufferList: UnsafePointer(memory.list.unsafeMutablePointer))
        }
        try expectEqual(status([16, 16], isInterleaved: true), kCMSampleBufferError_InvalidMediaFormat)
        try expectEqual(status([16], isInterleaved: false), kCMSampleBufferError_InvalidMediaFormat)
        try expectEqual(status([15], isInterleaved: true), kCMSampleBufferError_InvalidSampleData)
        try expectEqual(status([8, 0], isInterleaved: false), kCMSampleBufferError_InvalidSampleData)
        try expectEqual(
            status([16], isInterleaved: true, format: false),
            kCMSampleBufferError_InvalidMediaTypeForOperation)
    }

    /// Copies frames into buffers of these sizes.
    private func copy(
        _ buffer: CMSampleBuffer, _ first: Int32, _ count: Int32, into sizes: [Int]
    ) -> (OSStatus, [[UInt8]]) {
        let memory = ListMemory(sizes)
        let status = unsafe CMSampleBufferCopyPCMDataIntoAudioBufferList(
            buffer, at: first, frameCount: count, into: memory.list.unsafeMutablePointer)
        return (status, status == noErr ? memory.bytes : [])
    }

    @Test("receive frames, interleaved or not, from any blocks") func copyFrames() throws {
        let interleaved = try #require(SampleBufferArguments.pcm(numbers, channels: 2, blocks: [5, 11]))
        expectEqual(copy(interleaved, 1, 2, into: [12]).1, [Array(4..<12)])
        let planar = try #require(
            SampleBufferArguments.pcm(numbers, channels: 2, isInterleaved: false, blocks: [5, 11]))
        expectEqual(copy(planar, 1, 2, into: [4, 4]).1, [Array(2..<6), Array(10..<14)])
        expectEqual(copy(planar, 4, 0, into: [4, 4]).1, [[], []])
    }

    @Test("receive nothing from frames that do not exist, or without space") func copyErrors() throws {
        let buffer = try #require(SampleBufferArguments.pcm(numbers, channels: 2))
        for (first, count) in [(-1, 1), (0, -1), (4, 1), (0, 5), (.max, .max)] as [(Int32, Int32)] {
            expectEqual(copy(buffer, first, count, into: [16]).0, kCMSampleBufferError_SampleIndexOutOfRange)
        }
        expectEqual(copy(buffer, 0, 4, into: [15]).0, kCMSampleBufferError_ArrayTooSmall)
        expectEqual(copy(buffer, 0, 0, into: [0]).0, kCMSampleBufferError_RequiredParameterMissing)
        expectEqual(copy(buffer, 0, 4, into: [8, 8]).0, kCMSampleBufferError_InvalidMediaFormat)
        let packets = try #require(
            SampleBufferArguments(
                data: CMBlockBuffer.make(numbers), format: CMFormatDescription.make(.aac), sampleCount: 1,
                sizes: [16]
            ).create().1)
        expectEqual(copy(packets, 0, 1, into: [16]).0, kCMSampleBufferError_InvalidMediaFormat)
    }
}
