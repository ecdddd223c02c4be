// SPDX-License-Identifier: MIT

public import Testing

/// The place of a suite that plays or records in real time: beside others or alone.
///
/// Such suites wait for most of their time, so up to nine that compare content run at once. Those that measure time run
/// after them, three at once. If the sound server is not installed, the first test that starts one reports it.
///
/// A test of such a suite that fails while threads waited for a processor is repeated (``RepeatAfterStall``).
public struct SoundSuiteTrait: SuiteTrait, TestTrait, TestScoping {
    let places: Int
    var seconds = 0.0

    /// Whether an outer suite has places, which serve those in it.
    @TaskLocal private static var hasPlaces = false

    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite != (testCase != nil) ? self : nil
    }

    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if testCase != nil {
            try await RepeatAfterStall.run(test, testCase, performing: function)
        } else if Self.hasPlaces {
            try await function()
        } else {
            try await withPlaces(function)
        }
    }

    private func withPlaces(_ function: @concurrent @Sendable () async throws -> Void) async throws {
        await SoundPlaces.shared.take(places, forSeconds: seconds)
        // Its tests block their threads (see WaitingTrait).
        let result: Result<Void, any Error>
        do {
            try await withTaskExecutorPreference(ThreadForEachJob.shared) {
                try await Self.$hasPlaces.withValue(true) { try await function() }
            }
            result = .success(())
        } catch { result = .failure(error) }
        await SoundPlaces.shared.giveBack(places)
        try result.get()
    }
}

extension Trait where Self == SoundSuiteTrait {
    /// For suites that compare content.
    public static var besideOthers: Self { Self(places: 1) }
    /// For suites that compare content, and take that long: they begin before others.
    public static func besideOthers(forSeconds seconds: Double) -> Self { Self(places: 1, seconds: seconds) }
    /// For suites that measure time.
    public static var measuring: Self { Self(places: (SoundPlaces.count + 2) / 3) }
    /// For suites that measure time, and take that long: they begin before others.
    public static func measuring(forSeconds seconds: Double) -> Self {
        Self(places: (SoundPlaces.count + 2) / 3, seconds: seconds)
    }
    /// For suites that count the threads of this process.
    public static var alone: Self { Self(places: SoundPlaces.count) }
}
