import AudioDevices

/// All that changes in an input queue, behind its lock.
struct InputState {
    /// A callback that is due to the client.
    enum Event {
        case bufferFilled(FilledBuffer)
        case bufferPacked(PackedBuffer)
        /// There are packets to be made, of the work until this number.
        case encode(through: UInt64)
        case changed(InputQueue.Property)
        /// The queue has stopped with no call that waits, and every buffer of that stop was returned.
        case ended(ticket: UInt64, failure: QueueError?)
        /// Every callback of a stop was made: buffers may be enqueued again.
        case returnEnded(ticket: UInt64)

        /// Whether a call that waits for buffers waits for this.
        fileprivate var endsReturn: Bool {
            switch self {
            case .bufferFilled, .bufferPacked, .encode, .ended: true
            case .changed, .returnEnded: false
            }
        }

        /// Whether nothing of the client's is called for it.
        fileprivate var isWork: Bool { if case .encode = self { true } else { false } }
    }

    /// The client's code for a buffer that comes back; a closure that has to leave the lock, as in ``OutputState``.
    struct BufferFilled: Sendable {
        let call: @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    }

    /// A stop or reset of the device whose answer is awaited.
    struct Reset {
        let ticket: UInt64
        /// Items below this number are returned with the answer.
        var itemLimit: UInt64
        var kind: Kind

        enum Kind: Equatable {
            case reset
            /// The client's call, which waits for the callbacks.
            case stop
            /// The client's call, which does not: the queue runs until they were made.
            case stopUnawaited
            /// All buffers are full, or the device failed.
            case end(failure: QueueError?)
        }
    }

    /// Whether the device's older notices are about a run that a stop has ended.
    var isStopPending: Bool { resets.contains { $0.kind != .reset } }

    var machine = InputStateMachine()
    var pool = BufferPool()
    /// Where the sound comes from.
    var path: InputPath

    // MARK: What is enqueued

    /// Buffers that the device has no place for yet, or must not have.
    var waiting = FIFO<InputItem>()
    /// Buffers that the device is to fill.
    var inDevice = FIFO<InputItem>()
    var nextItemNumber: UInt64 = 1
    /// Whether the buffer that the device returned last was full.
    var isLatestFull = true
    /// Where the device's next frame is on the timeline, if none is lost.
    var nextFrame: Int64 = 0
    /// What is between the device and the buffers of a queue that encodes, or has a tap.
    var encoding: EncodingState

    // MARK: What the device was asked

    var nextTicket: UInt64 = 1
    var resets: [Reset] = []
    /// How much the device hands over at a time, since the last start.
    var fragmentFrames = 0
    /// The host time at which the last start is to begin; nil for as soon as possible.
    var startHostTime: UInt64?
    /// Stops and resets whose callbacks are not all made: nothing may be enqueued until then.
    var returning: Set<UInt64> = []

    // MARK: What the client is told

    /// What makes the callbacks; nil if the queue's thread does.
    var context: (any CallbackContext)?
    var hasBegunContext = false
    /// With a context, what the queue's thread has to do before the client is told: packets to make, and what is to be
    /// told behind their buffers.
    var tasks = EventQueue<Event>()
    var events = EventQueue<Event>()
    /// Whether there is something new for the queue's thread, and for the context.
    private var hasNews = false
    private var mustSchedule = false
    var onBufferFilled: BufferFilled?
    var listeners = ListenerTable<InputQueue, InputQueue.Property>()

    // MARK: What the client can ask

    /// Whether the device captures.
    var isCapturing = false
    /// The stop for which no call waits, and which is not over before its callbacks are made.
    var ending: UInt64?
    var failure: QueueError?
    /// Why the queue is stopping by itself, before the client is told.
    var comingFailure: QueueError?
    var converterError: QueueError?
    var gain: Float = 1
    /// Of the stream, as a mixer shows it.
    var name: String?
    var isMetering = false
    /// What was counted until the buffers were full for which a stop waited: what the device captured after
    /// that nobody wanted, so it was not lost.
    var countsAtEnd: CapturePosition?
    /// The latest time given out since the last start.
    var latestTime = -Double.infinity
    var gaps = GapCount()

