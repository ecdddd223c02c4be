// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// Invalid queues, buffers, timelines and taps.
@Suite("Arguments of AudioQueue.h") struct QueueArgumentTests {
    /// The results of every function that takes a queue, with otherwise valid arguments as far as possible.
    private func results(for queue: AudioQueueRef?) -> [String: OSStatus] {
        var word: UInt32 = 4
        var real: Float = 0
        var flag = false
        var time = AudioTimeStamp()
        var translated = AudioTimeStamp()
        var buffer: AudioQueueBufferRef?
        var timeline: AudioQueueTimelineRef?
        var tap: AudioQueueProcessingTapRef?
        var format = QueueRig.mono
        let unknown = unsafe UnsafeMutablePointer<AudioQueueBuffer>(bitPattern: 0x1000)
        let running = kAudioQueueProperty_IsRunning
        return unsafe [
            "Dispose": audioQueueDispose(queue, true),
            "AllocateBuffer": audioQueueAllocateBuffer(queue, 16, &buffer),
            "AllocateBufferWithPacketDescriptions":
                audioQueueAllocateBufferWithPacketDescriptions(queue, 16, 1, &buffer),
            "FreeBuffer": audioQueueFreeBuffer(queue, unknown),
            "EnqueueBuffer": audioQueueEnqueueBuffer(queue, unknown, 0, nil),
            "EnqueueBufferWithParameters":
                audioQueueEnqueueBufferWithParameters(queue, unknown, 0, nil, 0, 0, 0, nil, nil, nil),
            "Start": audioQueueStart(queue, nil),
            "Prime": audioQueuePrime(queue, 0, nil),
            "Stop": audioQueueStop(queue, true),
            "Pause": audioQueuePause(queue),
            "Flush": audioQueueFlush(queue),
            "Reset": audioQueueReset(queue),
            "GetParameter": audioQueueGetParameter(queue, kAudioQueueParam_Volume, &real),
            "SetParameter": audioQueueSetParameter(queue, kAudioQueueParam_Volume, 1),
            "GetProperty": audioQueueGetProperty(queue, running, &real, &word),
            "SetProperty": audioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &word, 4),
            "GetPropertySize": audioQueueGetPropertySize(queue, running, &word),
            "AddPropertyListener": audioQueueAddPropertyListener(queue, running, recordChange, nil),
            "RemovePropertyListener": audioQueueRemovePropertyListener(queue, running, recordChange, nil),
            "CreateTimeline": audioQueueCreateTimeline(queue, &timeline),
            "DisposeTimeline": audioQueueDisposeTimeline(queue, nil),
            "GetCurrentTime": audioQueueGetCurrentTime(queue, nil, &time, &flag),
            "DeviceGetCurrentTime": audioQueueDeviceGetCurrentTime(queue, &time),
            "DeviceTranslateTime": audioQueueDeviceTranslateTime(queue, &time, &translated),
            "DeviceGetNearestStartTime": audioQueueDeviceGetNearestStartTime(queue, &time, 0),
            "SetOfflineRenderFormat": audioQueueSetOfflineRenderFormat(queue, &format, nil),
            "OfflineRender": audioQueueOfflineRender(queue, &time, unknown, 1),
            "ProcessingTapNew":
                audioQueueProcessingTapNew(queue, { _, _, _, _, _, _, _ in }, nil, 1, &word, &format, &tap),
        ]
    }

    @Test("NULL is an argument error in every function") func nullQueue() {
        for (name, status) in unsafe results(for: nil) { expectEqual(status, kAudio_ParamError, "\(name)") }
    }

    @Test("an invalid queue is an argument error, and is not dereferenced") func foreignQueue() {
        let foreign = unsafe OpaquePointer(bitPattern: 0xDEAD_0001)
        for (name, status) in unsafe results(for: foreign) {
            expectEqual(status, kAudio_ParamError, "\(name)")
        }
    }

    @Test("every function reports a queue that was disposed of") func staleQueue() throws {
        let rig = try QueueRig()
        unsafe expectEqual(audioQueueDispose(rig.queue, false), noErr)
        for (name, status) in unsafe results(for: rig.queue) {
            expectEqual(status, kAudioQueueErr_DisposalPending, "\(name)")
        }
    }

    @Test("a queue cannot be made from NULL, nor with flags") func creation() {
        var format = QueueRig.mono
        var queue: AudioQueueRef?
        unsafe expectEqual(
            audioQueueNewOutput(nil, recordOutput, nil, nil, nil, 0, &queue), kAudio_ParamError)
        unsafe expectEqual(audioQueueNewOutput(&format, nil, nil, nil, nil, 0, &queue), kAudio_ParamError)
        unsafe expectEqual(
            audioQueueNewOutput(&format, recordOutput, nil, nil, nil, 0, nil), kAudio_ParamError)
        let flagged = unsafe audioQueueNewOutput(&format, recordOutput, nil, nil, nil, 1, &queue)
        expectEqual(flagged, kAudio_ParamError)
        unsafe expectEqual(audioQueueNewInput(&format, nil, nil, nil, nil, 0, &queue), kAudio_ParamError)
        unsafe expectEqual(queue, nil)
    }

    @Test("a format that cannot be played is refused") func format() {
        var format = QueueRig.mono
        format.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
        format.mChannelsPerFrame = 2
        var queue: AudioQueueRef?
        let status = TestDevices.with {
            unsafe audioQueueNewOutput(&format, recordOutput, nil, nil, nil, 0, &queue)
        }
        expectEqual(status, 0x666D_743F)
    }

    @Test("an input queue refuses playback calls") func wrongDirection() throws {
        var format = QueueRig.mono
        var made: AudioQueueRef?
        let status = TestDevices.with {
            unsafe audioQueueNewInput(&format, { _, _, _, _, _, _ in }, nil, nil, nil, 0, &made)
        }
        expectEqual(status, noErr)
        let queue = unsafe try #require(unsafe made)
        defer { _ = unsafe audioQueueDispose(queue, true) }
        let wrong = kAudioQueueErr_InvalidQueueType
        var real: Float = 0
        var size: UInt32 = 4
        unsafe expectEqual(audioQueuePrime(queue, 0, nil), wrong)
        unsafe expectEqual(
            audioQueueEnqueueBufferWithParameters(queue, nil, 0, nil, 0, 0, 0, nil, nil, nil), wrong)
        unsafe expectEqual(audioQueueGetParameter(queue, kAudioQueueParam_Volume, &real), wrong)
        unsafe expectEqual(audioQueueSetOfflineRenderFormat(queue, nil, nil), wrong)
        unsafe expectEqual(
            audioQueueGetProperty(queue, kAudioQueueProperty_EnableTimePitch, &real, &size), wrong)
    }

    @Test("a buffer is not enqueued empty, NULL, twice, or in another queue") func buffers() throws {
        let rig = try QueueRig()
        let other = try QueueRig()
        let buffer = try unsafe rig.allocate(bytes: 32)
        unsafe expectEqual(audioQueueEnqueueBuffer(rig.queue, nil, 0, nil), kAudio_ParamError)
        unsafe expectEqual(audioQueueEnqueueBuffer(rig.queue, buffer, 0, nil), kAudioQueueErr_BufferEmpty)
        unsafe buffer.pointee.mAudioDataByteSize = 32
        unsafe expectEqual(audioQueueEnqueueBuffer(other.queue, buffer, 0, nil), kAudioQueueErr_InvalidBuffer)
        unsafe expectEqual(audioQueueEnqueueBuffer(rig.queue, buffer, 0, nil), noErr)
        unsafe expectEqual(audioQueueEnqueueBuffer(rig.queue, buffer, 0, nil), kAudioQueueErr_BufferInQueue)
        unsafe expectEqual(audioQueueFreeBuffer(rig.queue, buffer), kAudioQueueErr_BufferInQueue)
    }

    @Test("an invalid tap is an argument error") func noTap() {
        var word: UInt32 = 0
        var real = 0.0
        expectEqual(audioQueueProcessingTapDispose(nil), kAudio_ParamError)
        unsafe expectEqual(audioQueueProcessingTapGetQueueTime(nil, &real, &word), kAudio_ParamError)
        unsafe expectEqual(
            audioQueueProcessingTapGetSourceAudio(nil, 1, nil, nil, &word, nil), kAudio_ParamError)
    }
}
