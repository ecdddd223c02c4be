// SPDX-License-Identifier: MIT

import AQTestSupport
import Synchronization
import Testing

/// The repetition of a test that failed while threads waited for a processor.
///
/// Audio that is late then is not the fault of what is tested. Each repetition prints the issues that it replaces. The
/// last attempt counts, whatever happens during it, and so does any in which nothing had to wait.
enum RepeatAfterStall {
    private static let attempts = 3
    /// On an idle machine, threads of suites that run at once wait for each other for a few milliseconds.
    private static let longestHarmlessSeconds = 0.005
    private static let watch = StallWatch(.normalPriority, longerThan: longestHarmlessSeconds)

    /// The state of an attempt. The first issue decides whether issues count, because its reason came before it.
    private enum Outcome: Sendable {
        case noIssue, failed
        case stalled(issues: [String])
    }

    static func run(
        _ test: Test, _ testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Begins before the first attempt: a global is made when it is first used.
        _ = watch
        for attempt in 1..<attempts {
            guard let issues = try await issuesOfStalledAttempt(test, testCase, performing: function) else {
                return
            }
            print(
                "↻ Attempt \(attempt) of \(test.displayName ?? test.name) is repeated: \(issues.joined(separator: "; "))"
            )
        }
        try await function()
    }

    /// Runs an attempt; returns its issues if it is to be repeated.
    private static func issuesOfStalledAttempt(
        _ test: Test, _ testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws -> [String]? {
        let begun = HostClock.now
        let outcome = Mutex(Outcome.noIssue)
        // Returns whether an issue is excused.
        let excuse: @Sendable (String) -> Bool = { issue in
            outcome.withLock { outcome in
                switch outcome {
                case .failed: return false
                case .stalled(let issues): outcome = .stalled(issues: issues + [issue])
                case .noIssue:
                    guard let stall = watch.longest(since: begun) else {
                        outcome = .failed
                        return false
                    }
                    let milliseconds = Int((stall.seconds * 1_000).rounded())
                    outcome = .stalled(issues: ["threads waited for \(milliseconds) ms", issue])
                }
                return true
            }
        }
        let filter = IssueHandlingTrait.compactMapIssues { issue in
            issue.isFailure && excuse("\(issue)") ? nil : issue
        }
        do {
            try await filter.provideScope(for: test, testCase: testCase, performing: function)
        } catch {
            // If an expectation threw it, its issue came first.
            if case .noIssue = outcome.withLock(\.self) { _ = excuse("\(error)") }
            guard case .stalled = outcome.withLock(\.self) else { throw error }
        }
        guard case .stalled(let issues) = outcome.withLock(\.self) else { return nil }
        return issues
    }
}
