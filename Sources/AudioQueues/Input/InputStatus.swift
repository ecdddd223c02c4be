// SPDX-License-Identifier: MIT

/// The status of the current or the last run, for the client.
struct InputStatus {
    private(set) var isCapturing = false
    /// The ticket of a stop without a waiting call, until its callbacks have returned; nil for none.
    private var ending: UInt64?
    private(set) var failure: QueueError?
    /// The failure for which the queue stops or has stopped, until the next start. ``failure`` contains it only after the
    /// last callback.
    var comingFailure: QueueError?
    var converterError: QueueError?

    var isRunning: Bool { isCapturing || ending != nil }

    mutating func start() { (ending, failure, comingFailure) = (nil, nil, nil) }

    /// Records whether the device captures, and returns whether this has changed.
    mutating func setCapturing(_ isCapturing: Bool) -> Bool {
        defer { self.isCapturing = isCapturing }
        return self.isCapturing != isCapturing
    }

    /// Counts the queue as running until the end of a stop.
    ///
    /// - Returns: Whether the device captured before.
    mutating func beginEnd(_ ticket: UInt64) -> Bool {
        guard setCapturing(false) else { return false }
        ending = ticket
        return true
    }

    mutating func end(_ ticket: UInt64, failure: QueueError?) {
        if ending == ticket { ending = nil }
        if let failure { self.failure = failure }
    }

    /// Ends any pending stop, because a call has waited for its callbacks.
    mutating func endNow() { ending = nil }

    mutating func close() { (isCapturing, ending) = (false, nil) }
}
