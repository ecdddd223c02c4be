// SPDX-License-Identifier: MIT

public import Testing

/// Records an issue if more than a minute has passed since `begun`.
///
/// For tests whose subject is limited time. A time limit of the testing library would include the time in which a test
/// waits for a thread.
public func expectWithinMinute(
    since begun: ContinuousClock.Instant, sourceLocation: SourceLocation = #_sourceLocation
) {
    let taken = ContinuousClock.now - begun
    #expect(taken < .seconds(60), sourceLocation: sourceLocation)
}
