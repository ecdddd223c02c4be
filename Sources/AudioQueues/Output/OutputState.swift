// SPDX-License-Identifier: MIT

import AQDevices

/// The state of an output queue that its lock protects, in parts that each keep their own invariants.
struct OutputState {
    typealias Client = ClientCode<OutputQueue, OutputQueue.Property, BufferDone>

    /// The client's closure for a returned buffer.
    ///
    /// A bare closure that leaves the lock through a generic function would be wrapped again each time, which
    /// allocates memory.
    struct BufferDone: Sendable {
        let call: @Sendable (OutputQueue, QueueBuffer) -> Void
    }

    /// The reason to stop or flush the device.
    enum ResetKind: Equatable {
        case flush
        /// A stop by the client, or because of an error if `isFailure` is true.
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
    /// The decoder with a new magic cookie, until the engine takes it; nil for none.
    var nextDecoder: DecodeCursor.Replacement?
    /// Whether a call waits for the device's events, because the queue's thread runs the client's code.
    var isCallTaking = false
    var isContextBegun = false
    /// Whether the buffers were freed and the closures released.
    var isReleased = false

    init(path: OutputPath, client: Client, settings: OutputSettings) {
        self.path = path
        self.client = client
        self.settings = settings
    }

    /// Whether events that the device posts before its answer belong to a run that a stop has ended.
    var isStopPending: Bool { resets.contains { $0.isStop } }

    /// Removes and returns the next event, whose callback the caller runs; nil while another callback runs.
    mutating func takeEvent() -> OutputEvent? {
        let event = delivery.takeNext()
        if case .bufferDone(let buffer)? = event { pool.move(buffer, to: .client) }
        return event
    }

    /// Adds the callback that returns an item's buffer to the client, after the pending callbacks.
    mutating func giveBack(_ item: OutputItem) {
        if let buffer = item.buffer { delivery.add(.bufferDone(buffer)) }
    }

    mutating func giveBackRendered() {
        while let item = rendering.takeRendered() { giveBack(item) }
    }

    /// Refuses buffers until the pending callbacks have returned, for a stop without a waiting call.
    mutating func refuseUntilReturned() {
        let ticket = resets.takeTicket()
        delivery.refuse(until: ticket)
        endRefusalBehindCallbacks(of: ticket)
    }

    /// Accepts buffers again after the due callbacks. Listeners that are called afterwards can enqueue buffers.
    mutating func endRefusalBehindCallbacks(of ticket: UInt64) {
        guard delivery.isRefusing(until: ticket) else { return }
        if delivery.owesReturns {
            delivery.add(.returnEnded(ticket: ticket))
        } else {
            delivery.endRefusal(of: ticket)
        }
    }

    /// Records that the callback of the event taken last has returned.
    mutating func callbackEnded() {
        delivery.finish()
        releaseIfEnded()
    }

    /// The device's position while it runs for the queue; nil before that, and once a stop is pending.
    var runningPosition: PlaybackPosition? {
        status.isRunning && !isStopPending ? path.stream.position() : nil
    }

    mutating func setRunning(_ isRunning: Bool) {
        guard status.isRunning != isRunning else { return }
        status.isRunning = isRunning
        if isRunning { rendering.wasStarted = true }
        delivery.add(.changed(.isRunning))
    }

    var nextFrame: Double { timeline.nextFrame(at: runningPosition) }

    /// The number of frames of the timeline other than those passed on since the last start or reset.
    var otherFrames: Double { timeline.otherFrames(at: runningPosition) }

    /// Returns the number of frames of silence before an item's start time, if the item is the next.
    func silence(before item: OutputItem) -> Int {
        guard let startFrames = item.startFrames else { return 0 }
        return Int(max(0, startFrames - nextFrame).rounded())
    }

    /// Frees the memory if neither the device, a callback nor a call that renders can use it.
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

    /// Resets the progress of audio that was dropped or played completely.
    mutating func forgetProgress() {
        progress = ItemProgress()
        timeline.framesOnTheWay = 0
        chain.restart()
        rendering.restart()
    }
}
