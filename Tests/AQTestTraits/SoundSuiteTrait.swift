// SPDX-License-Identifier: MIT

public import Testing

/// The place of a suite that plays or records in real time: beside others or alone.
///
/// Such suites wait for most of their time, so six that compare content run at once. Those that measure time run alone
/// after them, and after a process of tests beside this one. If the sound server is not installed, the first test that starts one reports it.
public struct SoundSuiteTrait: SuiteTrait, TestScoping {
    let places: Int

    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Before it takes the places, which others need until then.
        if places == SoundPlaces.count { await ProcessBeside.waitForEnd() }
        await SoundPlaces.shared.take(places)
        // Its tests block their threads, of which the concurrency runtime has only one a processor.
        let result: Result<Void, any Error>
        do {
            try await withTaskExecutorPreference(ThreadForEachJob.shared) { try await function() }
            result = .success(())
        } catch { result = .failure(error) }
        await SoundPlaces.shared.giveBack(places)
        try result.get()
    }
}

extension Trait where Self == SoundSuiteTrait {
    /// For suites that compare content.
    public static var besideOthers: Self { Self(places: 1) }
    /// For suites that measure time, or count the threads of this process.
    public static var alone: Self { Self(places: SoundPlaces.count) }
}
