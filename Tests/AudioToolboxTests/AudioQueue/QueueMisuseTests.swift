// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// A program that makes every mistake in its callbacks and listeners, and the results.
private final class Misuse: Sendable {
    private let reported = Monitor<[[OSStatus]]>([])
    /// The handle of a queue that was disposed of.
    private let staleQueue: UInt

    init() throws {
        let rig = try QueueRig()
        staleQueue = UInt(bitPattern: unsafe rig.queue)
        unsafe expectEqual(audioQueueDispose(rig.queue, true), noErr)
    }

    /// The result of each call of ``commit(on:)``.
    var all: [[OSStatus]] { reported.withLock { $0 } }

    /// The expected results.
    static func answers(toSecondEnqueueing: OSStatus) -> [OSStatus] {
        [
            noErr, noErr, toSecondEnqueueing, kAudio_ParamError, kAudioQueueErr_BufferInQueue,
            kAudioQueueErr_InvalidProperty, kAudioQueueErr_InvalidParameter, kAudioQueueErr_DisposalPending,
        ]
    }

    /// Enqueues a new buffer of two frames, 7 and 8, twice, and NULL; frees an enqueued buffer; sets an unknown
    /// property; starts a disposed queue.
    func commit(on queue: AudioQueueRef) {
        var buffer: AudioQueueBufferRef?
        var results = [unsafe audioQueueAllocateBuffer(queue, 4, &buffer)]
        if let buffer = unsafe buffer { unsafe fillBuffer(buffer, frames: 2, from: 7) }
        results.append(unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil))
        results.append(unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil))
        results.append(unsafe audioQueueEnqueueBuffer(queue, nil, 0, nil))
        results.append(unsafe audioQueueFreeBuffer(queue, buffer))
        var value: UInt32 = 1
        results.append(unsafe audioQueueSetProperty(queue, 0x3F3F_3F3F, &value, 4))
        results.append(unsafe audioQueueSetParameter(queue, 99, 1))
        results.append(unsafe audioQueueStart(OpaquePointer(bitPattern: staleQueue), nil))
        let answers = results
        reported.withLock { $0.append(answers) }
    }

    /// The user data of a C program. This object must outlive the queue.
    var userData: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
}

/// A listener that makes every mistake.
private func misuseInListener(
    _ userData: UnsafeMutableRawPointer?, _ queue: AudioQueueRef, _: AudioQueuePropertyID
) {
    guard let userData = unsafe userData else { return }
    unsafe Unmanaged<Misuse>.fromOpaque(userData).takeUnretainedValue().commit(on: queue)
}

/// No mistake in client code ends the process, or the queue.
@Suite("Mistakes in callbacks and listeners") struct QueueMisuseTests {
    @Test("mistakes in an output callback get errors, and later buffers are played")
    func outputCallback() throws {
        let misuse = try Misuse()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, _ in
            if misuse.all.isEmpty { unsafe misuse.commit(on: queue) }
        }
        try unsafe rig.enqueue(frames: 100, from: 1)
        try rig.start()
        expectEqual(rig.render(frames: 100), counting(1...100))
        #expect(eventually { misuse.all.count == 1 })
        expectEqual(misuse.all, [Misuse.answers(toSecondEnqueueing: kAudioQueueErr_BufferInQueue)])
        try unsafe rig.enqueue(frames: 100, from: 501)
        expectEqual(rig.render(frames: 102), [7, 8] + counting(501...600))
        #expect(eventually { rig.record.count == 3 })
        expectEqual(rig.isRunning, 1)
    }

    @Test("mistakes in a listener get errors, and later buffers are played")
    func listener() throws {
        let misuse = try Misuse()
        let rig = try QueueRig()
        let running = kAudioQueueProperty_IsRunning
        let data = unsafe misuse.userData
        unsafe expectEqual(audioQueueAddPropertyListener(rig.queue, running, misuseInListener, data), noErr)
        try rig.start()
        #expect(eventually { misuse.all.count == 1 })
        expectEqual(misuse.all, [Misuse.answers(toSecondEnqueueing: kAudioQueueErr_BufferInQueue)])
        try unsafe rig.enqueue(frames: 100, from: 501)
        expectEqual(rig.render(frames: 102), [7, 8] + counting(501...600))
        #expect(eventually { rig.record.count == 2 })
        // It may remove a listener that was never added, or was removed.
        for _ in 0..<2 {
            unsafe expectEqual(
                audioQueueRemovePropertyListener(rig.queue, running, misuseInListener, data), noErr)
        }
        unsafe expectEqual(audioQueueDispose(rig.queue, true), noErr)
        expectEqual(misuse.all.count, 1)
    }

    @Test("mistakes in an input callback get errors, and recording continues without a loss")
    func inputCallback() throws {
        let misuse = try Misuse()
        let played = Monitor<[Int16]>([])
        let rig = try QueueCaptureRig()
        unsafe rig.record.onCallback { queue, buffer in
            if misuse.all.isEmpty { unsafe misuse.commit(on: queue) }
            let filled = unsafe bufferContents(buffer, as: Int16.self)
            played.withLock { $0 += filled }
            _ = unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil)
        }
        for _ in 0..<3 { try rig.enqueue(bytes: 960) }
        try rig.start()
        #expect(eventually { played.withLock { $0.count } > 10_000 })
        unsafe expectEqual(audioQueueStop(rig.queue, true), noErr)
        var expected = Misuse.answers(toSecondEnqueueing: kAudioQueueErr_BufferEnqueuedTwice)
        // An input queue has no parameters.
        expected[6] = kAudioQueueErr_InvalidQueueType
        expectEqual(misuse.all, [expected])
        let recorded = played.withLock { $0 }
        let sequence = recorded.indices.map { SequenceContent.sample(frame: Int64($0), channel: 0) }
        let isWhole = recorded == sequence
        #expect(isWhole)
    }

    @Test("a callback that disposes of its queue gets an error from each later call")
    func useAfterDisposal() throws {
        let results = CallResults()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, buffer in
            results.add(unsafe audioQueueDispose(queue, false))
            results.add(unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil))
            results.add(unsafe audioQueueFreeBuffer(queue, buffer))
            results.add(unsafe audioQueueStart(queue, nil))
            results.add(unsafe audioQueueStop(queue, true))
            results.add(unsafe audioQueueDispose(queue, true))
        }
        for part in 0..<3 { try unsafe rig.enqueue(frames: 100, from: part * 100 + 1) }
        try rig.start()
        expectEqual(rig.render(frames: 100), counting(1...100))
        #expect(eventually { results.count == 6 })
        expectEqual(results.all, [noErr] + Array(repeating: kAudioQueueErr_DisposalPending, count: 5))
        // Enqueued buffers play all the same, without a notification.
        expectEqual(rig.render(frames: 200), counting(101...300))
        let other = try QueueRig()
        try unsafe other.enqueue(frames: 100, from: 1)
        try other.start()
        expectEqual(other.render(frames: 100), counting(1...100))
        expectEqual(rig.record.count, 1)
    }
}
