// SPDX-License-Identifier: MIT

import AQExpectations
import CAQCoreMedia
import CoreFoundation
import CoreMedia
import Dispatch
import Synchronization
import Testing

@testable import AQToolboxFunctions

/// The objects in CoreFoundation's eyes.
@Suite("Media objects") struct MediaObjectTests {
    private func pointer(_ object: AnyObject) -> UnsafeMutableRawPointer {
        unsafe Unmanaged.passUnretained(object).toOpaque()
    }

    @Test("have types of their own") func types() throws {
        let buffer = try #require(CMBlockBuffer.make([1]))
        expectEqual(CFGetTypeID(buffer), CMBlockBufferGetTypeID())
        let types = [CMBlockBufferGetTypeID(), CMFormatDescriptionGetTypeID(), CMSampleBufferGetTypeID()]
        #expect(Set(types).count == 3 && !types.contains(0) && !types.contains(CFStringGetTypeID()))
        #expect(CFEqual(buffer, buffer))
        let other = try #require(CMBlockBuffer.make([1]))
        #expect(!CFEqual(buffer, other))
    }

    @Test("are kept by CoreFoundation's collections, and released with them") func collections() throws {
        let source = BlockSource()
        var functions = unsafe source.functions
        do {
            var buffer: CMBlockBuffer?
            unsafe expectEqual(
                CMBlockBufferCreateWithMemoryBlock(
                    allocator: nil, memoryBlock: nil, blockLength: 8, blockAllocator: nil,
                    customBlockSource: &functions, offsetToData: 0, dataLength: 8,
                    flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &buffer), noErr)
            let array = CFArrayCreateMutable(nil, 0, nil)
            unsafe CFArrayAppendValue(array, pointer(try #require(buffer)))
            let objects = [try #require(buffer) as AnyObject]
            buffer = nil
            #expect(source.freed == 0 && objects.count == 1)
        }
        expectEqual(source.freed, 1)
    }

    @Test("are made and released by several threads at a time") func threads() throws {
        let format = try #require(CMFormatDescription.make(.pcm(channels: 1)))
        let released = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let source = BlockSource()
            for _ in 0..<500 {
                var functions = unsafe source.functions
                var data: CMBlockBuffer?
                _ = unsafe CMBlockBufferCreateWithMemoryBlock(
                    allocator: nil, memoryBlock: nil, blockLength: 8, blockAllocator: nil,
                    customBlockSource: &functions, offsetToData: 0, dataLength: 8,
                    flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &data)
                let buffer = SampleBufferArguments(data: data, format: format).create().1
                data = nil
                guard let buffer, CMSampleBufferGetFormatDescription(buffer) === format else { return }
            }
            released.add(source.freed, ordering: .relaxed)
        }
        expectEqual(released.load(ordering: .relaxed), 4000)
    }

    @Test("of another type, and NULL, are refused by each function") func wrongObjects() throws {
        let buffer = try #require(CMBlockBuffer.make([1, 2]))
        let string = try #require(unsafe CFStringCreateWithCString(nil, "x", 0x0800_0100))
        let wrongObjects = unsafe [nil, pointer(string)]
        for index in unsafe wrongObjects.indices {
            let wrong = unsafe wrongObjects[index]
            var made: UnsafeMutableRawPointer?
            #expect(unsafe cmBlockBufferGetDataLength(wrong) == 0 && cmBlockBufferIsEmpty(wrong))
            unsafe expectEqual(cmBlockBufferAssureBlockMemory(wrong), kCMBlockBufferBadPointerParameterErr)
            unsafe expectEqual(
                cmBlockBufferCreateWithBufferReference(nil, wrong, 0, 0, 0, &made),
                kCMBlockBufferBadPointerParameterErr)
            unsafe expectEqual(
                cmBlockBufferCreateContiguous(nil, wrong, nil, nil, 0, 0, 0, &made),
                kCMBlockBufferBadPointerParameterErr)
            unsafe expectEqual(cmFormatDescriptionGetMediaType(wrong), 0)
            unsafe expectEqual(cmAudioFormatDescriptionGetStreamBasicDescription(wrong), nil)
            unsafe expectEqual(cmAudioFormatDescriptionGetMagicCookie(wrong, nil), nil)
            unsafe expectEqual(cmAudioFormatDescriptionGetChannelLayout(wrong, nil), nil)
            #expect(unsafe !cmFormatDescriptionEqual(wrong, wrong))
            #expect(unsafe cmSampleBufferGetNumSamples(wrong) == 0 && !cmSampleBufferIsValid(wrong))
            #expect(unsafe cmSampleBufferGetDataBuffer(wrong) == nil && !cmSampleBufferDataIsReady(wrong))
            unsafe expectEqual(cmSampleBufferGetDuration(wrong).flags, [])
            for status in unsafe [
                cmSampleBufferSetDataReady(wrong), cmSampleBufferMakeDataReady(wrong),
                cmSampleBufferInvalidate(wrong), cmSampleBufferSetDataBuffer(wrong, pointer(buffer)),
                cmSampleBufferSetDataBufferFromAudioBufferList(wrong, nil, nil, 0, nil),
                cmSampleBufferCopyPCMDataIntoAudioBufferList(wrong, 0, 0, nil),
                cmSampleBufferGetSampleTimingInfo(wrong, 0, nil),
                cmSampleBufferGetAudioStreamPacketDescriptions(wrong, 0, nil, nil),
                cmSampleBufferGetAudioBufferListWithRetainedBlockBuffer(wrong, nil, nil, 0, nil, nil, 0, nil),
                cmSampleBufferCreate(nil, pointer(string), true, nil, nil, nil, 0, 0, nil, 0, nil, &made),
            ] { expectEqual(status, kCMSampleBufferError_RequiredParameterMissing) }
        }
        withExtendedLifetime((buffer, string)) {}
    }

    @Test("need a place for the result, and data to copy") func missingPointers() throws {
        let object = try #require(CMBlockBuffer.make([1, 2]))
        let buffer = unsafe pointer(object)
        let missing = kCMBlockBufferBadPointerParameterErr
        expectEqual(cmBlockBufferCreateEmpty(nil, 0, 0, nil), missing)
        expectEqual(cmBlockBufferCreateWithMemoryBlock(nil, nil, 8, nil, nil, 0, 8, 0, nil), missing)
        unsafe expectEqual(cmBlockBufferCopyDataBytes(buffer, 0, 2, nil), missing)
        unsafe expectEqual(cmBlockBufferReplaceDataBytes(nil, buffer, 0, 2), missing)
        unsafe expectEqual(cmBlockBufferAccessDataBytes(buffer, 0, 2, nil, nil), missing)
        expectEqual(
            cmAudioFormatDescriptionCreate(nil, nil, 0, nil, 0, nil, nil, nil),
            kCMFormatDescriptionError_InvalidParameter)
        expectEqual(
            cmSampleBufferCreateReady(nil, nil, nil, 0, 0, nil, 0, nil, nil),
            kCMSampleBufferError_RequiredParameterMissing)
        expectEqual(
            cmAudioSampleBufferCreateReadyWithPacketDescriptions(
                nil, nil, nil, 1, .zero, nil, nil), kCMSampleBufferError_RequiredParameterMissing)
        withExtendedLifetime(object) {}
    }
}
