// SPDX-License-Identifier: MIT

import AQDevices

/// The state of an input queue that its lock protects, in parts that each keep their own invariants.
struct InputState {
    typealias Client = ClientCode<InputQueue, InputQueue.Property, BufferFilled>

    /// The client's closure for a returned buffer; in a struct for the reason in ``OutputState/BufferDone``.
    struct BufferFilled: Sendable {
        let call: @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    }

    /// A reason to stop or reset the device.
    enum ResetKind: Equatable {
        case reset
        /// The client's stop, which waits for the callbacks.
        case stop
        /// The client's stop in a callback: the queue runs until the callbacks were made.
        case stopUnawaited
        /// The end of a recording whose buffers are all full, or whose device failed.
        case end(failure: QueueError?)
    }

    struct Start {
        var fragmentFrames = 0
        /// The host time of the first frame; nil for as soon as possible.
        var hostTime: UInt64?
    }

    /// The path from the device; replaced only while the queue is stopped.
    var path: InputPath
    var machine = InputStateMachine()
    var pool = BufferPool()
    var items = EnqueuedItems<InputItem>()
    /// The state between the device and the buffers, if the queue encodes or has a tap.
    var encoding: EncodingState
    var resets = PendingResets<ResetKind>()
    var lastStart = Start()
    var timeline = InputTimeline()
    var status = InputStatus()
    var settings: InputSettings
    var threads: InputThreads
    var client: Client
    /// The work of the queue's thread before callbacks that a context runs: packets to make, and the events after
    /// their buffers.
    var tasks = Delivery<InputEvent>()
    var delivery = Delivery<InputEvent>()
    /// Whether the buffers were freed and the closures released.
    var isReleased = false

    init(
        path: InputPath, client: Client, settings: InputSettings, context: (any CallbackContext)?,
        primingFrames: Int
    ) {
        self.path = path
        self.client = client
        self.settings = settings
        threads = InputThreads(context: context)
        encoding = EncodingState(primingFrames: primingFrames)
    }

    /// Whether events that the device posts before its answer belong to a run that a stop has ended.
    var isStopPending: Bool { resets.contains { $0 != .reset } }

    /// The counts of the current or the last run.
    var counts: CapturePosition { timeline.counts(path.stream.position()) }

    /// Returns the number of gaps until now. Before a start is complete, the device's count is that of the previous
    /// run.
    mutating func allGaps() -> Int {
        timeline.allGaps(status.isCapturing ? path.stream.position().discontinuities : 0)
    }

    // MARK: Events

    mutating func add(_ event: InputEvent) {
        // Events wait for packets that another thread makes before them.
        if threads.context != nil, event.isWork || !tasks.isIdle {
            tasks.add(event)
        } else {
            delivery.add(event)
        }
    }

    mutating func addWork(_ work: EncodingState.Work) {
        encoding.add(work)
        add(.encode(through: encoding.latestWork))
    }

    mutating func setCapturing(_ isCapturing: Bool) {
        if status.setCapturing(isCapturing) { add(.changed(.isRunning)) }
    }

    /// Accepts buffers again after the due callbacks. Listeners that are called afterwards can enqueue buffers.
    mutating func endRefusalBehindCallbacks(of ticket: UInt64) {
        guard delivery.isRefusing(until: ticket) else { return }
        if tasks.owesReturns || delivery.owesReturns {
            add(.returnEnded(ticket: ticket))
        } else {
            delivery.endRefusal(of: ticket)
        }
    }

    /// Whether the queue's thread has work besides taking events.
    var hasThreadWork: Bool { threads.context == nil ? !delivery.isEmpty : !tasks.isEmpty }

    /// Whether all captured audio was processed.
    var isQuiet: Bool {
        guard path.maker != nil else { return true }
        return tasks.isIdle && !encoding.hasWork && !encoding.blocks.isInUse
            && (threads.context != nil || delivery.isIdle)
    }

    // MARK: Returning items

    /// Returns the items below a number that the device does not fill: empty, or with the packets made so far.
    mutating func returnItems(below limit: UInt64, at kind: EncodingState.Boundary.Kind) {
        guard path.maker == nil else { return addWork(.boundary(.init(kind: kind, itemLimit: limit))) }
        while let item = items.takeFirst(below: limit) { add(.bufferFilled(timeline.empty(item))) }
    }

    /// Completes the stops and resets that the device has answered. It has delivered all audio captured before.
    mutating func endResets(answeredBy ticket: UInt64) {
        while let reset = resets.takeFirst(answeredBy: ticket) {
            let isStop = reset.kind != .reset
            returnItems(below: reset.itemLimit, at: isStop ? .end : .reset)
            guard isStop else { continue }
            timeline.end(at: path.stream.position(), wasCapturing: status.isCapturing)
            switch reset.kind {
            case .end(let failure): end(reset.ticket, failure: failure)
            case .stopUnawaited: end(reset.ticket, failure: nil)
            case .stop, .reset:
                endRefusalBehindCallbacks(of: reset.ticket)
                setCapturing(false)
            }
        }
    }

    /// Ends a stop for which no call waits: the queue counts as running until the stop's callbacks have returned.
    private mutating func end(_ ticket: UInt64, failure: QueueError?) {
        let wasCapturing = status.beginEnd(ticket)
        add(.ended(ticket: ticket, failure: failure))
        if wasCapturing { add(.changed(.isRunning)) }
        if failure != nil { add(.changed(.failure)) }
    }

    /// Records a device's failure as the reason for a stop after the last enqueued buffer, unless that buffer was
    /// full.
    mutating func explainEnd(_ failure: QueueError) {
        guard resets.last?.kind == .end(failure: nil), !timeline.isLatestFull else { return }
        resets.changeLast(to: .end(failure: failure))
        status.comingFailure = failure
    }

    /// Frees the memory if neither the device nor a callback can use it.
    mutating func releaseIfEnded() {
        guard machine.state == .disposed, !delivery.isDelivering, !tasks.isDelivering, !isReleased else {
            return
        }
        isReleased = true
        pool.freeAll()
        encoding.release()
        items.removeAll()
    }

    // MARK: Waking

    /// The threads to wake after a change, other than those that wait at the lock.
    struct Wakes {
        var feed: StreamFeed?
        var context: (any CallbackContext)?

        func send() {
            feed?.wake()
            context?.schedule()
        }
    }

    /// - Parameter isTaker: Whether the caller has taken the events, and checks for further work.
    mutating func takeWakes(isTaker: Bool = false) -> Wakes {
        let isDue = delivery.takeSchedule()
        let hasTasks = tasks.takeSchedule()
        let mustWake =
            !isTaker && threads.mustWakeTaker(hasWork: hasTasks || (isDue && threads.context == nil))
        return Wakes(feed: mustWake ? path.feed : nil, context: isDue ? threads.context : nil)
    }
}
