// SPDX-License-Identifier: MIT

/// The threads that serve an input queue: its own thread, which takes the device's events, and an optional context
/// for callbacks.
struct InputThreads {
    /// A thread that waits for the device's events; there is one at a time.
    enum Taker {
        case queueThread
        /// A thread that waits in a call for the call's effect.
        case call
    }

    /// The context that makes the callbacks; nil if the queue's thread does.
    var context: (any CallbackContext)?
    var isContextBegun = false
    var isStarted = false
    var taker: Taker?

    init(context: (any CallbackContext)?) { self.context = context }

    /// Makes the calling thread the taker if there is none, and returns whether this was done.
    mutating func beginTaking(_ taker: Taker) -> Bool {
        guard self.taker == nil else { return false }
        self.taker = taker
        return true
    }

    /// Returns whether a change has to wake the taker, which waits only for events.
    ///
    /// - Parameter hasWork: Whether the queue's thread has work.
    func mustWakeTaker(hasWork: Bool) -> Bool { taker == .call || (taker == .queueThread && hasWork) }
}
