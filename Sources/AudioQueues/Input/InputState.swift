import AudioDevices

/// All that changes in an input queue, behind its lock.
struct InputState {
    /// Something to tell the client, in its turn.
    enum Event {
        case bufferFilled(FilledBuffer)
        /// There is something for the encoder to do, until the work of this number.
        case encode(through: UInt64)
        case changed(InputQueue.Property)
        /// The queue has stopped by itself, and every buffer of that stop was returned.
        case ended(ticket: UInt64, failure: QueueError?)
        /// Every callback of a stop was made: buffers may be enqueued again.
        case returnEnded(ticket: UInt64)
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
            /// The client's call.
            case stop
            /// All buffers are full, or the device failed.
            case end(failure: QueueError?)
        }
    }

    /// Whether the device's older notices are about a run that a stop has ended.
    var isStopPending: Bool { resets.contains { $0.kind != .reset } }

    var machine = InputStateMachine()
    var pool = BufferPool()

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
    /// What is between the device and the buffers of a queue that encodes.
    var encoding: EncodingState

    // MARK: What the device was asked

    var nextTicket: UInt64 = 1
    var resets: [Reset] = []
    /// How much the device hands over at a time, since the last start.
    var fragmentFrames = 0
    /// Stops and resets whose callbacks are not all made: nothing may be enqueued until then.
    var returning: Set<UInt64> = []

    // MARK: What the client is told

    var events = EventQueue<Event>()
    /// Whether there are new events.
    var hasNews = false
    var onBufferFilled: BufferFilled?
    var listeners = ListenerTable<InputQueue, InputQueue.Property>()

    // MARK: What the client can ask

    /// Whether the device captures.
    var isCapturing = false
    /// The stop that the queue made by itself and that is not over before its callbacks are made.
    var ending: UInt64?
    var failure: QueueError?
    var converterError: QueueError?
    var gain: Float = 1
    var isMetering = false
    /// What was counted until the buffers were full for which a stop waited: what the device captured after
    /// that nobody wanted, so it was not lost.
    var countsAtEnd: CapturePosition?
    /// The latest time given out since the last start.
    var latestTime = -Double.infinity

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

    init(primingFrames: Int) { encoding = EncodingState(primingFrames: primingFrames) }

    mutating func takeTicket() -> UInt64 {
        defer { nextTicket += 1 }
        return nextTicket
    }

    mutating func takeItemNumber() -> UInt64 {
        defer { nextItemNumber += 1 }
        return nextItemNumber
    }

    /// Appends an event, unless the client has given the queue up.
    mutating func add(_ event: Event) {
        guard !machine.isDisposed else { return }
        let endsReturn =
            switch event {
            case .bufferFilled, .encode, .ended: true
            case .changed, .returnEnded: false
            }
        events.add(event, returnsBuffer: endsReturn)
        hasNews = true
    }

    mutating func setCapturing(_ isCapturing: Bool) {
        guard self.isCapturing != isCapturing else { return }
        self.isCapturing = isCapturing
        add(.changed(.isRunning))
    }
}
