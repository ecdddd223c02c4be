/// The requested start and drain, beside stops and resets.
struct OutputRequests {
    private var drainTicket: UInt64?
    /// Whether the device starts as soon as something is decoded for it.
    var startsWhenDecoded = false
    /// The host time for the first frame; nil for as soon as possible.
    var startHostTime: UInt64?

    // MARK: The drain

    var isDraining: Bool { drainTicket != nil }

    mutating func beginDrain(_ ticket: UInt64) { drainTicket = ticket }

    /// - Returns: Whether the ticket is that of the pending drain.
    mutating func endDrain(_ ticket: UInt64) -> Bool {
        guard ticket == drainTicket else { return false }
        drainTicket = nil
        return true
    }

    mutating func endDrain() { drainTicket = nil }

    // MARK: The start

    /// - Returns: Whether a start waited for audio, which is available now.
    mutating func takeStart() -> Bool {
        defer { startsWhenDecoded = false }
        return startsWhenDecoded
    }
}
