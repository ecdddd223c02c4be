import CRealTime

/// An event that a queue's client is called for.
protocol ClientEvent {
    /// Whether a call that waits for buffers waits for this.
    var returnsBuffer: Bool { get }
}

/// The events for a queue's client, in order, the progress of their delivery, and the stops after whose events
/// buffers are accepted again.
struct Delivery<Event: ClientEvent> {
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
    /// Whether a thread has to be woken for events.
    private var mustSchedule = false
    /// Whether the client has disposed of the queue.
    private var isClosed = false
    /// The stops whose events are not all finished: no buffer may be enqueued until then.
    private var returning: Set<UInt64> = []

    /// Whether no event waits.
    var isEmpty: Bool { events.isEmpty }
    /// Whether no event waits or is being delivered.
    var isIdle: Bool { events.isEmpty && !isDelivering }

    // MARK: Events

    mutating func add(_ event: Event) {
        guard !isClosed else { return }
        events.append(event)
        added += 1
        if event.returnsBuffer { lastReturn = added }
        mustSchedule = true
    }

    /// Takes the next event; nil if there is none, or while another one is delivered. Each is followed by
    /// ``finish()``.
    mutating func takeNext() -> Event? {
        guard !isDelivering, let event = events.popFirst() else { return nil }
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

    /// Drops the events, and those to come.
    mutating func close() {
        events.removeAll()
        done = added
        isClosed = true
    }

    // MARK: Waiting

    /// Whether events that return buffers are not finished.
    var owesReturns: Bool { done < lastReturn }

    /// Whether a call that waits until `number` events are finished has to continue waiting.
    func isAwaited(_ number: Int) -> Bool { !isClosed && !isGivenUp && done < number }

    /// Records that a call has waited for `number` events up to its limit, if the running callback has taken
    /// most of that time. One that began late may only be slow.
    mutating func giveUp(on number: Int) {
        guard done < number else { return }
        let mostOfIt = CallDeadline.patienceNanoseconds / 4 * 3
        isGivenUp = isDelivering && aq_host_time() &- deliveringSince >= mostOfIt
    }

    // MARK: Threads

    /// Requests that a thread is woken for the events that wait.
    mutating func scheduleAgain() {
        if !events.isEmpty { mustSchedule = true }
    }

    /// Whether a thread has to be woken for events, once for each time.
    mutating func takeSchedule() -> Bool {
        defer { mustSchedule = false }
        return mustSchedule
    }

    // MARK: Refusing buffers

    /// Whether buffers are refused, because events of a stop are not finished.
    var isRefusing: Bool { !returning.isEmpty }

    func isRefusing(until ticket: UInt64) -> Bool { returning.contains(ticket) }

    mutating func refuse(until ticket: UInt64) { returning.insert(ticket) }

    mutating func endRefusal(of ticket: UInt64) { returning.remove(ticket) }

    mutating func endRefusals() { returning.removeAll() }
}
