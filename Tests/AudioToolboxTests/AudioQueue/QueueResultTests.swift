// SPDX-License-Identifier: MIT

import AQExpectations
import AudioQueues
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// Rare results.
@Suite("Results of AudioQueue.h") struct QueueResultTests {
    @Test("a second tap is refused") func taps() throws {
        let rig = try QueueRig()
        var frames: UInt32 = 0
        var format = AudioStreamBasicDescription()
        var first: AudioQueueProcessingTapRef?
        var second: AudioQueueProcessingTapRef?
        let preEffects: UInt32 = 1
        let one = unsafe audioQueueProcessingTapNew(
            rig.queue, { _, _, _, _, _, _, _ in }, nil, preEffects, &frames, &format, &first)
        expectEqual(one, noErr)
        let two = unsafe audioQueueProcessingTapNew(
            rig.queue, { _, _, _, _, _, _, _ in }, nil, preEffects, &frames, &format, &second)
        expectEqual(two, kAudioQueueErr_TooManyTaps)
        unsafe expectEqual(second, nil)
        unsafe expectEqual(audioQueueProcessingTapDispose(first), noErr)
    }

    @Test("nothing can be enqueued after the end, while the queue plays out")
    func enqueueWhileStopping() throws {
        let rig = try QueueRig()
        try unsafe rig.enqueue(frames: 4800, from: 1)
        try rig.start()
        unsafe expectEqual(audioQueueStop(rig.queue, false), noErr)
        let buffer = try unsafe rig.allocate(bytes: 4)
        unsafe buffer.pointee.mAudioDataByteSize = 4
        unsafe expectEqual(
            audioQueueEnqueueBuffer(rig.queue, buffer, 0, nil), kAudioQueueErr_EnqueueDuringReset)
    }

    @Test("a queue renders offline only after that was enabled") func offlineMode() throws {
        let rig = try QueueRig()
        let buffer = try unsafe rig.allocate(bytes: 32)
        var time = AudioTimeStamp()
        time.mFlags = .sampleTimeValid
        unsafe expectEqual(
            audioQueueOfflineRender(rig.queue, &time, buffer, 16), kAudioQueueErr_InvalidOfflineMode)
    }

    @Test("a property of another system alone is unknown") func foreignProperty() throws {
        let rig = try QueueRig()
        let property = kAudioQueueProperty_IntendedSpatialExperience
        var word: UInt64 = 0
        var size: UInt32 = 8
        unsafe expectEqual(
            audioQueueGetPropertySize(rig.queue, property, &size), kAudioQueueErr_InvalidProperty)
        unsafe expectEqual(
            audioQueueGetProperty(rig.queue, property, &word, &size), kAudioQueueErr_InvalidProperty)
    }

    @Test(
        "failures of the engine have published results",
        arguments: [
            (.cannotStart, kAudioQueueErr_CannotStart), (.cannotStartYet, kAudioQueueErr_CannotStartYet),
            (.primeTimedOut, kAudioQueueErr_PrimeTimedOut), (.codecNotFound, kAudioQueueErr_CodecNotFound),
            (.queueInvalidated, kAudioQueueErr_QueueInvalidated),
            (.recordUnderrun, kAudioQueueErr_RecordUnderrun),
        ] as [(QueueError.Code, OSStatus)])
    func engineFailures(code: QueueError.Code, status: OSStatus) {
        expectEqual(code.status, status)
        expectEqual(QueueError.Code(status: status), code)
    }
}
