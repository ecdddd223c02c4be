// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Status of an input queue") struct InputStatusTests {
        @Test("a queue counts as running until the end of an asynchronous stop")
        func ending() {
            var status = InputStatus()
            #expect(!status.beginEnd(1) && !status.isRunning)
            #expect(status.setCapturing(true) && !status.setCapturing(true))
            #expect(status.beginEnd(2) && status.isRunning && !status.isCapturing)
            status.end(1, failure: nil)
            #expect(status.isRunning)
            status.end(2, failure: QueueError(.cannotStart))
            #expect(!status.isRunning && status.failure?.code == .cannotStart)
        }

        @Test("a start clears failures except that of the converter, and continues after an unanswered stop")
        func start() {
            var status = InputStatus()
            _ = status.setCapturing(true)
            status.comingFailure = QueueError(.cannotStart)
            status.converterError = QueueError(.codecNotFound)
            status.start()
            #expect(status.isCapturing && status.comingFailure == nil)
            expectEqual(status.converterError?.code, .codecNotFound)
            status.close()
            #expect(!status.isRunning)
        }

        @Test("one thread at a time takes events; work wakes the queue's thread, and any change a call")
        func takers() {
            var threads = InputThreads(context: nil)
            #expect(!threads.mustWakeTaker(hasWork: true))
            #expect(threads.beginTaking(.queueThread) && !threads.beginTaking(.call))
            #expect(threads.mustWakeTaker(hasWork: true) && !threads.mustWakeTaker(hasWork: false))
            threads.taker = nil
            #expect(threads.beginTaking(.call) && threads.mustWakeTaker(hasWork: false))
        }
    }
}
