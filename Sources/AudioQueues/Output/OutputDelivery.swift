import AudioDevices

/// The callbacks that are due, in order, the client's code for them, and the stops behind which buffers are refused.
struct OutputDelivery {
    /// A callback that is due to the client.
    enum Event {
        case bufferDone(QueueBuffer)
        case changed(OutputQueue.Property)
        /// Every callback of a stop was made: buffers may be enqueued again.
        case returnEnded(ticket: UInt64)
    }

    /// The client's code for a buffer that is returned.
    ///
    /// A bare closure that is handed out of the lock, through a generic function, is wrapped anew each time, which
    /// takes memory.
    struct BufferDone: Sendable {
        let call: @Sendable (OutputQueue, QueueBuffer) -> Void
    }

    private var events = EventQueue<Event>()
    private var watch = CallbackWatch()
    private var mustSchedule = false
    /// Whether the client has disposed of the queue.
    private var isClosed = false
    /// Stops whose callbacks are not all made: no buffer may be enqueued until then.
    private var returning: Set<UInt64> = []
    private(set) var onBufferDone: BufferDone?
    var listeners = ListenerTable<OutputQueue, OutputQueue.Property>()

    init(onBufferDone: @escaping @Sendable (OutputQueue, QueueBuffer) -> Void) {
        self.onBufferDone = BufferDone(call: onBufferDone)
    }

    // MARK: Events

    var isEmpty: Bool { events.isEmpty }
    /// Whether the client's code runs now.
    var isDelivering: Bool { events.isDelivering }
    /// The number of events ever added, of those done with, and of the last that returned a buffer.
    var added: Int { events.added }
    var done: Int { events.done }
    var lastReturn: Int { events.lastReturn }
    /// Whether calls no longer wait for the callback that runs now.
    var isGivenUp: Bool { events.isGivenUp }

    mutating func add(_ event: Event) {
        guard !isClosed else { return }
        // A caller that waits for buffers expects that others may be enqueued.
        let returnsBuffer = if case .changed = event { false } else { true }
        events.add(event, returnsBuffer: returnsBuffer)
        mustSchedule = true
    }

    /// Takes the next event, whose callback the caller makes; nil while another one runs.
    mutating func takeNext() -> Event? { events.isDelivering ? nil : events.begin() }

    /// The callback of the event last taken has returned.
    mutating func finish() {
        events.finish()
        watch.callbackEnded()
    }

    /// A call has waited for the events up to `number` as long as calls do.
    mutating func giveUp(on number: Int) {
        if events.done < number { events.giveUp() }
    }

    /// Drops the events, and those to come.
    mutating func close() {
        events.removeAll()
        isClosed = true
    }

    // MARK: Threads

    /// Has callbacks that are due made by another thread.
    mutating func scheduleAgain() {
        if !events.isEmpty { mustSchedule = true }
    }

    /// Whether a thread has to be woken for callbacks, once for each time.
    mutating func takeSchedule() -> Bool {
        defer { mustSchedule = false }
        return mustSchedule
    }

    /// Takes the real-time priority of a callback that has lasted too long.
    mutating func look(at hostTime: UInt64) { watch.look(at: hostTime) }

    /// Watches the callback of the event last taken, on a thread with real-time priority.
    mutating func watchCallback(on priority: PriorityRequest, at hostTime: UInt64) {
        watch.callbackBegins(on: priority, at: hostTime)
    }

    // MARK: Refusing buffers

    /// Whether buffers are refused, since callbacks of a stop are still to be made.
    var isRefusing: Bool { !returning.isEmpty }

    mutating func refuse(until ticket: UInt64) { returning.insert(ticket) }

    /// Takes buffers again behind the callbacks that are due. Listeners that are called afterwards can enqueue.
    mutating func endRefusalBehindCallbacks(of ticket: UInt64) {
        guard returning.contains(ticket) else { return }
        if events.done < events.lastReturn {
            add(.returnEnded(ticket: ticket))
        } else {
            returning.remove(ticket)
        }
    }

    mutating func endRefusal(of ticket: UInt64) { returning.remove(ticket) }

    mutating func endRefusals() { returning.removeAll() }

    // MARK: The client's code

    /// Removes the client's code.
    ///
    /// - Returns: The code, to be released outside the lock: its end may run a client's deinitialiser.
    mutating func takeClientCode() -> Any {
        defer { onBufferDone = nil }
        return (onBufferDone, listeners.removeAll())
    }
}
