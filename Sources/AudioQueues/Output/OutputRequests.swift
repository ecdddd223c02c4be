/// The requests that the device has not answered, or that wait for audio.
struct OutputRequests {
    enum Kind: Equatable {
        case flush
        /// - Parameter isFailure: Whether the queue stops by itself.
        case stop(isFailure: Bool)

        var isStop: Bool { self != .flush }
    }

    private var resets = PendingResets<Kind>()
    private var drainTicket: UInt64?
    /// Whether the device starts as soon as something is decoded for it.
    private(set) var startsWhenDecoded = false
    /// The host time at which the first frame is to be heard; nil for as soon as possible.
    private(set) var startHostTime: UInt64?

    /// Whether no stop or reset is pending.
    var isEmpty: Bool { resets.isEmpty }
    /// Whether the device's older notices are about a run that a stop has ended.
    var isStopPending: Bool { resets.contains { $0.isStop } }
    var lastReset: UInt64? { resets.last?.ticket }

    func isPending(through ticket: UInt64) -> Bool { resets.isPending(through: ticket) }

    mutating func takeTicket() -> UInt64 { resets.takeTicket() }

    // MARK: Stops and resets

    /// Adds a stop or flush, after which a drain is never answered, and after a stop no start is left.
    ///
    /// - Returns: Its ticket.
    mutating func beginReset(_ kind: Kind, itemLimit: UInt64) -> UInt64 {
        if kind.isStop { startsWhenDecoded = false }
        drainTicket = nil
        return resets.add(kind, itemLimit: itemLimit)
    }

    mutating func takeReset(answeredBy ticket: UInt64) -> PendingResets<Kind>.Reset? {
        resets.takeFirst(answeredBy: ticket)
    }

    /// Forgets the resets of a device that was never given anything.
    mutating func forgetResets() { resets.removeAll() }

    // MARK: The drain

    var isDraining: Bool { drainTicket != nil }

    mutating func beginDrain() -> UInt64 {
        let ticket = takeTicket()
        drainTicket = ticket
        return ticket
    }

    /// - Returns: Whether the ticket is that of the drain that is awaited.
    mutating func endDrain(_ ticket: UInt64) -> Bool {
        guard ticket == drainTicket else { return false }
        drainTicket = nil
        return true
    }

    mutating func forgetDrain() { drainTicket = nil }

    // MARK: The start

    mutating func setStart(atHostTime hostTime: UInt64?) { startHostTime = hostTime }

    mutating func startWhenDecoded() { startsWhenDecoded = true }

    /// - Returns: Whether a start waited for audio, which is there now.
    mutating func takeStart() -> Bool {
        defer { startsWhenDecoded = false }
        return startsWhenDecoded
    }

    mutating func cancelStart() { startsWhenDecoded = false }
}
