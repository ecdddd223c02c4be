// SPDX-License-Identifier: MIT

/// The client's code that a loop's thread runs between its turns.
final class LoopService: Sendable {
    let feed: StreamFeed
    /// The feed of a second stream of the same client.
    let secondFeed: StreamFeed?
    /// The code. Returns false if it must not be called again.
    let run: @Sendable () -> Bool
    private let owner: PulseOwnConnection?

    init(
        _ feed: StreamFeed, _ secondFeed: StreamFeed? = nil, _ run: @escaping @Sendable () -> Bool,
        of owner: PulseOwnConnection?
    ) {
        self.feed = feed
        self.secondFeed = secondFeed
        self.run = run
        self.owner = owner
    }

    /// Makes the loop available to other clients.
    func end() { owner?.giveBack() }
}
