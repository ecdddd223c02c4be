import AudioDevices
import Synchronization
import Testing

@testable import AudioQueues

/// Gives each test case a family of queues of its own, so that it counts its own objects while others run.
struct OwnFamily: TestTrait, SuiteTrait, TestScoping {
    /// Families live as long as the process.
    private static let all = Monitor<[LiveObjects]>([])

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let family = LiveObjects()
        OwnFamily.all.withLock { $0.append(family) }
        try await LiveObjects.$current.withValue(family) {
            try await withTaskExecutorPreference(WaitingExecutor.shared) { try await function() }
        }
    }
}

extension Trait where Self == OwnFamily {
    static var ownFamily: OwnFamily { OwnFamily() }
}

/// The objects of the test's family that are alive.
var liveQueues: Int { LiveObjects.current.queues.load(ordering: .relaxed) }
var liveBuffers: Int { LiveObjects.current.buffers.load(ordering: .relaxed) }
var liveThreads: Int { LiveObjects.current.threads.load(ordering: .relaxed) }
