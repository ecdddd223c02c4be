// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Synchronization
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// Playback by the C functions, on a manual device.
@Suite("Playback by AudioQueue.h") struct QueuePlaybackTests {
    @Test("enqueued buffers are played, and each is returned to its queue's callback")
    func playback() throws {
        let rig = try QueueRig()
        let first = try unsafe rig.enqueue(frames: 100, from: 1)
        let second = try unsafe rig.enqueue(frames: 50, from: 101)
        try rig.start()
        let played = rig.render(limit: 9600) { false }
        expectEqual(played.filter { $0 != 0 }, (1...150).map { Int16($0) })
        #expect(eventually { rig.record.count == 2 })
        let queue = UInt(bitPattern: unsafe rig.queue)
        expectEqual(
            rig.record.all,
            [
                .init(queue: queue, buffer: UInt(bitPattern: first)),
                .init(queue: queue, buffer: UInt(bitPattern: second)),
            ])
    }

    @Test("a stop in the callback of the last buffer plays every sample, and then reports the end")
    func stopInCallback() throws {
        let rig = try QueueRig()
        let listened = unsafe audioQueueAddPropertyListener(
            rig.queue, kAudioQueueProperty_IsRunning, recordChange, rig.record.userData)
        expectEqual(listened, noErr)
        let left = Atomic<Int>(3)
        unsafe rig.record.onCallback { queue, _ in
            if left.subtract(1, ordering: .relaxed).newValue == 0 { _ = unsafe audioQueueStop(queue, false) }
        }
        for part in 0..<3 { try unsafe rig.enqueue(frames: 100, from: part * 100 + 1) }
        try rig.start()
        let played = rig.render { rig.isRunning == 0 }
        expectEqual(played.filter { $0 != 0 }, (1...300).map { Int16($0) })
        #expect(eventually { rig.record.properties.count == 2 })
        #expect(rig.record.properties.allSatisfy { $0 == kAudioQueueProperty_IsRunning })
    }

    @Test("trimmed frames are not played") func trims() throws {
        let rig = try QueueRig()
        let buffer = try unsafe rig.allocate(bytes: 20)
        let samples = unsafe buffer.pointee.mAudioData.assumingMemoryBound(to: Int16.self)
        for index in 0..<10 { unsafe samples[index] = Int16(index + 1) }
        unsafe buffer.pointee.mAudioDataByteSize = 20
        var actual = AudioTimeStamp(sampleTime: 1, hostTime: 1)
        let status = unsafe audioQueueEnqueueBufferWithParameters(
            rig.queue, buffer, 0, nil, 2, 3, 0, nil, nil, &actual)
        expectEqual(status, noErr)
        try rig.start()
        let played = rig.render(limit: 9600) { false }
        expectEqual(played.filter { $0 != 0 }, [3, 4, 5, 6, 7])
    }

    @Test("the time begins with the first audio, and only a timeline reports gaps") func time() throws {
        let rig = try QueueRig()
        var time = AudioTimeStamp()
        var isGap = true
        let before = unsafe audioQueueGetCurrentTime(rig.queue, nil, &time, &isGap)
        expectEqual(before, kAudioQueueErr_InvalidRunState)
        try unsafe rig.enqueue(frames: 1000, from: 1)
        try rig.start()
        _ = rig.device.render(frames: 480)
        unsafe expectEqual(audioQueueGetCurrentTime(rig.queue, nil, &time, &isGap), noErr)
        #expect(isGap, "written without a timeline")
        #expect(time.validSampleTime != nil && time.validHostTime != nil)
        var timeline: AudioQueueTimelineRef?
        unsafe expectEqual(audioQueueCreateTimeline(rig.queue, &timeline), noErr)
        unsafe expectEqual(audioQueueGetCurrentTime(rig.queue, timeline, nil, &isGap), noErr)
        #expect(!isGap)
        unsafe expectEqual(audioQueueGetCurrentTime(rig.queue, timeline, nil, nil), noErr)
        unsafe expectEqual(audioQueueDisposeTimeline(rig.queue, timeline), noErr)
        unsafe expectEqual(audioQueueGetCurrentTime(rig.queue, timeline, nil, nil), kAudio_ParamError)
        unsafe expectEqual(audioQueueStop(rig.queue, true), noErr)
        let after = unsafe audioQueueGetCurrentTime(rig.queue, nil, &time, nil)
        expectEqual(after, kAudioQueueErr_InvalidRunState)
    }

    @Test("timelines that are never disposed of do not accumulate, and those in use stay valid")
    func manyTimelines() throws {
        let rig = try QueueRig()
        var used: AudioQueueTimelineRef?
        unsafe expectEqual(audioQueueCreateTimeline(rig.queue, &used), noErr)
        var handles: [UInt] = []
        // Before the first audio the time is unknown, but the timeline is valid.
        let known = kAudioQueueErr_InvalidRunState
        for _ in 0..<5000 {
            var timeline: AudioQueueTimelineRef?
            unsafe expectEqual(audioQueueCreateTimeline(rig.queue, &timeline), noErr)
            handles.append(UInt(bitPattern: timeline))
            unsafe expectEqual(audioQueueGetCurrentTime(rig.queue, timeline, nil, nil), known)
            unsafe expectEqual(audioQueueGetCurrentTime(rig.queue, used, nil, nil), known)
        }
        func isKnown(_ handle: UInt) -> Bool {
            unsafe AudioQueueTimelineObject.table[OpaquePointer(bitPattern: handle)] != nil
        }
        let left = handles.filter { isKnown($0) }
        #expect(left.count <= QueueTimelines.maximumTimelines)
        expectEqual(left.last, handles.last)
        unsafe expectEqual(audioQueueDispose(rig.queue, true), noErr)
        #expect(!left.contains { isKnown($0) })
        #expect(unsafe AudioQueueTimelineObject.table[used] == nil)
    }

    @Test("a timeline of another queue is refused") func foreignTimeline() throws {
        let rig = try QueueRig()
        let other = try QueueRig()
        var timeline: AudioQueueTimelineRef?
        unsafe expectEqual(audioQueueCreateTimeline(other.queue, &timeline), noErr)
        unsafe expectEqual(audioQueueGetCurrentTime(rig.queue, timeline, nil, nil), kAudio_ParamError)
        unsafe expectEqual(audioQueueDisposeTimeline(rig.queue, timeline), kAudio_ParamError)
        unsafe expectEqual(audioQueueDisposeTimeline(other.queue, timeline), noErr)
    }
}
