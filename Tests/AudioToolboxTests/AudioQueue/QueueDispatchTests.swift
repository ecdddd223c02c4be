// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// A serial dispatch queue of C, which Swift cannot make: its own are other objects on Linux.
@safe private struct ClientQueue {
    // SAFETY: `mark` retains it, and releases it with this value.
    let queue: OpaquePointer
    /// Knows whether code runs on the queue.
    let mark: CDispatchQueue

    init() throws {
        typealias Make = @convention(c) (UnsafePointer<CChar>?, OpaquePointer?) -> OpaquePointer?
        typealias Release = @convention(c) (OpaquePointer) -> Void
        let makeSymbol = unsafe try #require(unsafe dlsym(nil, "dispatch_queue_create"))
        let releaseSymbol = unsafe try #require(unsafe dlsym(nil, "dispatch_release"))
        let make = unsafe unsafeBitCast(makeSymbol, to: Make.self)
        let release = unsafe unsafeBitCast(releaseSymbol, to: Release.self)
        let made = unsafe try #require(unsafe make("aq.test", nil))
        unsafe queue = made
        mark = unsafe CDispatchQueue(made)
        unsafe release(made)
    }
}

/// Queues whose callbacks are blocks on a dispatch queue.
@Suite("AudioQueue.h on dispatch queues") struct QueueDispatchTests {
    @Test("the output block is called on the client's queue for each buffer") func output() throws {
        let client = try ClientQueue()
        let mark = client.mark
        let calls = Monitor<[Bool]>([])
        let rig = try unsafe QueueRig { (_: CallbackRecord, made: inout AudioQueueRef?) -> OSStatus in
            var format = QueueRig.mono
            return unsafe audioQueueNewOutputWithDispatchQueue(&made, &format, 0, client.queue) { _, _ in
                calls.withLock { $0.append(mark.isCurrent) }
            }
        }
        for part in 0..<3 { try unsafe rig.enqueue(frames: 100, from: part * 100 + 1) }
        try rig.start()
        expectEqual(rig.render(frames: 300), counting(1...300))
        #expect(eventually { calls.withLock { $0.count } == 3 })
        let areOnQueue = calls.withLock { $0 }
        expectEqual(areOnQueue, [true, true, true])
        #expect(!mark.isCurrent)
    }

    @Test("the input block is called on the client's queue for each buffer") func input() throws {
        let client = try ClientQueue()
        let mark = client.mark
        let calls = Monitor<[Bool]>([])
        let played = Monitor<[Int16]>([])
        let rig = try unsafe QueueCaptureRig { (_: CallbackRecord, made: inout AudioQueueRef?) -> OSStatus in
            var format = QueueRig.mono
            return unsafe audioQueueNewInputWithDispatchQueue(&made, &format, 0, client.queue) {
                queue, buffer, _, packets, _ in
                let filled = unsafe bufferContents(buffer, as: Int16.self)
                played.withLock { $0 += filled }
                calls.withLock { $0.append(mark.isCurrent && packets == 480) }
                if calls.withLock({ $0.count }) <= 7 {
                    _ = unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil)
                }
            }
        }
        for _ in 0..<3 { try rig.enqueue(bytes: 960) }
        try rig.start()
        #expect(eventually { calls.withLock { $0.count } == 10 })
        let areOnQueue = calls.withLock { $0 }
        expectEqual(areOnQueue, [Bool](repeating: true, count: 10))
        let recorded = played.withLock { $0 }
        expectEqual(recorded, (0..<4800).map { SequenceContent.sample(frame: Int64($0), channel: 0) })
    }

    @Test("without a dispatch queue or a block no queue is made") func nothing() throws {
        let client = try ClientQueue()
        var format = QueueRig.mono
        var made: AudioQueueRef?
        let withoutBlocks = unsafe [
            audioQueueNewOutputWithDispatchQueue(&made, &format, 0, client.queue, nil),
            audioQueueNewInputWithDispatchQueue(&made, &format, 0, client.queue, nil),
        ]
        expectEqual(withoutBlocks, [kAudio_ParamError, kAudio_ParamError])
        let withoutQueues = unsafe [
            audioQueueNewOutputWithDispatchQueue(&made, &format, 0, nil) { _, _ in },
            audioQueueNewInputWithDispatchQueue(&made, &format, 0, nil) { _, _, _, _, _ in },
        ]
        expectEqual(withoutQueues, [kAudio_ParamError, kAudio_ParamError])
        unsafe expectEqual(made, nil)
    }
}
