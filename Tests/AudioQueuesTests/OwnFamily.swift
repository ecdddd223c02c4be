import AudioDevices
import Synchronization
import Testing

@testable import AudioQueues

/// Gives each test case its own family of queues, so that it counts its own objects while others run.
struct OwnFamily: TestTrait, SuiteTrait, TestScoping {
    /// Families live as long as the process.
    private static let all = Monitor<[QueueFamily]>([])

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let family = QueueFamily()
        OwnFamily.all.withLock { $0.append(family) }
        try await QueueFamily.$current.withValue(family) {
            try await withTaskExecutorPreference(WaitingExecutor.shared) { try await function() }
        }
    }
}

extension Trait where Self == OwnFamily {
    static var ownFamily: OwnFamily { OwnFamily() }
}

/// The live objects of the test's family.
var liveQueues: Int { QueueFamily.current.queues.load(ordering: .relaxed) }
var liveBuffers: Int { QueueFamily.current.buffers.load(ordering: .relaxed) }
var liveThreads: Int { QueueFamily.current.threads.load(ordering: .relaxed) }
