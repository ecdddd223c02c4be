// SPDX-License-Identifier: MIT

import CAQRealTime

/// An event for which a queue calls its client.
protocol ClientEvent {
    /// Whether calls that wait for returned buffers also wait for this event.
    var returnsBuffer: Bool { get }
}

/// The events for a queue's client, in order, and the progress of their delivery.
///
/// Buffers are refused while events of a stop are not finished.
struct Delivery<Event: ClientEvent> {
    private var events = FIFO<Event>()
    /// The number of events added so far.
    private(set) var added = 0
    /// The number of events finished so far, including those dropped.
    private(set) var done = 0
    /// The value of ``added`` after the last event that returned a buffer.
    private(set) var lastReturn = 0
    /// Whether the client's code runs for an event.
    private(set) var isDelivering = false
    /// The host time, in nanoseconds, when the client's running code was called.
    private var deliveringSince: UInt64 = 0
    /// Whether a call has waited for the client's running code up to the limit. No other call waits until that code
    /// returns.
    private(set) var isGivenUp = false
    /// Whether a thread has to be woken for events.
    private var mustSchedule = false
    private var isClosed = false
    /// The stops whose events are not all finished. Until then no buffer may be enqueued.
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

    /// Removes and returns the next event; nil if there is none, or while another event is delivered. Call
    /// ``finish()`` after each event.
    mutating func takeNext() -> Event? {
        guard !isDelivering, let event = events.popFirst() else { return nil }
        isDelivering = true
        deliveringSince = aq_host_time()
        return event
    }

    mutating func finish() {
        isDelivering = false
        isGivenUp = false
        // Events dropped meanwhile count as finished, including this one.
        done = min(done + 1, added)
    }

    /// Drops the pending events and all later ones.
    mutating func close() {
        events.removeAll()
        done = added
        isClosed = true
    }

    // MARK: Waiting

    /// Whether events that return buffers are not finished.
    var owesReturns: Bool { done < lastReturn }

    /// Returns whether a call that waits until `number` events are finished has to continue waiting.
    func isAwaited(_ number: Int) -> Bool { !isClosed && !isGivenUp && done < number }

    /// Records that a call has waited for `number` events up to its limit, if the running callback has taken most of
    /// that time. A callback that began later may only be slow.
    mutating func giveUp(on number: Int) {
        guard done < number else { return }
        let mostOfIt = CallDeadline.patienceNanoseconds / 4 * 3
        isGivenUp = isDelivering && aq_host_time() &- deliveringSince >= mostOfIt
    }

    // MARK: Threads

    /// Requests that a thread is woken for the pending events.
    mutating func scheduleAgain() {
        if !events.isEmpty { mustSchedule = true }
    }

    /// Returns whether a thread has to be woken for events, and clears this request.
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
