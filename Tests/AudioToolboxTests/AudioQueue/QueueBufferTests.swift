// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AudioQueues
@testable import AQToolboxFunctions

/// Allocates, fills and enqueues a buffer for each chunk of audio that counts up.
private func enqueueChunk(_ chunk: Int, frames: Int, on queue: AudioQueueRef) -> OSStatus {
    var made: AudioQueueBufferRef?
    // Sizes differ, so freed memory does not always fit.
    let bytes = UInt32(frames * 2 + chunk % 7 * 100)
    let status = unsafe audioQueueAllocateBuffer(queue, bytes, &made)
    guard status == noErr, let buffer = unsafe made else { return status }
    unsafe fillBuffer(buffer, frames: frames, from: chunk * frames + 1)
    return unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil)
}

/// Buffers that are freed with their chunk.
@Suite("A buffer for each chunk") struct QueueBufferTests {
    private static let chunks = 400
    private static let chunkFrames = 50

    /// The buffers that the queue has allocated and not freed.
    private func bufferCount(of rig: QueueRig) throws -> Int {
        let object = try #require(unsafe AudioQueueObject.table[rig.queue])
        let queue = try object.output()
        return queue.core.monitor.withLock { $0.pool.bufferCount }
    }

    @Test("buffers that are freed and allocated in the callback are all played, and none remains")
    func inCallbacks() throws {
        let (chunks, frames) = (Self.chunks, Self.chunkFrames)
        let next = Monitor(3)
        let freed = CallResults()
        let enqueued = CallResults()
        let rig = try QueueRig()
        unsafe rig.record.onCallback { queue, buffer in
            freed.add(unsafe audioQueueFreeBuffer(queue, buffer))
            let chunk = next.withLock { (next: inout Int) -> Int in
                next += 1
                return next - 1
            }
            guard chunk < chunks else { return }
            enqueued.add(unsafe enqueueChunk(chunk, frames: frames, on: queue))
        }
        for chunk in 0..<3 {
            unsafe expectEqual(enqueueChunk(chunk, frames: frames, on: rig.queue), noErr)
        }
        try rig.start()
        let played = rig.render(limit: 1_000_000) { freed.count == chunks }
        expectEqual(played.filter { $0 != 0 }, counting(1...(chunks * frames)))
        expectEqual(freed.all, Array(repeating: noErr, count: chunks))
        expectEqual(enqueued.all, Array(repeating: noErr, count: chunks - 3))
        try expectEqual(bufferCount(of: rig), 0)
    }

    @Test("buffers that another thread frees after their return are all played, and none remains")
    func onAnotherThread() throws {
        let (chunks, frames) = (Self.chunks, Self.chunkFrames)
        let returned = Monitor<[UInt]>([])
        let rig = try QueueRig()
        unsafe rig.record.onCallback { _, buffer in
            let address = UInt(bitPattern: buffer)
            returned.withLock { $0.append(address) }
        }
        try rig.start()
        var played: [Int16] = []
        var freed = 0
        for chunk in 0..<chunks {
            unsafe expectEqual(enqueueChunk(chunk, frames: frames, on: rig.queue), noErr)
            played += rig.render(frames: frames)
            freed += free(returned, on: rig)
            // A device takes a limited number of segments, and a busy machine may delay the queue by more.
            #expect(eventually { returned.withLock { $0.count } + freed > chunk - 100 })
        }
        expectEqual(played, counting(1...(chunks * frames)))
        let missing = chunks - freed
        #expect(eventually { returned.withLock { $0.count } == missing })
        expectEqual(free(returned, on: rig), missing)
        try expectEqual(bufferCount(of: rig), 0)
    }

    /// Frees and forgets the buffers at these addresses.
    ///
    /// - Returns: Their number.
    private func free(_ addresses: borrowing Monitor<[UInt]>, on rig: QueueRig) -> Int {
        let all = addresses.withLock { (addresses: inout [UInt]) -> [UInt] in
            defer { addresses = [] }
            return addresses
        }
        for address in all {
            let buffer = unsafe UnsafeMutablePointer<AudioQueueBuffer>(bitPattern: address)
            unsafe expectEqual(audioQueueFreeBuffer(rig.queue, buffer), noErr)
            // It is not a buffer any more.
            unsafe expectEqual(audioQueueFreeBuffer(rig.queue, buffer), kAudioQueueErr_InvalidBuffer)
        }
        return all.count
    }
}
