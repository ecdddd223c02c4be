import CRealTime

/// An event that a queue's client is called for.
protocol ClientEvent {
    /// Whether a call that waits for buffers waits for this.
    var returnsBuffer: Bool { get }
}

/// The events that are to be delivered to a client, in order, the progress of that, and the stops behind whose events
/// buffers are accepted again.
struct Delivery<Event: ClientEvent> {
    private var events = FIFO<Event>()
    /// The number of events ever added, and of those done with.
    private(set) var added = 0
    private(set) var done = 0
    /// The value of ``added`` behind the last event that returned a buffer.
    private(set) var lastReturn = 0
    /// Whether an event was taken and is not done with: the client's code runs for it.
    private(set) var isDelivering = false
    /// The host time at which that began, in nanoseconds.
    private var deliveringSince: UInt64 = 0
    /// Whether a call has waited for that code as long as calls do: none waits again until it returns.
    private(set) var isGivenUp = false
    /// Whether a thread has to be woken for events.
    private var mustSchedule = false
    /// Whether the client has disposed of the queue.
    private var isClosed = false
    /// The stops whose events are not all done with: no buffer may be enqueued until then.
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

    /// Takes the next event, or nil while another one is being delivered. Each is followed by ``finish()``.
    mutating func takeNext() -> Event? {
        guard !isDelivering, let event = events.popFirst() else { return nil }
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

    /// Drops the events, and those to come.
    mutating func close() {
        events.removeAll()
        done = added
        isClosed = true
    }

    // MARK: Waiting

    /// Whether events that return buffers are not done with.
    var owesReturns: Bool { done < lastReturn }

    /// Whether a call that waits until `number` events are done with has to wait on.
    func isAwaited(_ number: Int) -> Bool { !isClosed && !isGivenUp && done < number }

    /// A call has waited for `number` events as long as calls do.
    ///
    /// That gives up on the code that runs now, if it ran for most of the time: code that began late may be slow, but is
    /// not stuck.
    mutating func giveUp(on number: Int) {
        guard done < number else { return }
        let mostOfIt = CallDeadline.patienceNanoseconds / 4 * 3
        isGivenUp = isDelivering && aq_host_time() &- deliveringSince >= mostOfIt
    }

    // MARK: Threads

    /// Has a thread woken for the events that wait.
    mutating func scheduleAgain() {
        if !events.isEmpty { mustSchedule = true }
    }

    /// Whether a thread has to be woken for events, once for each time.
    mutating func takeSchedule() -> Bool {
        defer { mustSchedule = false }
        return mustSchedule
    }

    // MARK: Refusing buffers

    /// Whether buffers are refused, since events of a stop are not done with.
    var isRefusing: Bool { !returning.isEmpty }

    func isRefusing(until ticket: UInt64) -> Bool { returning.contains(ticket) }

    mutating func refuse(until ticket: UInt64) { returning.insert(ticket) }

    mutating func endRefusal(of ticket: UInt64) { returning.remove(ticket) }

    mutating func endRefusals() { returning.removeAll() }
}
