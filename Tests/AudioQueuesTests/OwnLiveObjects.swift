// SPDX-License-Identifier: MIT

import AQDevices
import Synchronization
import Testing

@testable import AudioQueues

/// Gives each test case its own counters of live objects, independent of the tests beside it.
struct OwnLiveObjects: TestTrait, SuiteTrait, TestScoping {
    /// Kept as long as the process.
    private static let all = Monitor<[LiveObjects]>([])

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let objects = LiveObjects()
        OwnLiveObjects.all.withLock { $0.append(objects) }
        try await LiveObjects.$current.withValue(objects) { try await function() }
    }
}

extension Trait where Self == OwnLiveObjects {
    static var ownLiveObjects: OwnLiveObjects { OwnLiveObjects() }
}

/// The objects of the test's objects that are alive.
var liveQueues: Int { LiveObjects.current.queues.load(ordering: .relaxed) }
var liveBuffers: Int { LiveObjects.current.buffers.load(ordering: .relaxed) }
var liveThreads: Int { LiveObjects.current.threads.load(ordering: .relaxed) }
