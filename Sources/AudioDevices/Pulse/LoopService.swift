/// The client's code that a loop's thread runs between its turns.
final class LoopService: Sendable {
    let feed: StreamFeed
    /// Returns false when it is not to be called again.
    let run: @Sendable () -> Bool
    private let owner: PulseOwnConnection?

    init(_ feed: StreamFeed, _ run: @escaping @Sendable () -> Bool, of owner: PulseOwnConnection?) {
        self.feed = feed
        self.run = run
        self.owner = owner
    }

    /// Leaves the loop to other clients.
    func end() { owner?.giveBack() }
}
