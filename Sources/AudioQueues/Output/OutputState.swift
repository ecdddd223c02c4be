import AudioDevices

/// Everything in a queue that changes, behind its lock: parts, each of which keeps its own invariants.
struct OutputState {
    /// The path to the device; replaced only while the queue is stopped.
    var path: OutputPath
    var machine = OutputStateMachine()
    var pool = BufferPool()
    var items = EnqueuedItems()
    var chain = ChainProgress()
    var timeline = OutputTimeline()
    var requests = OutputRequests()
    var delivery: OutputDelivery
    var status = OutputStatus()
    var settings: OutputSettings
    var rendering = OfflineRendering()
    /// A decoder that knows the magic cookie, until the engine takes it.
    var nextDecoder: DecodeCursor.Replacement?
    /// Whether the client's context was given something to call.
    var isContextBegun = false
    /// Whether buffers and closures are gone.
    var isReleased = false

    init(path: OutputPath, delivery: OutputDelivery, settings: OutputSettings) {
        self.path = path
        self.delivery = delivery
        self.settings = settings
    }

    /// Decoded audio between the decoder and the device; nil without a decoder.
    var decoded: DecodedAudio? { path.decoded }

    /// Takes the next event, whose callback the caller makes; nil while another one runs.
    mutating func takeEvent() -> OutputDelivery.Event? {
        let event = delivery.takeNext()
        if case .bufferDone(let buffer)? = event { pool.move(buffer, to: .client) }
        return event
    }

    /// Returns an item's buffer to the client when its callback's turn comes.
    mutating func giveBack(_ item: OutputItem) {
        if let buffer = item.buffer { delivery.add(.bufferDone(buffer)) }
    }

    /// Returns the buffers whose last frame was rendered.
    mutating func giveBackRendered() {
        while let item = rendering.takeRendered() { giveBack(item) }
    }

    /// Refuses buffers until the callbacks that are due were made, at a stop that no call waits for.
    mutating func refuseUntilReturned() {
        let ticket = requests.takeTicket()
        delivery.refuse(until: ticket)
        delivery.endRefusalBehindCallbacks(of: ticket)
    }

    /// The device's position while it runs for the queue; nil before, and once a stop is pending.
    var runningPosition: PlaybackPosition? {
        status.isRunning && !requests.isStopPending ? path.stream.position() : nil
    }

    mutating func setRunning(_ isRunning: Bool) {
        guard status.setRunning(isRunning) else { return }
        if isRunning { rendering.didStart() }
        delivery.add(.changed(.isRunning))
    }

    /// Forgets the progress of audio that is dropped, or that all was heard.
    mutating func forgetProgress() {
        items.forgetProgress()
        timeline.forgetFrames()
        chain.restart()
        rendering.restart()
    }
}
