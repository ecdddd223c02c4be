import AudioCodecs
import AudioDevices

/// All that changes in a queue, behind its lock.
struct OutputState {
    /// Something to tell the client, in its turn.
    enum Event {
        case bufferDone(QueueBuffer)
        case changed(OutputQueue.Property)
        /// Every callback of a stop was made: buffers may be enqueued again.
        case returnEnded(ticket: UInt64)
    }

    /// The client's code for a buffer that comes back.
    ///
    /// A bare closure that is handed out of the lock, through a generic function, is wrapped anew each time, which
    /// takes memory.
    struct BufferDone: Sendable {
        let call: @Sendable (OutputQueue, QueueBuffer) -> Void
    }

    /// A stop or flush of the device whose answer is awaited.
    struct Reset {
        let ticket: UInt64
        /// Items below this number are returned with the answer.
        let itemLimit: UInt64
        let isStop: Bool
        /// Whether the queue stops by itself, for the reason in `failure`.
        let isFailure: Bool
    }

    /// Whether the device's older notices are about a run that a stop has ended.
    var isStopPending: Bool { resets.contains { $0.isStop } }

    /// The way to the device; another only while the queue is stopped.
    var path: OutputPath
    var machine = OutputStateMachine()
    var pool = BufferPool()

    // MARK: What is enqueued

    /// Items that were not handed on: to the device, or past the decoder.
    var waiting = FIFO<OutputItem>()
    /// Buffers that the device plays from, without a decoder between.
    var inDevice = FIFO<OutputItem>()
    var nextItemNumber: UInt64 = 1
    /// How far the first of the items that wait has come.
    var front = Front()
    /// Frames of the format that were put on the way to the device since the last start or reset.
    var framesOnTheWay = 0
    /// The latest time on the timeline that a buffer was enqueued for.
    var latestStartFrames = -Double.infinity
    /// What the effects' chain has; as the engine's thread knows it.
    var chain = ChainProgress()

    /// Decoded audio between the decoder and the device; nil without a decoder. To be changed in the path.
    var decoded: DecodedAudio? { path.decoded }

    // MARK: What the device was asked

    var nextTicket: UInt64 = 1
    var resets: [Reset] = []
    /// Starts the device as soon as something was decoded for it.
    var startsWhenDecoded = false
    /// The host time at which the first frame is to be heard; nil for as soon as possible.
    var startHostTime: UInt64?
    /// The drain that is under way, if it is.
    var drainTicket: UInt64?
    /// Stops whose callbacks are not all made: nothing may be enqueued until then.
    var returning: Set<UInt64> = []

    // MARK: What the client is told

    var events = EventQueue<Event>()
    var watch = CallbackWatch()
    var mustSchedule = false
    var onBufferDone: BufferDone?
    var listeners = ListenerTable<OutputQueue, OutputQueue.Property>()

    // MARK: What the client can ask

    var isRunning = false
    var failure: QueueError?
    var converterError: QueueError?
    var damagedPackets = 0
    var underruns = 0
    /// What the client has set last, or what held when the path was made: ``volumeInForce``.
    var volume: Float = 1
    var effects = Effects()
    var isMetering = false
    /// Of the stream, as a mixer shows it.
    var name: String?
    /// The goal that the client asks for, from the next start on; nil follows what is enqueued.
    var latency: LatencyGoal?
    var magicCookie: [UInt8] = []
    /// A decoder that knows the cookie, until the engine takes it.
    var nextDecoder: DecodeCursor.Replacement?
    /// The latest time given out since the last start.
    var latestTime = -Double.infinity
    /// By how many frames resets have set the format's time off from the device's, where effects stretch it.
    var stretchedFrames = 0.0
    var gaps = GapCount()

    // MARK: Offline

    var rendering = Rendering()

    // MARK: The end

    /// Whether the client's context was told what to call.
    var isContextBegun = false
    /// Buffers and closures are gone.
    var isReleased = false

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
        // Who waits for buffers is to find that others may be enqueued.
        let returnsBuffer = if case .changed = event { false } else { true }
        events.add(event, returnsBuffer: returnsBuffer)
        mustSchedule = true
    }

    /// Refuses buffers until the callbacks that are due were made, at a stop for which no call waits.
    mutating func refuseUntilReturned() {
        let ticket = takeTicket()
        returning.insert(ticket)
        endRefusal(of: ticket)
    }

    /// Takes buffers again behind the callbacks that are due. Listeners that are told afterwards find it so.
    mutating func endRefusal(of ticket: UInt64) {
        guard returning.contains(ticket) else { return }
        if events.done < events.lastReturn {
            add(.returnEnded(ticket: ticket))
        } else {
            returning.remove(ticket)
        }
    }

    /// Takes the next event, whose callback is the caller's to make; nil while another one runs.
    mutating func takeEvent() -> Event? {
        guard !events.isDelivering, let event = events.begin() else { return nil }
        if case .bufferDone(let buffer) = event { pool.move(buffer, to: .client) }
        return event
    }

    /// Gives an item's buffer back, once its callback's turn comes.
    mutating func giveBack(_ item: OutputItem) {
        if let buffer = item.buffer { add(.bufferDone(buffer)) }
    }

    /// Returns the buffers whose last frame was rendered.
    mutating func giveBackRendered() {
        while let held = rendering.held.first, held.frames <= rendering.renderedFrames {
            _ = rendering.held.popFirst()
            giveBack(held.item)
        }
    }

    /// The volume of what is heard now: that of a buffer, unless the client has set another since.
    var volumeInForce: Float { path.stream.segmentGain ?? volume }

    /// The same for the position between left and right. Where effects pan, they do it for buffers, too.
    var panInForce: Float { path.stream.segmentPan ?? effects.pan }

    /// Forgets what belongs to audio that nobody is going to hear, or that all was heard.
    mutating func forgetProgress() {
        front = Front()
        framesOnTheWay = 0
        latestStartFrames = -.infinity
        chain = ChainProgress(dropsTap: chain.dropsTap)
        (rendering.framesInDevice, rendering.renderedFrames) = (0, 0)
        rendering.hasGivenAll = false
        rendering.streams += 1
    }

    mutating func setRunning(_ isRunning: Bool) {
        guard self.isRunning != isRunning else { return }
        self.isRunning = isRunning
        if isRunning { rendering.wasStarted = true }
        add(.changed(.isRunning))
    }
}
