import AudioDevices
import Testing

@testable import AudioQueues

extension AllTests {
    /// A start that enqueues what is heard first before the queue has threads.
    @Suite("A queue that is started and filled in one call") struct FilledStartTests {
        /// Starts the queue with a buffer of 64 frames, which count up from 0.
        private func startAndFill(_ rig: Rig) throws {
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 128)
            buffer.fill(frames: 64, from: 0)
            try rig.queue.start { () throws(QueueError) in try rig.queue.enqueue(buffer) }
        }

        @Test("plays what was enqueued, and calls back")
        func plays() throws {
            let rig = try Rig()
            try startAndFill(rig)
            try rig.enqueue(frames: 64, from: 64)
            let heard = rig.render { rig.log.count == 2 }
            #expect(Array(heard.drop { $0 == 0 }.prefix(127)) == counting(1..<128))
            #expect(eventually { rig.queue.isRunning })
        }

        @Test("runs, and throws what its filling throws")
        func passesErrorsOn() throws {
            let rig = try Rig()
            let thrown = code {
                try rig.queue.start { () throws(QueueError) in throw QueueError(.bufferEmpty) }
            }
            #expect(thrown == .bufferEmpty)
            #expect(eventually { rig.queue.isRunning })
            try rig.enqueue(frames: 64, from: 0)
            _ = rig.render { rig.log.count == 1 }
            #expect(rig.log.count == 1)
        }

        @Test("has its threads already when it ran before")
        func startsAgain() throws {
            let rig = try Rig()
            try rig.startAndWait()
            try rig.queue.stop(immediate: true)
            try startAndFill(rig)
            _ = rig.render { rig.log.count == 1 }
            #expect(rig.log.count == 1)
        }

        @Test("plays one channel that is panned on two")
        func pans() throws {
            let rig = try Rig()
            try rig.queue.setPan(1)
            try startAndFill(rig)
            #expect(rig.queue.core.deviceFormat.channels == 2)
        }

        @Test("gets no threads when it is disposed of while it is filled")
        func disposedOfMeanwhile() throws {
            let rig = try Rig()
            let thrown = code {
                try rig.queue.start { () throws(QueueError) in try rig.queue.dispose(immediate: true) }
            }
            #expect(thrown == .disposalPending)
            #expect(!rig.queue.core.path.threads.areStarted)
        }

        @Test("returns what it was filled with to whoever stops it before it has threads")
        func stoppedMeanwhile() throws {
            let rig = try Rig()
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 128)
            buffer.fill(frames: 64, from: 1)
            try rig.queue.start { () throws(QueueError) in
                try rig.queue.enqueue(buffer)
                try rig.queue.stop(immediate: true)
            }
            #expect(rig.log.all == [buffer])
            #expect(!rig.queue.isRunning)
            #expect(rig.render(256).allSatisfy { $0 == 0 })
        }

        @Test(
            "runs anew when it was stopped while it was filled, whether with anything or not",
            arguments: [0, 64])
        func stoppedAndStarted(frames: Int) throws {
            let rig = try Rig()
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 128)
            try rig.queue.start { () throws(QueueError) in
                if frames > 0 {
                    buffer.fill(frames: frames, from: 1)
                    try rig.queue.enqueue(buffer)
                }
                try rig.queue.stop(immediate: true)
            }
            #expect(!rig.queue.isRunning)
            buffer.fill(frames: 64, from: 101)
            try rig.queue.enqueue(buffer)
            try rig.startAndWait()
            #expect(rig.render(64) == counting(101..<165))
        }

        @Test("keeps what it was filled with until the device lets go, when it is disposed of meanwhile")
        func disposedOfWhenFilled() throws {
            let rig = try Rig()
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 128)
            buffer.fill(frames: 64, from: 1)
            let thrown = code {
                try rig.queue.start { () throws(QueueError) in
                    try rig.queue.enqueue(buffer)
                    try rig.queue.dispose(immediate: true)
                }
            }
            #expect(thrown == .disposalPending)
            #expect(rig.queue.core.path.threads.takeNotices)
            #expect(eventually { rig.queue.core.monitor.withLock(\.isReleased) })
        }

        @Test("is not filled when it is disposed of")
        func refusesWhenDisposedOf() throws {
            let rig = try Rig()
            try rig.queue.dispose(immediate: true)
            var isFilled = false
            let thrown = code { try rig.queue.start { () throws(QueueError) in isFilled = true } }
            #expect(thrown == .disposalPending)
            #expect(!isFilled)
        }
    }
}
