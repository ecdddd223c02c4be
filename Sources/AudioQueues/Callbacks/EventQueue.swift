import CRealTime

/// The events for a queue's client, in order, and the progress of their delivery.
struct EventQueue<Event> {
    private var events = FIFO<Event>()
    /// The number of events ever added, and ever finished.
    private(set) var added = 0
    private(set) var done = 0
    /// The value of ``added`` after the last event that returned a buffer.
    private(set) var lastReturn = 0
    /// Whether the client's code runs for an event.
    private(set) var isDelivering = false
    /// The host time, in nanoseconds, since when it runs.
    private var deliveringSince: UInt64 = 0
    /// Whether a call has waited for that code up to its limit: no call waits again until it returns.
    private(set) var isGivenUp = false

    var isEmpty: Bool { events.isEmpty }

    mutating func add(_ event: Event, returnsBuffer: Bool) {
        events.append(event)
        added += 1
        if returnsBuffer { lastReturn = added }
    }

    /// Takes the next event; nil if there is none. Each is followed by ``finish()``.
    mutating func begin() -> Event? {
        guard let event = events.popFirst() else { return nil }
        isDelivering = true
        deliveringSince = aq_host_time()
        return event
    }

    mutating func finish() {
        isDelivering = false
        isGivenUp = false
        // Events removed meanwhile count as finished, and this one with them.
        done = min(done + 1, added)
    }

    /// Records that a call has waited for the client's code up to its limit, if the running callback has
    /// taken most of that time. One that began late may only be slow.
    mutating func giveUp() {
        let mostOfIt = CallDeadline.patienceNanoseconds / 4 * 3
        isGivenUp = isDelivering && aq_host_time() &- deliveringSince >= mostOfIt
    }

    /// Drops events that were not begun.
    mutating func removeAll() {
        events.removeAll()
        done = added
    }
}
