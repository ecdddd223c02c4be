// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Foundation
import Testing

/// The properties of sample buffers in Swift.
@Suite("Properties of sample buffers") struct SampleBufferOverlayTests {
    private let numbers = Array<UInt8>(0..<16)

    @Test("are what the C functions return") func properties() throws {
        let buffer = try #require(SampleBufferArguments.pcm(numbers, channels: 2))
        let description = try #require(buffer.formatDescription)
        #expect(description === CMSampleBufferGetFormatDescription(buffer))
        let format = try #require(description.audioStreamBasicDescription)
        #expect(format.mChannelsPerFrame == 2 && format.mFormatID == kAudioFormatLinearPCM)
        #expect(buffer.dataBuffer != nil && buffer.dataBuffer === CMSampleBufferGetDataBuffer(buffer))
        expectEqual(buffer.numSamples, 16 / Int(format.mBytesPerFrame))
        expectEqual(buffer.presentationTimeStamp, CMSampleBufferGetPresentationTimeStamp(buffer))
        expectEqual(buffer.duration, CMSampleBufferGetDuration(buffer))
        #expect(buffer.duration.isValid)
    }

    @Test("descriptions have types, and are equal by contents; blocks have their bytes") func contents()
        throws
    {
        let (first, second) = try (
            #require(SampleBufferArguments.pcm(numbers, channels: 2)),
            #require(SampleBufferArguments.pcm(numbers, channels: 2))
        )
        let description = try #require(first.formatDescription)
        let equal = try #require(second.formatDescription)
        let mono = try #require(SampleBufferArguments.pcm(numbers, channels: 1)?.formatDescription)
        #expect(description.mediaType == .audio && description.mediaSubType == .linearPCM)
        #expect(description == equal && description !== equal && description != mono)
        expectEqual(Set([description, equal, mono]).count, 2)
        #expect(first == first && first != second)
        let block = try #require(first.dataBuffer)
        #expect(block.dataLength == 16 && !block.isEmpty && block.isContiguous)
        try expectEqual(block.dataBytes(), Data(numbers))
    }

    @Test("lend the audio as a list, with the block that has its memory", arguments: [true, false])
    func list(isInterleaved: Bool) throws {
        let buffer = try #require(
            SampleBufferArguments.pcm(numbers, channels: 2, isInterleaved: isInterleaved))
        let (bytes, size) = try unsafe buffer.withAudioBufferList { list, block in
            let bytes = unsafe list.map { buffer in
                unsafe Array(UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize)))
            }
            return (bytes, CMBlockBufferGetDataLength(block))
        }
        expectEqual(bytes, (isInterleaved ? [numbers] : [Array(0..<8), Array(8..<16)]))
        expectEqual(size, 16)
    }

    @Test("pass on the errors of the caller's code") func error() throws {
        let buffer = try #require(SampleBufferArguments.pcm(numbers, channels: 2))
        #expect(throws: CancellationError.self) {
            try unsafe buffer.withAudioBufferList { _, _ in throw CancellationError() }
        }
    }

    @Test("throw the function's result for a buffer without data") func noData() throws {
        let arguments = SampleBufferArguments(isReady: false, sampleCount: 0, timings: [])
        let buffer = try #require(arguments.create().1)
        #expect(buffer.formatDescription == nil && buffer.dataBuffer == nil && buffer.numSamples == 0)
        let error = #expect(throws: NSError.self) { try unsafe buffer.withAudioBufferList { _, _ in } }
        #expect(error?.domain == "NSOSStatusErrorDomain" && error?.code != 0)
    }
}
