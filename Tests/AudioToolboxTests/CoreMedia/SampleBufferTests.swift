// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Testing

@Suite("Sample buffers") struct SampleBufferTests {
    @Test("of PCM have times for all frames from one entry") func frames() throws {
        let buffer = try #require(SampleBufferArguments.pcm([UInt8](0..<16), channels: 2))
        #expect(CMSampleBufferGetNumSamples(buffer) == 4 && CMSampleBufferIsValid(buffer))
        expectEqual(TimeFields(CMSampleBufferGetDuration(buffer)), TimeFields(.fields(4, 48_000)))
        expectEqual(
            TimeFields(CMSampleBufferGetPresentationTimeStamp(buffer)), TimeFields(.fields(96_000, 48_000)))
        #expect(!CMSampleBufferGetDecodeTimeStamp(buffer).isValid)
        var timing = CMSampleTimingInfo.invalid
        unsafe expectEqual(CMSampleBufferGetSampleTimingInfo(buffer, at: 3, timingInfoOut: &timing), noErr)
        expectEqual(TimeFields(timing.presentationTimeStamp), TimeFields(.fields(96_003, 48_000)))
        #expect(
            TimeFields(timing.duration) == TimeFields(.fields(1, 48_000)) && !timing.decodeTimeStamp.isValid)
        for index in [-1, 4, .max] {
            unsafe expectEqual(
                CMSampleBufferGetSampleTimingInfo(buffer, at: index, timingInfoOut: &timing),
                kCMSampleBufferError_SampleIndexOutOfRange)
        }
    }

    @Test("return their own objects") func identity() throws {
        let data = try #require(CMBlockBuffer.make([1, 2]))
        let format = try #require(CMFormatDescription.make(.pcm(channels: 1)))
        let buffer = try #require(
            SampleBufferArguments(data: data, format: format, sampleCount: 1).create().1)
        #expect(CMSampleBufferGetDataBuffer(buffer) === data)
        #expect(CMSampleBufferGetFormatDescription(buffer) === format)
        var empty = SampleBufferArguments(sampleCount: 0)
        empty.timings = []
        let nothing = try #require(empty.create().1)
        #expect(
            CMSampleBufferGetDataBuffer(nothing) == nil && CMSampleBufferGetFormatDescription(nothing) == nil)
        #expect(!CMSampleBufferGetDuration(nothing).isValid)
        #expect(!CMSampleBufferGetPresentationTimeStamp(nothing).isValid)
        var timing = CMSampleTimingInfo.invalid
        unsafe expectEqual(
            CMSampleBufferGetSampleTimingInfo(nothing, at: 0, timingInfoOut: &timing),
            kCMSampleBufferError_BufferHasNoSampleTimingInfo)
    }

    @Test("have sizes: none, one for all, or one for each") func sizes() throws {
        func total(_ sizes: [Int], _ count: Int) throws -> Int {
            let buffer = try #require(SampleBufferArguments(sampleCount: count, sizes: sizes).create().1)
            return CMSampleBufferGetTotalSampleSize(buffer)
        }
        #expect(try total([], 3) == 0 && total([4], 3) == 12 && total([1, 2, 3], 3) == 6)
        #expect(try total([.max], 3) == 0 && total([.max, .max], 2) == 0)
        let buffer = try #require(SampleBufferArguments(sampleCount: 3, sizes: [1, 2, 3]).create().1)
        let sizes = [-1, 0, 1, 2, 3].map { CMSampleBufferGetSampleSize(buffer, at: $0) }
        expectEqual(sizes, [0, 1, 2, 3, 0])
    }

    @Test("of billions of samples need one entry") func manySamples() throws {
        let count = 1 << 31
        let buffer = try #require(SampleBufferArguments(sampleCount: count, sizes: [4]).create().1)
        #expect(CMSampleBufferGetTotalSampleSize(buffer) == 4 << 31)
        expectEqual(CMSampleBufferGetDuration(buffer).value, Int64(count))
        expectEqual(CMSampleBufferGetSampleSize(buffer, at: count - 1), 4)
        let most = try #require(SampleBufferArguments(sampleCount: .max, sizes: [4]).create().1)
        expectEqual(CMSampleBufferGetTotalSampleSize(most), 0)
        expectEqual(CMSampleBufferGetDuration(most).value, .max)
    }

    @Test("refuse other counts of entries") func counts() {
        let invalid = kCMSampleBufferError_InvalidEntryCount
        let missing = kCMSampleBufferError_RequiredParameterMissing
        let arguments = SampleBufferArguments(sampleCount: 3, sizes: [1, 2])
        expectEqual(arguments.create().0, invalid)
        expectEqual(arguments.create(sizeCount: -1).0, invalid)
        expectEqual(arguments.create(timingCount: 2, sizeCount: 0).0, invalid)
        expectEqual(SampleBufferArguments(sampleCount: -1).create().0, invalid)
        expectEqual(
            SampleBufferArguments(sampleCount: 1, sizes: [-4]).create().0,
            kCMSampleBufferError_InvalidSampleData)
        var buffer: CMSampleBuffer?
        for (timings, sizes) in [(1, 0), (0, 1)] {
            unsafe expectEqual(
                CMSampleBufferCreateReady(
                    allocator: nil, dataBuffer: nil, formatDescription: nil, sampleCount: 1,
                    sampleTimingEntryCount: timings, sampleTimingArray: nil, sampleSizeEntryCount: sizes,
                    sampleSizeArray: nil, sampleBufferOut: &buffer), missing)
        }
        let many = 1 << 31
        expectEqual(
            SampleBufferArguments(sampleCount: many, sizes: [1]).create(sizeCount: many).0,
            kCMSampleBufferError_AllocationFailed)
    }

    @Test("may have a time for each sample, in any order") func timings() throws {
        var arguments = SampleBufferArguments(sampleCount: 2)
        arguments.timings = [(5, 1), (3, 2)].map { start, duration in
            CMSampleTimingInfo(
                duration: .fields(duration, 10), presentationTimeStamp: .fields(start, 10),
                decodeTimeStamp: .fields(start - 1, 10))
        }
        let buffer = try #require(arguments.create().1)
        expectEqual(TimeFields(CMSampleBufferGetDuration(buffer)), TimeFields(.fields(3, 10)))
        expectEqual(TimeFields(CMSampleBufferGetPresentationTimeStamp(buffer)), TimeFields(.fields(3, 10)))
        expectEqual(TimeFields(CMSampleBufferGetDecodeTimeStamp(buffer)), TimeFields(.fields(4, 10)))
    }

    @Test("get their data later, once") func lateData() throws {
        let data = try #require(CMBlockBuffer.make([1, 2]))
        let buffer = try #require(SampleBufferArguments(isReady: false, sampleCount: 1).create().1)
        #expect(!CMSampleBufferDataIsReady(buffer))
        expectEqual(CMSampleBufferMakeDataReady(buffer), kCMSampleBufferError_BufferNotReady)
        expectEqual(CMSampleBufferSetDataBuffer(buffer, newValue: data), noErr)
        expectEqual(
            CMSampleBufferSetDataBuffer(buffer, newValue: data), kCMSampleBufferError_AlreadyHasDataBuffer)
        #expect(!CMSampleBufferDataIsReady(buffer))
        #expect(CMSampleBufferSetDataReady(buffer) == noErr && CMSampleBufferDataIsReady(buffer))
        expectEqual(CMSampleBufferMakeDataReady(buffer), noErr)
    }

    @Test("call the client for their data, and return its result") func provider() throws {
        final class Provider {
            var calls = 0
            var result: OSStatus = -1
        }
        let provider = Provider()
        var made: CMSampleBuffer?
        unsafe expectEqual(
            CMSampleBufferCreate(
                allocator: nil, dataBuffer: nil, dataReady: false,
                makeDataReadyCallback: { buffer, provider in
                    guard let provider = unsafe provider else { return 1 }
                    let client = unsafe Unmanaged<Provider>.fromOpaque(provider).takeUnretainedValue()
                    client.calls += 1
                    if client.result == noErr, let data = CMBlockBuffer.make([7]) {
                        return CMSampleBufferSetDataBuffer(buffer, newValue: data)
                    }
                    return client.result
                },
                refcon: Unmanaged.passUnretained(provider).toOpaque(), formatDescription: nil, sampleCount: 1,
                sampleTimingEntryCount: 0, sampleTimingArray: nil, sampleSizeEntryCount: 0,
                sampleSizeArray: nil,
                sampleBufferOut: &made), noErr)
        let buffer = try #require(made)
        #expect(CMSampleBufferMakeDataReady(buffer) == -1 && !CMSampleBufferDataIsReady(buffer))
        provider.result = noErr
        #expect(CMSampleBufferMakeDataReady(buffer) == noErr && CMSampleBufferDataIsReady(buffer))
        #expect(CMSampleBufferMakeDataReady(buffer) == noErr && provider.calls == 2)
        expectEqual(CMSampleBufferGetDataBuffer(buffer)?.bytes, [7])
    }

    @Test("can be invalidated") func invalidation() throws {
        let buffer = try #require(SampleBufferArguments.pcm([1, 2], channels: 1))
        let invalidated = kCMSampleBufferError_Invalidated
        #expect(CMSampleBufferInvalidate(buffer) == noErr && CMSampleBufferInvalidate(buffer) == invalidated)
        #expect(!CMSampleBufferIsValid(buffer) && !CMSampleBufferDataIsReady(buffer))
        #expect(
            CMSampleBufferGetDataBuffer(buffer) == nil && CMSampleBufferSetDataReady(buffer) == invalidated)
    }

    private static let packets: [AudioStreamPacketDescription] = [
        AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 3),
        AudioStreamPacketDescription(mStartOffset: 3, mVariableFramesInPacket: 0, mDataByteSize: 5),
    ]

    private func makePackets(
        _ format: AudioStreamBasicDescription?, count: Int = 2, data: Int = 8,
        packets: [AudioStreamPacketDescription]? = SampleBufferTests.packets
    ) -> (OSStatus, CMSampleBuffer?) {
        var buffer: CMSampleBuffer?
        let bytes = [UInt8](repeating: 1, count: data)
        guard let data = CMBlockBuffer.make(bytes), let format,
            let description = CMFormatDescription.make(format)
        else { return (0, nil) }
        let status =
            unsafe packets.map { packets in
                unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
                    allocator: nil, dataBuffer: data, formatDescription: description, sampleCount: count,
                    presentationTimeStamp: .fields(10, 1), packetDescriptions: packets,
                    sampleBufferOut: &buffer)
            }
            ?? CMAudioSampleBufferCreateWithPacketDescriptions(
                allocator: nil, dataBuffer: data, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
                formatDescription: description, sampleCount: count, presentationTimeStamp: .fields(10, 1),
                packetDescriptions: nil, sampleBufferOut: &buffer)
        return (status, buffer)
    }

    @Test("of packets have sizes, times and descriptions") func packetsOfAAC() throws {
        let (status, made) = makePackets(.aac)
        expectEqual(status, noErr)
        let buffer = try #require(made)
        #expect(
            CMSampleBufferGetTotalSampleSize(buffer) == 8 && CMSampleBufferGetSampleSize(buffer, at: 1) == 5)
        expectEqual(TimeFields(CMSampleBufferGetDuration(buffer)), TimeFields(.fields(2048, 48_000)))
        var timing = CMSampleTimingInfo.invalid
        unsafe expectEqual(CMSampleBufferGetSampleTimingInfo(buffer, at: 1, timingInfoOut: &timing), noErr)
        expectEqual(timing.presentationTimeStamp, .fields(481_024, 48_000))

        var needed = 0
        unsafe expectEqual(
            CMSampleBufferGetAudioStreamPacketDescriptions(
                buffer, packetDescriptionsSize: 0, packetDescriptionsOut: nil,
                packetDescriptionsSizeNeededOut: &needed), noErr)
        expectEqual(needed, 32)
        var packets = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 2)
        unsafe expectEqual(
            CMSampleBufferGetAudioStreamPacketDescriptions(
                buffer, packetDescriptionsSize: 31, packetDescriptionsOut: &packets,
                packetDescriptionsSizeNeededOut: nil), kCMSampleBufferError_ArrayTooSmall)
        unsafe expectEqual(
            CMSampleBufferGetAudioStreamPacketDescriptions(
                buffer, packetDescriptionsSize: 32, packetDescriptionsOut: &packets,
                packetDescriptionsSizeNeededOut: nil), noErr)
        #expect(packets[1].mStartOffset == 3 && packets[1].mDataByteSize == 5)
    }

    @Test("of packets with different numbers of frames have a time for each") func variableFrames() throws {
        var format = AudioStreamBasicDescription.aac
        (format.mFormatID, format.mFramesPerPacket, format.mSampleRate) = (kAudioFormatOpus, 0, 0.5)
        var packets = Self.packets
        (packets[0].mVariableFramesInPacket, packets[1].mVariableFramesInPacket) = (1, 2)
        let buffer = try #require(makePackets(format, packets: packets).1)
        expectEqual(CMSampleBufferGetDuration(buffer).seconds, 6)
        var timing = CMSampleTimingInfo.invalid
        unsafe expectEqual(CMSampleBufferGetSampleTimingInfo(buffer, at: 1, timingInfoOut: &timing), noErr)
        #expect(timing.presentationTimeStamp.seconds == 12 && timing.duration.seconds == 4)
    }

    @Test("of PCM need no packets") func framesWithoutPackets() throws {
        let buffer = try #require(makePackets(.pcm(channels: 2), packets: nil).1)
        #expect(
            CMSampleBufferGetTotalSampleSize(buffer) == 8 && CMSampleBufferGetSampleSize(buffer, at: 0) == 4)
        expectEqual(TimeFields(CMSampleBufferGetDuration(buffer)), TimeFields(.fields(2, 48_000)))
    }

    @Test("of packets refuse packets outside of the data, and formats without sizes or rate")
    func badPackets() {
        var negative = Self.packets
        negative[0].mStartOffset = -1
        var far = Self.packets
        far[1].mStartOffset = .max
        let invalid = kCMSampleBufferError_InvalidSampleData
        expectEqual(makePackets(.aac, data: 7).0, invalid)
        #expect(
            makePackets(.aac, packets: negative).0 == invalid && makePackets(.aac, packets: far).0 == invalid)
        expectEqual(makePackets(.aac, count: 0).0, kCMSampleBufferError_InvalidEntryCount)
        expectEqual(makePackets(.aac, count: -1).0, kCMSampleBufferError_InvalidEntryCount)
        expectEqual(makePackets(.aac, packets: nil).0, kCMSampleBufferError_InvalidMediaFormat)
        for rate in [0, -1, .nan, .infinity] {
            var format = AudioStreamBasicDescription.aac
            format.mSampleRate = rate
            expectEqual(makePackets(format).0, kCMSampleBufferError_InvalidMediaFormat)
        }
        var huge = AudioStreamBasicDescription.pcm(channels: .max, isInterleaved: false)
        huge.mBytesPerFrame = .max
        expectEqual(makePackets(huge, packets: nil).0, kCMSampleBufferError_InvalidMediaFormat)
    }
}
