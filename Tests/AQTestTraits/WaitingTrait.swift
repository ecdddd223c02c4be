// SPDX-License-Identifier: MIT

public import Testing

/// Threads of their own for tests that wait for a server, a process or a time.
///
/// The concurrency runtime has one thread for each processor: two tests that wait would block all others.
public struct WaitingTrait: SuiteTrait, TestScoping {
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadForEachJob.shared) { try await function() }
    }
}

extension Trait where Self == WaitingTrait {
    /// For suites outside the sound tests whose tests block their threads.
    public static var waiting: Self { Self() }
}
