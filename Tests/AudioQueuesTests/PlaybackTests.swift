import AudioDevices
import CoreAudioTypes
import Synchronization
import Testing

@testable import AudioQueues

@Suite("Playback of linear PCM")
struct PlaybackTests {
    @Test("data arrives sample-exact and in order, and buffers come back in order")
    func exactOrder() throws {
        let rig = try Rig()
        var buffers: [QueueBuffer] = []
        for index in 0..<5 { buffers.append(try rig.enqueue(frames: 100, from: 1 + index * 100)) }
        try rig.startAndWait()
        #expect(rig.render(320) + rig.render(180) == counting(1..<501))
        #expect(eventually { rig.log.count == 5 })
        #expect(rig.log.all == buffers)
        try rig.queue.dispose(immediate: true)
    }

    @Test("the classic loop of three buffers plays a long sound without a gap")
    func threeBuffers() throws {
        let next = Atomic<Int>(1)
        let rig = try Rig { queue, buffer in
            buffer.fill(frames: 64, from: next.add(64, ordering: .relaxed).oldValue)
            try? queue.enqueue(buffer)
        }
        for _ in 0..<3 {
            try rig.enqueue(frames: 64, from: next.add(64, ordering: .relaxed).oldValue)
        }
        try rig.startAndWait()
        var heard: [Int16] = []
        for step in 1...100 {
            heard += rig.render(64)
            #expect(eventually { rig.log.count == step })
        }
        #expect(heard == counting(1..<6401))
        #expect(rig.queue.underrunCount == 0)
        try rig.queue.stop(immediate: true)
    }
}