    // MARK: The thread and the end

    var hasThread = false
    /// Who waits for the device's notices: one thread at a time does.
    var taker: Taker?

    enum Taker {
        case queueThread
        /// A thread that waits for what its call asked for.
        case call
    }
    /// Buffers are gone.
    var isReleased = false

    init(path: InputPath, context: (any CallbackContext)?, primingFrames: Int) {
        self.path = path
        self.context = context
        encoding = EncodingState(primingFrames: primingFrames)
    }

    mutating func takeTicket() -> UInt64 {
        defer { nextTicket += 1 }
        return nextTicket
    }

    mutating func takeItemNumber() -> UInt64 {
        defer { nextItemNumber += 1 }
        return nextItemNumber
    }

    mutating func setCapturing(_ isCapturing: Bool) {
        guard self.isCapturing != isCapturing else { return }
        self.isCapturing = isCapturing
        add(.changed(.isRunning))
    }

    /// The gaps until now, for timelines. Until a start is answered, the device's count is that of the run before.
    mutating func allGaps() -> Int { gaps.all(isCapturing ? path.stream.position().discontinuities : 0) }

    /// Adds up the gaps of a run that ends, but for those that nobody wanted to hear of.
    mutating func endGaps() {
        guard isCapturing else { return }
        gaps.endRun(at: (countsAtEnd ?? path.stream.position()).discontinuities)
    }

    // MARK: Events

    /// Appends an event, unless the client has given the queue up.
    mutating func add(_ event: Event) {
        guard !machine.isDisposed else { return }
        // What is behind packets that another thread makes comes when they are made.
        if context != nil, event.isWork || !tasks.isEmpty || tasks.isDelivering {
            tasks.add(event, returnsBuffer: event.endsReturn)
            hasNews = true
        } else {
            tell(event)
        }
    }

    /// Appends an event whose turn has come.
    mutating func tell(_ event: Event) {
        guard !machine.isDisposed else { return }
        events.add(event, returnsBuffer: event.endsReturn)
        if context == nil { hasNews = true } else { mustSchedule = true }
    }

    /// Takes buffers again behind the callbacks that are due. Listeners that are told afterwards find it so.
    mutating func endRefusal(of ticket: UInt64) {
        guard returning.contains(ticket) else { return }
        if owesReturns { add(.returnEnded(ticket: ticket)) } else { returning.remove(ticket) }
    }

    /// Whether there is something for the queue's thread to do besides taking notices.
    var hasThreadWork: Bool { context == nil ? !events.isEmpty : !tasks.isEmpty }

    /// Whether nothing that was captured is on its way through what makes packets.
    var isQuiet: Bool {
        guard path.maker != nil else { return true }
        guard tasks.isEmpty, !tasks.isDelivering, !encoding.hasWork, !encoding.blocks.isInUse else {
            return false
        }
        return context != nil || (events.isEmpty && !events.isDelivering)
    }

    /// Whether a callback can be made that is not.
    var hasCallback: Bool { !events.isEmpty && !events.isDelivering }

    /// Whether callbacks are due that return buffers.
    var owesReturns: Bool { tasks.done < tasks.lastReturn || events.done < events.lastReturn }

    /// Has the context look for callbacks, if there are any.
    mutating func scheduleIfNeeded() {
        if context != nil, !events.isEmpty { mustSchedule = true }
    }

    /// Whom a change of the state concerns that sleeps elsewhere than at the lock.
    struct Wakes {
        var feed: StreamFeed?
        var context: (any CallbackContext)?

        func send() {
            feed?.wake()
            context?.schedule()
        }
    }

    /// - Parameter isTaker: Whether the caller has taken the notices, and will look for what else there is to do.
    mutating func takeWakes(isTaker: Bool = false) -> Wakes {
        defer {
            hasNews = false
            mustSchedule = false
        }
        // The taker sleeps in the feed, where a change of the state alone is not noticed.
        let mustWake = !isTaker && (taker == .call || (taker == .queueThread && hasNews))
        return Wakes(feed: mustWake ? path.feed : nil, context: mustSchedule ? context : nil)
    }
}
