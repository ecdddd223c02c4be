// SPDX-License-Identifier: MIT

/// The stops and resets that a device has not answered, in order. Also makes the tickets for requests to the device.
struct PendingResets<Kind> {
    struct Reset {
        let ticket: UInt64
        /// The number below which buffers are returned with the answer.
        fileprivate(set) var itemLimit: UInt64
        fileprivate(set) var kind: Kind
    }

    private var resets: [Reset] = []
    private var nextTicket: UInt64 = 1

    var isEmpty: Bool { resets.isEmpty }
    var last: Reset? { resets.last }

    /// Returns whether the reset of a ticket, or an earlier reset, is not answered.
    func isPending(through ticket: UInt64) -> Bool { resets.contains { $0.ticket <= ticket } }

    func contains(_ isMatch: (Kind) -> Bool) -> Bool { resets.contains { isMatch($0.kind) } }

    /// Returns a new ticket, for a request of any type.
    mutating func takeTicket() -> UInt64 {
        defer { nextTicket += 1 }
        return nextTicket
    }

    /// Adds a reset that returns the buffers below `itemLimit`.
    ///
    /// - Returns: The ticket of the reset.
    mutating func add(_ kind: Kind, itemLimit: UInt64) -> UInt64 {
        let ticket = takeTicket()
        resets.append(Reset(ticket: ticket, itemLimit: itemLimit, kind: kind))
        return ticket
    }

    /// Removes and returns the oldest reset, if the answer to `ticket` also answers this reset.
    mutating func takeFirst(answeredBy ticket: UInt64) -> Reset? {
        guard let first = resets.first, first.ticket <= ticket else { return nil }
        return resets.removeFirst()
    }

    /// Extends the latest reset to the buffers below `itemLimit`.
    ///
    /// - Returns: The ticket of that reset; nil if no reset is pending.
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
