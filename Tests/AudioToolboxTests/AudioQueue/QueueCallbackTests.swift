// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CAQRealTime
import CoreAudioTypes
import Dispatch
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// The calls of programs in output callbacks.
@Suite("Calls in callbacks of AudioQueue.h") struct QueueCallbackTests {
    @Test("a pause in a callback lasts until the start, and no sample is lost") func pause() throws {
        let results = CallResults()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, _ in results.add(unsafe audioQueuePause(queue)) }
        for part in 0..<3 { try unsafe rig.enqueue(frames: 100, from: part * 100 + 1) }
        try rig.start()
        var played: [Int16] = []
        for round in 1...3 {
            played += rig.render(frames: 100)
            #expect(eventually { results.count == round })
            // The timeline is stopped, whatever is enqueued.
            expectEqual(rig.render(frames: 50), silence(frames: 50))
            expectEqual(rig.isRunning, 1)
            unsafe expectEqual(audioQueueStart(rig.queue, nil), noErr)
        }
        expectEqual(played, counting(1...300))
        expectEqual(results.all, Array(repeating: noErr, count: 3))
    }

    @Test("a start in a callback resumes where the previous pause was") func pauseAndStart() throws {
        let results = CallResults()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, _ in
            results.add(unsafe audioQueuePause(queue))
            results.add(unsafe audioQueueStart(queue, nil))
        }
        for part in 0..<30 { try unsafe rig.enqueue(frames: 100, from: part * 100 + 1) }
        try rig.start()
        let played = rig.render(limit: 200_000) { results.count == 60 }
        expectEqual(played.filter { $0 != 0 }, counting(1...3000))
        expectEqual(results.all, Array(repeating: noErr, count: 60))
    }

    @Test("pause and start under a lock that a callback needs return at once, and so does a pause in it")
    func pauseUnderLock() throws {
        let lock = Monitor(0)
        let waiting = Monitor(0)
        let results = CallResults()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, _ in
            waiting.withLock { $0 += 1 }
            lock.withLock { callbacks in
                callbacks += 1
                results.add(unsafe audioQueuePause(queue))
            }
        }
        let rounds = 20
        for round in 0..<rounds { try unsafe rig.enqueue(frames: 50, from: round * 50 + 1) }
        try rig.start()
        var played: [Int16] = []
        for round in 1...rounds {
            lock.withLock { _ in
                played += rig.render(frames: 50)
                #expect(eventually { waiting.withLock { $0 } == round })
                // From here on the callback waits for this thread's lock.
                let begin = aq_host_time()
                unsafe expectEqual(audioQueuePause(rig.queue), noErr)
                expectEqual(rig.render(frames: 20), silence(frames: 20))
                unsafe expectEqual(audioQueueStart(rig.queue, nil), noErr)
                #expect(aq_host_time() - begin < 1_000_000_000)
            }
            #expect(eventually { results.count == round })
            expectEqual(rig.render(frames: 20), silence(frames: 20))
            lock.withLock { _ in unsafe expectEqual(audioQueueStart(rig.queue, nil), noErr) }
        }
        expectEqual(played, counting(1...(rounds * 50)))
        expectEqual(results.all, Array(repeating: noErr, count: rounds))
    }

    @Test(
        "callbacks refill under a lock while another thread pauses and starts under it, and everything is played"
    )
    func pausesBesideCallbacks() throws {
        let chunks = 100
        let next = Monitor(3)
        let results = CallResults()
        let pauses = CallResults()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, buffer in
            next.withLock { chunk in
                guard chunk < chunks else { return }
                unsafe fillBuffer(buffer, frames: 50, from: chunk * 50 + 1)
                chunk += 1
                results.add(unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil))
            }
        }
        for chunk in 0..<3 { try unsafe rig.enqueue(frames: 50, from: chunk * 50 + 1) }
        try rig.start()
        let queue = UInt(bitPattern: unsafe rig.queue)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            for _ in 0..<100 {
                next.withLock { _ in
                    pauses.add(unsafe audioQueuePause(OpaquePointer(bitPattern: queue)))
                    pauses.add(unsafe audioQueueStart(OpaquePointer(bitPattern: queue), nil))
                }
            }
            done.signal()
        }
        let played = rig.render(limit: 1_000_000) { rig.record.count == chunks }
        done.wait()
        expectEqual(played.filter { $0 != 0 }, counting(1...(chunks * 50)))
        expectEqual(results.all, Array(repeating: noErr, count: chunks - 3))
        expectEqual(pauses.all, Array(repeating: noErr, count: 200))
    }

    @Test("a volume that is set in a callback applies from the next frame on") func setParameter() throws {
        let results = CallResults()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, _ in
            results.add(unsafe audioQueueSetParameter(queue, kAudioQueueParam_Volume, 0.5))
        }
        for _ in 0..<3 { try rig.enqueue([Int16](repeating: 1000, count: 100)) }
        try rig.start()
        expectEqual(rig.render(frames: 100), [Int16](repeating: 1000, count: 100))
        #expect(eventually { results.all == [noErr] })
        expectEqual(rig.render(frames: 200), [Int16](repeating: 500, count: 200))
        var volume: Float = 9
        unsafe expectEqual(audioQueueGetParameter(rig.queue, kAudioQueueParam_Volume, &volume), noErr)
        expectEqual(volume, 0.5)
    }

    @Test("a reset in a callback drops the enqueued buffers, and callbacks continue from another position")
    func reset() throws {
        let calls = Monitor(0)
        let results = CallResults()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, buffer in
            let call = calls.withLock { (calls: inout Int) -> Int in
                calls += 1
                return calls
            }
            if call == 1 { results.add(unsafe audioQueueReset(queue)) }
            guard call <= 3 else { return }
            unsafe fillBuffer(buffer, frames: 10, from: 1000 + call * 10)
            results.add(unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil))
        }
        for part in 0..<3 { try unsafe rig.enqueue(frames: 10, from: part * 10 + 1) }
        try rig.start()
        expectEqual(rig.render(frames: 10), counting(1...10))
        #expect(eventually { results.count == 4 })
        expectEqual(rig.render(frames: 30), counting(1010...1039))
        expectEqual(results.all, Array(repeating: noErr, count: 4))
        expectEqual(rig.isRunning, 1)
    }
}
