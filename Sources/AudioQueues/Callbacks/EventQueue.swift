import CRealTime

/// What a queue has to tell its client, in order, and how far it has come with that.
struct EventQueue<Event> {
    private var events = FIFO<Event>()
    /// Events ever added, and ever done with.
    private(set) var added = 0
    private(set) var done = 0
    /// The value of ``added`` behind the last event that returned a buffer.
    private(set) var lastReturn = 0
    /// Whether the client's code runs for an event that was taken.
    private(set) var isDelivering = false
    /// Since when it runs: a host time in nanoseconds.
    private var deliveringSince: UInt64 = 0
    /// Whether that code was waited for as long as one waits for it: no call waits again until it returns.
    private(set) var isGivenUp = false

    var isEmpty: Bool { events.isEmpty }

    mutating func add(_ event: Event, returnsBuffer: Bool) {
        events.append(event)
        added += 1
        if returnsBuffer { lastReturn = added }
    }

    /// Takes the next event, or nil when there is none. Each is followed by ``finish()``.
    mutating func begin() -> Event? {
        guard let event = events.popFirst() else { return nil }
        isDelivering = true
        deliveringSince = aq_host_time()
        return event
    }

    mutating func finish() {
        isDelivering = false
        isGivenUp = false
        // Those removed meanwhile count as done, and this one with them.
        done = min(done + 1, added)
    }

    /// A call waited until its limit for the client's code, in vain: for that which runs now, if it has run for most
    /// of that time. What began late is slow, maybe, but not stuck.
    mutating func giveUp() {
        let mostOfIt = CallDeadline.patienceNanoseconds / 4 * 3
        isGivenUp = isDelivering && aq_host_time() &- deliveringSince >= mostOfIt
    }

    /// Drops what was not begun.
    mutating func removeAll() {
        events.removeAll()
        done = added
    }
}
