/// The threads that serve an input queue: its own, which takes the device's notices, and the client's, if it has named
/// one for its callbacks.
struct InputThreads {
    /// A thread that waits for the device's notices: one at a time does.
    enum Taker {
        case queueThread
        /// A thread that waits for what its call asked for.
        case call
    }

    /// Makes the callbacks; nil if the queue's thread does.
    private(set) var context: (any CallbackContext)?
    private(set) var isContextBegun = false
    /// Whether the queue's thread was started.
    private(set) var isStarted = false
    private var taker: Taker?

    init(context: (any CallbackContext)?) { self.context = context }

    mutating func didStart() { isStarted = true }

    mutating func didBeginContext() { isContextBegun = true }

    /// Has a context make the callbacks that the queue's thread has made.
    mutating func setContext(_ context: any CallbackContext, isBegun: Bool) {
        (self.context, isContextBegun) = (context, isBegun)
    }

    /// - Returns: Whether the calling thread takes the notices from now on: nobody else does.
    mutating func beginTaking(_ taker: Taker) -> Bool {
        guard self.taker == nil else { return false }
        self.taker = taker
        return true
    }

    mutating func endTaking() { taker = nil }

    /// Whether the taker has to be woken for a change, which it does not notice where it waits.
    ///
    /// - Parameter hasWork: Whether there is something to do for the queue's thread.
    func mustWakeTaker(hasWork: Bool) -> Bool { taker == .call || (taker == .queueThread && hasWork) }
}
