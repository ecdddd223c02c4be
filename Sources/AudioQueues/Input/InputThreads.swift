/// The threads that serve an input queue: its own, which takes the device's events, and that of a context for
/// callbacks, if there is one.
struct InputThreads {
    /// A thread that waits for the device's events; there is one at a time.
    enum Taker {
        case queueThread
        /// A thread whose call waits for its effect.
        case call
    }

    /// Makes the callbacks; nil if the queue's thread does.
    var context: (any CallbackContext)?
    var isContextBegun = false
    /// Whether the queue's thread was started.
    var isStarted = false
    var taker: Taker?

    init(context: (any CallbackContext)?) { self.context = context }

    /// - Returns: Whether the calling thread takes the events from now on, because no other does.
    mutating func beginTaking(_ taker: Taker) -> Bool {
        guard self.taker == nil else { return false }
        self.taker = taker
        return true
    }

    /// Whether the taker has to be woken for a change, because it waits only for events.
    ///
    /// - Parameter hasWork: Whether the queue's thread has work.
    func mustWakeTaker(hasWork: Bool) -> Bool { taker == .call || (taker == .queueThread && hasWork) }
}
