// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import CoreFoundation
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// Starts and stops of programs, and the settings before them.
@Suite("Starting and stopping by AudioQueue.h") struct QueueStartTests {
    /// The queue's time; nil before the first audio.
    private func sampleTime(of rig: QueueRig) -> Double? {
        var time = AudioTimeStamp()
        let status = unsafe audioQueueGetCurrentTime(rig.queue, nil, &time, nil)
        return status == noErr ? time.validSampleTime : nil
    }

    @Test("a start with each buffer in the callback changes nothing on a running queue")
    func startInCallbacks() throws {
        let chunks = 60
        let next = Monitor(3)
        let results = CallResults()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, buffer in
            let chunk = next.withLock { (next: inout Int) -> Int in
                next += 1
                return next - 1
            }
            guard chunk < chunks else { return }
            unsafe fillBuffer(buffer, frames: 20, from: chunk * 20 + 1)
            results.add(unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil))
            results.add(unsafe audioQueueStart(queue, nil))
        }
        for chunk in 0..<3 { try unsafe rig.enqueue(frames: 20, from: chunk * 20 + 1) }
        try rig.start()
        let played = rig.render(limit: 200_000) { rig.record.count == chunks }
        expectEqual(played.filter { $0 != 0 }, counting(1...(chunks * 20)))
        expectEqual(results.all, Array(repeating: noErr, count: 2 * (chunks - 3)))
    }

    @Test("a queue that was stopped plays again, and its time begins at 0", arguments: [true, false])
    func restart(isImmediate: Bool) throws {
        let rig = try QueueRig()
        for round in 1...3 {
            try unsafe rig.enqueue(frames: 300, from: 1)
            try rig.start()
            expectEqual(sampleTime(of: rig), 0)
            expectEqual(rig.render(frames: 200), counting(1...200))
            expectEqual(sampleTime(of: rig), 200)
            unsafe expectEqual(audioQueueStop(rig.queue, isImmediate), noErr)
            let rest = rig.render(frames: 100)
            expectEqual(rest, (isImmediate ? silence(frames: 100) : counting(201...300)))
            // Until the callback of the last buffer, none can be enqueued.
            #expect(eventually { rig.isRunning == 0 && rig.record.count == round })
            expectEqual(sampleTime(of: rig), nil)
        }
    }

    // MARK: Run loops

    @Test("without a run loop a mode is ignored, and a thread runs the output callbacks")
    func outputMode() throws {
        let mode = try #require(AudioFileObject.string("aq.test"))
        let rig = try unsafe QueueRig { (record: CallbackRecord, made: inout AudioQueueRef?) -> OSStatus in
            var format = QueueRig.mono
            return unsafe audioQueueNewOutput(&format, recordOutput, record.userData, nil, mode, 0, &made)
        }
        try unsafe rig.enqueue(frames: 100, from: 1)
        try rig.start()
        expectEqual(rig.render(frames: 100), counting(1...100))
        // No loop runs in that mode, or in any.
        #expect(eventually { rig.record.count == 1 })
    }

    @Test("without a run loop a mode is ignored, and a thread runs the input callbacks")
    func inputMode() throws {
        let mode = try #require(AudioFileObject.string("aq.test"))
        let rig = try unsafe QueueCaptureRig {
            (record: CallbackRecord, made: inout AudioQueueRef?) -> OSStatus in
            var format = QueueRig.mono
            return unsafe audioQueueNewInput(&format, recordCapture, record.userData, nil, mode, 0, &made)
        }
        for _ in 0..<3 { try rig.enqueue(bytes: 960) }
        try rig.start()
        #expect(eventually { rig.record.count == 3 })
        expectEqual(rig.record.all.map(\.packets), [480, 480, 480])
    }

    // MARK: The device

    /// Sets the device by a string that is released when this returns.
    private func setDevice(_ name: String, of queue: AudioQueueRef) -> OSStatus {
        guard let string = AudioFileObject.string(name) else { return kAudio_MemFullError }
        return withExtendedLifetime(string) { () -> OSStatus in
            var value = UInt(bitPattern: unsafe Unmanaged.passUnretained(string).toOpaque())
            return unsafe audioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &value, 8)
        }
    }

    @Test("a device is set by a string that is released at once, and is kept through starts and stops")
    func device() throws {
        let rig = try QueueRig()
        let other = ManualDevice()
        let status = TestDevices.with(output: other) { unsafe setDevice("speaker", of: rig.queue) }
        expectEqual(status, noErr)
        expectEqual(rig.device.openStreams, 0)
        for _ in 0..<2 {
            try unsafe rig.enqueue(frames: 100, from: 1)
            try rig.start()
            let played = other.render(frames: 100).first ?? []
            expectEqual(samples(Int16.self, played), counting(1...100))
            // The device of a running queue is not changed: the name shows that this one does not exist.
            unsafe expectEqual(setDevice("speaker", of: rig.queue), noErr)
            unsafe expectEqual(setDevice("nobody", of: rig.queue), kAudioQueueErr_InvalidDevice)
            unsafe expectEqual(audioQueueStop(rig.queue, true), noErr)
        }
    }
}
