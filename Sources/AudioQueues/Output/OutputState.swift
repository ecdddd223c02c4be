import AudioDevices

/// The state of a queue that its lock protects, in parts that each keep their own invariants.
struct OutputState {
    typealias Client = ClientCode<OutputQueue, OutputQueue.Property, BufferDone>

    /// The client's code for a buffer that is returned.
    ///
    /// A bare closure that leaves the lock through a generic function is wrapped again each time, which allocates
    /// memory.
    struct BufferDone: Sendable {
        let call: @Sendable (OutputQueue, QueueBuffer) -> Void
    }

    /// A stop or flush of the device.
    enum ResetKind: Equatable {
        case flush
        /// - Parameter isFailure: Whether an error stops the queue.
        case stop(isFailure: Bool)

        var isStop: Bool { self != .flush }
    }

    /// The path to the device; replaced only while the queue is stopped.
    var path: OutputPath
    var machine = OutputStateMachine()
    var pool = BufferPool()
    var items = EnqueuedItems<OutputItem>()
    var progress = ItemProgress()
    var chain = ChainProgress()
    var timeline = OutputTimeline()
    var resets = PendingResets<ResetKind>()
    var requests = OutputRequests()
    var client: Client
    var delivery = Delivery<OutputEvent>()
    var status = OutputStatus()
    var settings: OutputSettings
    var rendering = OfflineRendering()
    /// A decoder with the magic cookie, until the engine takes it.
    var nextDecoder: DecodeCursor.Replacement?
    /// Whether a call waits for the device's events, because the queue's thread runs the client's code.
    var isCallTaking = false
    /// Whether the client's context was started.
    var isContextBegun = false
    /// Whether buffers and closures were released.
    var isReleased = false

    init(path: OutputPath, client: Client, settings: OutputSettings) {
        self.path = path
        self.client = client
        self.settings = settings
    }

    /// Whether the device's older events belong to a run that a stop has ended.
    var isStopPending: Bool { resets.contains { $0.isStop } }

    /// Takes the next event, whose callback the caller runs; nil while another one runs.
    mutating func takeEvent() -> OutputEvent? {
        let event = delivery.takeNext()
        if case .bufferDone(let buffer)? = event { pool.move(buffer, to: .client) }
        return event
    }

    /// Returns an item's buffer to the client, with the next callback in order.
    mutating func giveBack(_ item: OutputItem) {
        if let buffer = item.buffer { delivery.add(.bufferDone(buffer)) }
    }

    /// Returns the buffers whose last frame was rendered.
    mutating func giveBackRendered() {
        while let item = rendering.takeRendered() { giveBack(item) }
    }

    /// Refuses buffers until the pending callbacks have returned, after a stop that no call waits for.
    mutating func refuseUntilReturned() {
        let ticket = resets.takeTicket()
        delivery.refuse(until: ticket)
        endRefusalBehindCallbacks(of: ticket)
    }

    /// Accepts buffers again after the due callbacks. Listeners that are called afterwards can enqueue.
    mutating func endRefusalBehindCallbacks(of ticket: UInt64) {
        guard delivery.isRefusing(until: ticket) else { return }
        if delivery.owesReturns {
            delivery.add(.returnEnded(ticket: ticket))
        } else {
            delivery.endRefusal(of: ticket)
        }
    }

    /// Records that the callback of the event last taken has returned.
    mutating func callbackEnded() {
        delivery.finish()
        releaseIfEnded()
    }

    /// The device's position while it runs for the queue; nil before, and once a stop is pending.
    var runningPosition: PlaybackPosition? {
        status.isRunning && !isStopPending ? path.stream.position() : nil
    }

    mutating func setRunning(_ isRunning: Bool) {
        guard status.isRunning != isRunning else { return }
        status.isRunning = isRunning
        if isRunning { rendering.wasStarted = true }
        delivery.add(.changed(.isRunning))
    }

    /// The position on the timeline of the next frame to pass on.
    var nextFrame: Double { timeline.nextFrame(at: runningPosition) }

    /// The frames of the timeline other than those passed on since the last start or reset.
    var otherFrames: Double { timeline.otherFrames(at: runningPosition) }

    /// The frames of silence that delay an item to its start time, if it is the next.
    func silence(before item: OutputItem) -> Int {
        guard let startFrames = item.startFrames else { return 0 }
        return Int(max(0, startFrames - nextFrame).rounded())
    }

    /// Frees the memory, once neither the device, a callback nor a call that renders can use it.
    mutating func releaseIfEnded() {
        guard path.threads.isClosed, !delivery.isDelivering, !rendering.isUnderWay, !isReleased else {
            return
        }
        isReleased = true
        pool.freeAll()
        path.decoded?.freeMemory()
        items.removeAll()
        rendering.removeHeld()
    }

    /// Discards the progress of audio that was dropped, or played completely.
    mutating func forgetProgress() {
        progress = ItemProgress()
        timeline.framesOnTheWay = 0
        chain.restart()
        rendering.restart()
    }
}
