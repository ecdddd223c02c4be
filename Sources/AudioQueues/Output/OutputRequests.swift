// SPDX-License-Identifier: MIT

/// The requested start and drain; stops and resets are stored separately.
struct OutputRequests {
    private var drainTicket: UInt64?
    /// Whether the device starts as soon as audio is decoded for it.
    var startsWhenDecoded = false
    /// The host time for the first frame, in nanoseconds; nil for as soon as possible.
    var startHostTime: UInt64?

    // MARK: The drain

    var isDraining: Bool { drainTicket != nil }

    mutating func beginDrain(_ ticket: UInt64) { drainTicket = ticket }

    /// Ends the pending drain if it has this ticket, and returns whether it has.
    mutating func endDrain(_ ticket: UInt64) -> Bool {
        guard ticket == drainTicket else { return false }
        drainTicket = nil
        return true
    }

    mutating func endDrain() { drainTicket = nil }

    // MARK: The start

    /// Ends the wait of a start for decoded audio, and returns whether a start waited.
    mutating func takeStart() -> Bool {
        defer { startsWhenDecoded = false }
        return startsWhenDecoded
    }
}
