/// The stops and resets that a device has not answered, in order, and the tickets that identify requests to
/// it.
struct PendingResets<Kind> {
    struct Reset {
        let ticket: UInt64
        /// Buffers below this number are returned with the answer.
        fileprivate(set) var itemLimit: UInt64
        fileprivate(set) var kind: Kind
    }

    private var resets: [Reset] = []
    private var nextTicket: UInt64 = 1

    var isEmpty: Bool { resets.isEmpty }
    var last: Reset? { resets.last }

    /// Whether the reset of a ticket, or an earlier one, is not answered.
    func isPending(through ticket: UInt64) -> Bool { resets.contains { $0.ticket <= ticket } }

    func contains(_ isMatch: (Kind) -> Bool) -> Bool { resets.contains { isMatch($0.kind) } }

    /// Returns a ticket for a request of any kind.
    mutating func takeTicket() -> UInt64 {
        defer { nextTicket += 1 }
        return nextTicket
    }

    /// Adds a reset that returns the buffers below `itemLimit`.
    ///
    /// - Returns: Its ticket.
    mutating func add(_ kind: Kind, itemLimit: UInt64) -> UInt64 {
        let ticket = takeTicket()
        resets.append(Reset(ticket: ticket, itemLimit: itemLimit, kind: kind))
        return ticket
    }

    /// Removes the oldest reset, if the answer to `ticket` answers it.
    mutating func takeFirst(answeredBy ticket: UInt64) -> Reset? {
        guard let first = resets.first, first.ticket <= ticket else { return nil }
        return resets.removeFirst()
    }

    /// Extends the latest reset to the buffers below `itemLimit`.
    ///
    /// - Returns: Its ticket; nil if no reset is pending.
    mutating func extendLast(to itemLimit: UInt64) -> UInt64? {
        guard let index = resets.indices.last else { return nil }
        resets[index].itemLimit = itemLimit
        return resets[index].ticket
    }

    mutating func changeLast(to kind: Kind) {
        guard let index = resets.indices.last else { return }
        resets[index].kind = kind
    }
}
